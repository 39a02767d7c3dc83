// What must hold of what the verdict says of a run of the model, where everything is known: to the nanosecond.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "engine/verdict/call_slices.h"
#include "engine/verdict/execution_slices.h"
#include "engine/verdict/judgement.h"
#include "engine/verdict/slack.h"
#include "engine/verdict/slices.h"
#include "tests/generated/logged_slices.h"
#include "tests/generated/property.h"

namespace streamscope::generated {
namespace {

using program::describe;
using verdict::History;

// A list of slices or pieces without a gap, and none of them empty.
template <class List>
std::string partition(const List& list, Nanoseconds from, Nanoseconds to) {
  for (const auto& each : list) {
    if (each.from != from || each.to <= each.from)
      return fmt::format("a part is from {} to {}, where one from {} was due", each.from, each.to, from);
    from = each.to;
  }
  return from == to ? std::string() : fmt::format("the parts end at {} and not at {}", from, to);
}

// Where a call of one thread waits for room, in its stream's queue or in the staging buffer, which call of another
// thread comes before it is not seen in spans.
bool may_calls_wait_for_room(const Subject& subject) {
  const auto& operations = subject.program.operations;
  if (subject.program.threads.size() == 1) return false;
  if (operations.size() > subject.profile.streams.queue_depth) return true;
  return std::ranges::any_of(operations, [&](const program::Operation& each) {
    const auto* copy = std::get_if<program::op::Copy>(&each.work);
    return copy != nullptr && !copy->blocking &&
           program::host_memory(subject.program, *copy) == program::HostMemory::pageable;
  });
}

// A device whose hand-over is a hundred days, which profiles may say, would be all of the sums.
constexpr Nanoseconds kLongestCounted = 3'600'000'000'000;

std::string slices_fill(const Subject& subject, Tally& tally) {
  const History& history = *subject.history;
  const bool is_order_seen = !may_calls_wait_for_room(subject);
  for (OperationIndex i = 0; i < history.size(); ++i) {
    if (!history.executes(i)) continue;
    const auto all = verdict::slices(history, i);
    if (const auto wrong = partition(all, history.issued(i), history.span(i).start); !wrong.empty())
      return describe(subject.program, i) + ": " + wrong;
    for (const verdict::Slice& slice : all) {
      if (!is_order_seen || slice.to - slice.from > kLongestCounted) break;
      tally.waited += slice.to - slice.from;
      if (slice.cause == verdict::WaitCause::unexplained) tally.unexplained += slice.to - slice.from;
    }
  }
  return {};
}

std::string slices_are_the_log(const Subject& subject, Tally& tally) {
  if (may_calls_wait_for_room(subject)) return {};
  const History& history = *subject.history;
  const LoggedSlices logged(history, subject.logged.holds);
  for (OperationIndex i = 0; i < history.size(); ++i) {
    if (!history.executes(i)) continue;
    const auto mine = comparable(verdict::slices(history, i)), its = comparable(logged.of(i));
    tally.held += its.empty() ? 0 : 1;
    // Of very many the verdict does not tell the first ones apart.
    if (mine == its || its.size() > verdict::kMostOccupants) continue;
    const trace::Span& span = history.span(i);
    return fmt::format("{}: issued {}, ready {}, start {}, {} {}\nverdict{}\nlog    {}", describe(subject.program, i),
                       history.issued(i), span.ready, span.start, trace::name(span.reason),
                       span.waits_for == kNoOperation ? "" : describe(subject.program, span.waits_for), text(mine),
                       text(its));
  }
  return {};
}

std::string calls_fill(const Subject& subject, Tally&) {
  const verdict::Calls calls(*subject.history);
  for (OperationIndex i = 0; i < subject.history->size(); ++i) {
    const auto all = calls.slices(i);
    const trace::Span& span = subject.history->span(i);
    if (all.empty()) continue;
    if (const auto wrong = partition(all, span.host_begin, span.host_end); !wrong.empty())
      return describe(subject.program, i) + ": " + wrong;
  }
  return {};
}

std::string paths(const Subject& subject, Tally& tally) {
  Nanoseconds first = kAbsent, last = kAbsent;
  for (const trace::Span& span : subject.trace.spans) {
    if (!trace::device_work(span)) continue;
    first = known(first) ? std::min(first, span.start) : span.start;
    last = std::max(last, span.end);
  }
  const verdict::Path path = verdict::critical_path(*subject.history);
  if (!known(first)) return path.pieces.empty() ? std::string() : "there is a path through no work";
  if (const auto wrong = partition(path.pieces, first, last); !wrong.empty()) return "the critical path: " + wrong;
  const verdict::Path wall = verdict::wall_path(*subject.history);
  if (const auto wrong = partition(wall.pieces, 0, subject.wall); !wrong.empty())
    return "the path of the wall time: " + wrong;
  for (const verdict::Path* each : {&path, &wall}) {
    for (const verdict::Piece& piece : each->pieces) {
      if (piece.to - piece.from > kLongestCounted) continue;
      tally.paths += piece.to - piece.from;
      if (piece.kind == verdict::PieceKind::unexplained) tally.paths_unexplained += piece.to - piece.from;
    }
  }
  return {};
}

std::string idle(const Subject& subject, Tally&) {
  const Nanoseconds makespan = trace::makespan(subject.trace.spans);
  for (const verdict::EngineIdle& each : verdict::idle_times(*subject.history)) {
    const Nanoseconds sum =
        std::accumulate(each.causes.begin(), each.causes.end(), Nanoseconds{0},
                        [](Nanoseconds all, const verdict::IdleTime& one) { return all + one.time; });
    if (each.busy + each.idle != makespan || sum != each.idle || each.busy < 0 || each.idle < 0)
      return fmt::format("{}: busy {}, idle {} of which {} have a cause, makespan {}", name(each.engine.engine),
                         each.busy, each.idle, sum, makespan);
  }
  return {};
}

std::string executions(const Subject& subject, Tally&) {
  const verdict::Judgement judgement = verdict::judge(subject.trace, &subject.program);
  for (OperationIndex i = 0; i < subject.trace.spans.size(); ++i) {
    const auto parts = verdict::execution_parts(judgement, i);
    if (parts.empty()) continue;
    Nanoseconds sum = 0;
    for (const verdict::ExecutionPart& part : parts) {
      if (part.time < 0) return describe(subject.program, i) + ": a part of less than nothing";
      sum += part.time;
    }
    const trace::Span& span = subject.trace.spans[i];
    if (sum != span.end - span.start)
      return fmt::format("{}: the parts of its time are {} of {}", describe(subject.program, i), sum,
                         span.end - span.start);
  }
  return {};
}

// Copies of both directions take no less than those of either alone, and no more than all one after the other.
std::string bus_of(const std::vector<verdict::Bound>& all, const verdict::Bound& bus) {
  Nanoseconds longer = 0, together = 0;
  for (const verdict::Bound& one : all) {
    const bool copies = one.engine.engine == Engine::h2d || one.engine.engine == Engine::d2h;
    if (one.kind != verdict::BoundKind::engine || !copies || one.engine.device != bus.engine.device) continue;
    longer = std::max(longer, one.work);
    together += one.work;
  }
  if (bus.work + 1 >= longer && bus.work <= together) return {};  // whole nanoseconds
  return fmt::format("{}: {} of work, where one direction has {} and both have {}", name(bus), bus.work, longer,
                     together);
}

std::string bounds(const Subject& subject, Tally& tally) {
  const Nanoseconds makespan = trace::makespan(subject.trace.spans);
  const auto all = verdict::bounds(*subject.history, verdict::isolated_durations(*subject.history));
  for (const verdict::Bound& bound : all) {
    if (bound.kind == verdict::BoundKind::bus) {
      if (std::string wrong = bus_of(all, bound); !wrong.empty()) return wrong;
    }
    const Nanoseconds time = bound.kind == verdict::BoundKind::host ? subject.wall : makespan;
    if (!known(time) && bound.time == 0) continue;  // there is no work
    ++tally.bounds;
    if (bound.time - bound.uncertainty > time || bound.time < 0)
      return fmt::format("{}: {} with a doubt of {} is beaten by {}", name(bound), bound.time, bound.uncertainty, time);
  }
  return {};
}

std::string slack(const Subject& subject, Tally&) {
  const History& history = *subject.history;
  const std::vector<Nanoseconds> all = verdict::slack(history);
  for (OperationIndex i = 0; i < history.size(); ++i) {
    if (history.executes(i) && all[i] < 0) return describe(subject.program, i) + ": less slack than none";
  }
  if (subject.program.threads.size() > 1) return {};  // whose calls come in another order when one of them is later
  for (const verdict::Piece& piece : verdict::critical_path(history).pieces) {
    if (piece.kind != verdict::PieceKind::execution || piece.operation == kNoOperation) continue;
    if (piece.to == history.span(piece.operation).end && all[piece.operation] != 0)
      return fmt::format("{}: the critical path goes through it, and it has a slack of {}",
                         describe(subject.program, piece.operation), all[piece.operation]);
  }
  return {};
}

constexpr Property kOfVerdicts[] = {
    {"slices", "what held an operation fills the time from its issue to its start", slices_fill},
    {"log", "and is what the simulation itself says of it", slices_are_the_log},
    {"calls", "what held a call fills it", calls_fill},
    {"paths", "both paths are without a gap, from begin to end", paths},
    {"idle", "busy and idle times are the makespan", idle},
    {"executions", "what an execution took is the sum of its parts", executions},
    {"bounds", "no run beats a bound beyond its doubt, and the bus has its copies' work", bounds},
    {"slack", "there is none on the critical path, and nowhere less", slack},
};

}  // namespace

std::span<const Property> verdict_properties() { return kOfVerdicts; }

}  // namespace streamscope::generated
