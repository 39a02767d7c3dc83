#include "app/session/run_assembly.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/base/translate.h"
#include "engine/device/stage_plan.h"
#include "engine/trace/wrong_stages.h"

namespace streamscope::session {
namespace {

bool near(Nanoseconds time) { return !known(time) || (time >= -kFarthest && time <= kFarthest); }

bool near(const std::optional<trace::Statistic>& statistic) {
  return !statistic || (near(statistic->median) && near(statistic->minimum) && near(statistic->maximum));
}

tl::unexpected<Error> invalid(std::string message) { return fail(ErrorKind::bad_input, std::move(message)); }

Result<void> check_references(const trace::Trace& trace) {
  const std::size_t operations = trace.spans.size();
  for (std::size_t i = 0; i < operations; ++i) {
    const trace::Span& span = trace.spans[i];
    const auto outside = [&](std::string_view what, std::uint32_t index, std::size_t count) {
      return invalid(tr("Span {} names {} {}, there are {}.", i, what, index, count));
    };
    if (span.operation >= operations) return outside(tr("operation"), span.operation, operations);
    if (span.waits_for != kNoOperation && span.waits_for >= operations) {
      return outside(tr("operation"), span.waits_for, operations);
    }
    if (span.name >= trace.names.size()) return outside(tr("name"), span.name, trace.names.size());
    if (span.thread >= trace.threads.size()) return outside(tr("thread"), span.thread, trace.threads.size());
    if (span.stream != trace::Span::kNoStream && span.stream >= trace.streams.size()) {
      return outside(tr("stream"), span.stream, trace.streams.size());
    }
  }
  for (const trace::LaunchShape& launch : trace.launches) {
    if (launch.name < trace.names.size()) continue;
    return invalid(tr("A sort of launch names name {}, there are {}.", launch.name, trace.names.size()));
  }
  for (const trace::DeviceFacts& facts : trace.device_facts) {
    const auto is_near = [](const trace::HandOver& one) { return near(one.usual); };
    if (!std::all_of(facts.hand_overs.begin(), facts.hand_overs.end(), is_near))
      return invalid(tr("A hand-over is beyond all measure."));
  }
  if (const auto wrong = trace::wrong_devices(trace)) return invalid(tr("The devices of a result: {}.", *wrong));
  return {};
}

Result<void> check_alone(const trace::Run& run) {
  for (const trace::IsolatedTime& time : run.alone) {
    if (time.of.name >= run.trace.names.size())
      return invalid(tr("An isolated time names name {}, there are {}.", time.of.name, run.trace.names.size()));
    if (!near(time.duration) || !near(time.shortest) || !near(time.spread))
      return invalid(tr("An isolated time is beyond all measure."));
  }
  return {};
}

// What blocks recorded inside kernels: no count in it may be larger than what is there.
Result<void> check_inside(const trace::Trace& trace) {
  const std::size_t operations = trace.spans.size();
  const auto outside = [&](std::string_view what, OperationIndex operation) {
    return invalid(tr("{} of operation {}, there are {}.", what, operation, operations));
  };
  for (const trace::KernelFacts& kernel : trace.kernels) {
    if (kernel.operation >= operations && operations > 0) return outside(tr("Facts"), kernel.operation);
  }
  for (const trace::PollAnswer& answer : trace.answers.polls) {
    if (answer.operation >= operations) return outside(tr("Answers"), answer.operation);
    if (!known(answer.at) || !near(answer.at) || (known(answer.worked_until) && !near(answer.worked_until)))
      return invalid(tr("An answer of operation {} is beyond all measure.", answer.operation));
  }
  for (const trace::StageBlock& block : trace.stages.blocks) {
    if (block.operation >= operations) return outside(tr("Stages"), block.operation);
    if (block.places == 0 || block.places > device::kFewestTilesKept || block.stages.size() > block.tiles) {
      return invalid(
          tr("A block of {} tiles in {} places reports {} stages.", block.tiles, block.places, block.stages.size()));
    }
    const auto outside_block = [&](const trace::Stage& stage) { return stage.tile >= block.tiles; };
    if (std::any_of(block.stages.begin(), block.stages.end(), outside_block))
      return invalid(tr("A stage of operation {} is beyond all measure.", block.operation));
  }
  if (const auto wrong = trace::wrong_stages(trace)) return invalid(tr("The stages of a result: {}.", *wrong));
  return {};
}

// Spans [i] of both must be the same operation; a bare run has none to compare.
Result<void> check_prediction(const trace::Trace& trace, const trace::Prediction& prediction) {
  if (!near(prediction.wall) || !near(prediction.makespan) || !near(prediction.trace.provenance.uncertainty)) {
    return invalid(tr("A time of the prediction is beyond all measure."));
  }
  TRY(check_references(prediction.trace));
  TRY(check_inside(prediction.trace));
  if (trace.spans.empty()) return {};
  const std::vector<trace::Span>& predicted = prediction.trace.spans;
  const bool same = std::equal(trace.spans.begin(), trace.spans.end(), predicted.begin(), predicted.end(),
                               [](const trace::Span& a, const trace::Span& b) { return a.operation == b.operation; });
  return same ? Result<void>{} : invalid(tr("The prediction is one of other operations."));
}

}  // namespace

Result<void> check_times(const std::vector<trace::Span>& spans) {
  for (const trace::Span& span : spans) {
    for (const Nanoseconds time : {span.host_begin, span.host_end, span.ready, span.start, span.end}) {
      if (!near(time)) return invalid(tr("A span has the time {} ns.", time));
    }
  }
  return {};
}

Result<void> RunAssembly::add(std::vector<trace::Span> spans, bool predicted) {
  std::vector<trace::Span>& all = predicted ? predicted_ : spans_;
  if (spans.size() > kMostSpans - all.size()) {
    return invalid(tr("A run has more than {} spans.", kMostSpans));
  }
  TRY(check_times(spans));
  if (all.empty()) {
    all = std::move(spans);
  } else {
    all.insert(all.end(), spans.begin(), spans.end());
  }
  return {};
}

Result<std::shared_ptr<const trace::Run>> RunAssembly::finish(remote::message::Done done) {
  if (done.spans != spans_.size()) {
    return invalid(tr("A run of {} spans came with {}.", done.spans, spans_.size()));
  }
  if (done.predicted != predicted_.size() || (!done.run.prediction && done.predicted != 0)) {
    return invalid(tr("A prediction of {} spans came with {}.", done.predicted, predicted_.size()));
  }
  if (done.run.runs < 0) return invalid(tr("A result of {} runs.", done.run.runs));
  if (!near(done.run.wall) || !near(done.run.bare_wall) || !near(done.run.makespan) ||
      !near(done.run.trace.provenance.uncertainty)) {
    return invalid(tr("A time of the result is beyond all measure."));
  }
  done.run.trace.spans = std::exchange(spans_, {});
  TRY(check_references(done.run.trace));
  TRY(check_inside(done.run.trace));
  TRY(check_alone(done.run));
  if (done.run.prediction) {
    done.run.prediction->trace.spans = std::exchange(predicted_, {});
    TRY(check_prediction(done.run.trace, *done.run.prediction));
  }
  return std::make_shared<const trace::Run>(std::move(done.run));
}

}  // namespace streamscope::session
