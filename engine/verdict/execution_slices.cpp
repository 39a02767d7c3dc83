#include "engine/verdict/execution_slices.h"

#include <algorithm>
#include <array>

#include "engine/base/int128.h"
#include "engine/verdict/touched.h"

namespace streamscope::verdict {
namespace {

using trace::Span;

constexpr std::size_t kSlowCauses = kNames<SlowCause>.size();

struct Beside {
  Nanoseconds time = 0;  // of all of them together
  OperationIndex longest = kNoOperation;
  Nanoseconds longest_time = 0;
};

bool over_the_bus(const History& history, OperationIndex i) {
  const Touched memory = touched(history, i);
  return memory.mapped || memory.managed;
}

// What one operation slows another by, if they run side by side.
SlowCause between(const History& history, OperationIndex i, OperationIndex other) {
  const OperationKind mine = history.span(i).kind, its = history.span(other).kind;
  const auto is_copy = [](OperationKind kind) { return kind == OperationKind::h2d || kind == OperationKind::d2h; };
  const auto uses_bus = [&](OperationIndex one, OperationKind kind) {
    return is_copy(kind) || kind == OperationKind::prefetch || over_the_bus(history, one);
  };
  if (mine == OperationKind::kernel && its == OperationKind::kernel) return SlowCause::multiprocessors;
  if (uses_bus(i, mine) && uses_bus(other, its)) return SlowCause::bus;
  // A copy over the bus takes a small part of the memory's rate only.
  if (is_copy(mine) || is_copy(its)) return SlowCause::alone;
  return SlowCause::memory;
}

std::array<Beside, kSlowCauses> all_beside(const History& history, OperationIndex i) {
  std::array<Beside, kSlowCauses> by_cause;
  const Span& span = history.span(i);
  std::vector<OperationIndex> found;
  for (const Unit unit : {Unit::h2d, Unit::d2h, Unit::within_device, Unit::kernels}) {
    history.during(span.device, unit, i, span.start, span.end, kMostOccupants, found);
  }
  for (const OperationIndex other : found) {
    const Span& its = history.span(other);
    const Nanoseconds time = std::min(span.end, its.end) - std::max(span.start, its.start);
    Beside& of = by_cause[static_cast<std::size_t>(between(history, i, other))];
    if (time <= 0) continue;
    of.time += time;
    const bool lower = time == of.longest_time && other < of.longest;
    if (time > of.longest_time || lower) of.longest = other, of.longest_time = time;
  }
  by_cause[static_cast<std::size_t>(SlowCause::alone)] = {};
  return by_cause;
}

}  // namespace

std::vector<ExecutionPart> execution_parts(const Judgement& judgement, OperationIndex i) {
  const History& history = judgement.history;
  if (!history.executes(i) || history.span(i).kind == OperationKind::hostfn) return {};
  const Span& span = history.span(i);
  const Nanoseconds took = span.end - span.start;
  const Isolated& isolated = judgement.isolated[i];
  if (took <= 0) return {};
  const Nanoseconds doubt = Nanoseconds{span.start_uncertainty} + span.uncertainty + isolated.uncertainty;
  const Nanoseconds more = known(isolated.duration) ? took - isolated.duration : 0;
  if (!isolated.alone) return {{took, SlowCause::alone, kNoOperation, false}};
  if (more <= doubt) return {{took, SlowCause::alone, kNoOperation, true}};

  std::vector<ExecutionPart> all{{took - more, SlowCause::alone, kNoOperation, true}};
  const std::array<Beside, kSlowCauses> beside = all_beside(history, i);
  Nanoseconds sum = 0;
  std::size_t many = 0;
  for (const Beside& each : beside) sum += each.time, many += each.time > 0 ? 1 : 0;
  if (sum == 0) {
    const bool migrates = touched(history, i).managed;
    all.push_back({more, migrates ? SlowCause::migration : SlowCause::unexplained, kNoOperation, !migrates});
    return all;
  }
  // What rounding leaves goes to the last.
  Nanoseconds left = more, left_beside = sum;
  for (std::size_t cause = 0; cause < kSlowCauses; ++cause) {
    if (beside[cause].time == 0) continue;
    const auto part = static_cast<Nanoseconds>(static_cast<Int128>(left) * beside[cause].time / left_beside);
    left -= part;
    left_beside -= beside[cause].time;
    if (part > 0) all.push_back({part, static_cast<SlowCause>(cause), beside[cause].longest, many == 1});
  }
  return all;
}

}  // namespace streamscope::verdict
