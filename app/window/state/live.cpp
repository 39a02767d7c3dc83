#include "app/window/state/live.h"

#include <algorithm>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

struct LiveUpdate {
  Live& live;

  void operator()(const command::SetTrigger& c) {
    live.trigger = c.trigger;
    live.trigger.level = std::max<Nanoseconds>(0, live.trigger.level);
  }
  void operator()(const command::SetPersistence& c) { live.persistence = c.on; }
};

Nanoseconds longest_wait(const ShownRun& run) {
  Nanoseconds longest = 0;
  for (const analysis::WaitSum& each : run.analysis.waits)
    if (each.reason != trace::WaitReason::host) longest = std::max(longest, each.longest_time);
  return longest;
}

}  // namespace

void update(Live& live, const LiveCommand& command) { std::visit(LiveUpdate{live}, command); }

Nanoseconds measured_by(TriggerOn on, const ShownRun& run) {
  switch (on) {
    case TriggerOn::makespan: return run.analysis.makespan;
    case TriggerOn::wait: return longest_wait(run);
    case TriggerOn::nothing:
    case TriggerOn::contradiction: break;
  }
  return kAbsent;
}

std::string held_by(const Trigger& trigger, const ShownRun& run) {
  const Nanoseconds is = measured_by(trigger.on, run);
  const bool over = known(is) && is > trigger.level;
  switch (trigger.on) {
    case TriggerOn::nothing: break;
    case TriggerOn::makespan: return over ? tr("makespan {}", display_duration(is)) : std::string();
    case TriggerOn::wait: return over ? tr("a wait of {}", display_duration(is)) : std::string();
    case TriggerOn::contradiction: {
      const std::uint32_t count = run.run->trace.provenance.contradictions.value_or(0);
      return count == 0 ? std::string() : tr_n("{} contradiction", "{} contradictions", count, count);
    }
  }
  return {};
}

void add_to_cloud(Live& live, const trace::Run& run) {
  if (live.program != run.program) live.cloud.clear();
  live.program = run.program;
  if (run.trace.spans.size() > kMostEnds) return;
  RunEnds ends;
  for (const trace::Span& span : run.trace.spans) {
    if (!trace::device_work(span) || !known(span.end)) continue;
    if (span.stream != trace::Span::kNoStream)
      ends.emplace_back(timeline::TrackKey{timeline::TrackKind::stream, span.stream}, span.end);
    ends.emplace_back(timeline::TrackKey{timeline::TrackKind::engine,
                                         static_cast<std::uint32_t>(number(DeviceEngine{span.device, span.engine}))},
                      span.end);
  }
  live.cloud.push_back(std::move(ends));
  if (live.cloud.size() > kRunsInCloud) live.cloud.pop_front();
}

}  // namespace streamscope::window
