#include "engine/verdict/slices.h"

#include <algorithm>
#include <queue>

namespace streamscope::verdict {
namespace {

using trace::Span;
using trace::WaitReason;

void append(std::vector<Slice>& all, const Slice& slice) {
  if (slice.to <= slice.from) return;
  if (!all.empty() && all.back().to == slice.from && all.back().cause == slice.cause && all.back().by == slice.by &&
      all.back().certain == slice.certain) {
    all.back().to = slice.to;
  } else {
    all.push_back(slice);
  }
}

// Why a kernel had no room beside another one.
WaitCause cause_of_kernel(const History& history, OperationIndex waiting, OperationIndex running) {
  const trace::Trace& trace = history.trace();
  const Span& mine = history.span(waiting);
  const Span& other = history.span(running);
  const auto priority = [&](const Span& span) {
    return span.stream < trace.streams.size() ? trace.streams[span.stream].priority : 0;
  };
  if (priority(other) < priority(mine) && history.ready(running) > history.ready(waiting)) return WaitCause::priority;
  const trace::LaunchShape* const shape = trace::launch_of(trace, other);
  const bool known_limits = shape != nullptr && other.device < trace.device_facts.size();
  const std::uint64_t at_once =
      known_limits ? std::uint64_t{shape->blocks_at_once} * trace.device_facts[other.device].multiprocessors : 0;
  return at_once > 0 && shape->blocks > at_once ? WaitCause::blocks : WaitCause::room;
}

WaitCause cause_of_occupant(const History& history, OperationIndex waiting, OperationIndex running) {
  const Span& mine = history.span(waiting);
  const Span& other = history.span(running);
  switch (mine.kind) {
    case OperationKind::kernel: return cause_of_kernel(history, waiting, running);
    case OperationKind::hostfn: return WaitCause::host_functions;
    default: return mine.engine == other.engine ? WaitCause::engine : WaitCause::other_direction;
  }
}

// What the multiprocessors carried out while a kernel was ready. One that ended left its room then; of those that run
// on, one is known to have made room, and the others were in the way until that one began.
std::vector<Holder> kernels_before(const History& history, OperationIndex i, Nanoseconds ready) {
  const Span& span = history.span(i);
  const bool known_to_make_room = span.waits_for < history.size() && history.executes(span.waits_for);
  const Nanoseconds way_made_from = known_to_make_room ? history.span(span.waits_for).start : span.start;
  std::vector<OperationIndex> running;
  history.beside(i, ready, span.start, running);
  std::vector<Holder> found;
  for (const OperationIndex other : running) {
    const Span& its = history.span(other);
    const bool runs_on = its.end > span.start, makes_room = other == span.waits_for;
    const Nanoseconds until = !runs_on ? its.end : makes_room ? span.start : way_made_from;
    if (until <= std::max(ready, its.start)) continue;
    found.push_back({std::max(ready, its.start), until, cause_of_kernel(history, i, other), other, makes_room});
  }
  std::ranges::sort(found, {}, &Holder::from);
  return found;
}

// What took a unit that does one thing after the other right before `i` did; kNoOperation: it paused.
OperationIndex right_before(const History& history, OperationIndex i, std::size_t unit) {
  const Span& span = history.span(i);
  if (span.reason == WaitReason::engine && span.waits_for < history.size()) return span.waits_for;
  const bool measured = history.trace().provenance.kind == trace::Provenance::Kind::measured;
  const Nanoseconds hand_over = usual_hand_over(history.trace(), &span, WaitCause::engine, span);
  const Nanoseconds usual = measured && known(hand_over) ? hand_over : 0;
  const Nanoseconds doubt = Nanoseconds{span.start_uncertainty};
  return history.right_before(i, unit, span.start - usual - 2 * doubt, span.start + doubt);
}

// What a unit that does one thing after the other was busy with, without a pause, until the operation began: had the
// unit paused, the operation would have begun then.
std::vector<Holder> engine_before(const History& history, OperationIndex i, Nanoseconds ready) {
  std::vector<Holder> found;
  Nanoseconds until = history.span(i).start;
  const auto unit = history.unit_taken(i);
  if (!unit) return {};
  OperationIndex other = right_before(history, i, *unit);
  while (other != kNoOperation && until > ready && found.size() < kMostOccupants) {
    const Span& its = history.span(other);
    if (!known(its.start) || !known(its.end) || its.start > until) break;
    found.push_back({std::max(ready, its.start), std::min(its.end, until), cause_of_occupant(history, i, other), other,
                     found.empty()});
    until = its.start;
    other = right_before(history, other, *unit);
    // Of two that took no time at one instant each is right before the other.
    if (other == i) other = history.right_before(i, *unit, until, until);
  }
  // The first ones are not told apart.
  if (other != kNoOperation && found.size() == kMostOccupants) found.back().from = ready;
  std::ranges::reverse(found);
  return found;
}

std::vector<Holder> occupants(const History& history, OperationIndex i, Nanoseconds ready) {
  if (history.span(i).kind != OperationKind::kernel) return engine_before(history, i, ready);
  if (!history.executes(i)) return {};  // its end is not known
  std::vector<Holder> found = kernels_before(history, i, ready);
  if (found.size() > kMostOccupants) {
    const std::size_t many = found.size() - kMostOccupants + 1;
    Holder& one = found[many - 1];
    one.from = found.front().from;
    for (std::size_t at = 0; at < many; ++at) one.until = std::max(one.until, found[at].until);
    found.erase(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(many - 1));
  }
  return found;
}

// The trace says what kept a ready operation from starting; another tool's does not.
bool waited_for_engine(const Span& span) {
  if (span.reason == WaitReason::engine) return true;
  return span.reason == WaitReason::none && span.source == trace::Source::cupti && span.kind != OperationKind::kernel;
}

}  // namespace

std::vector<Slice> cut(Nanoseconds from, Nanoseconds to, std::vector<Holder> holders) {
  const auto less = [&](std::size_t a, std::size_t b) {
    if (holders[a].until != holders[b].until) return holders[a].until < holders[b].until;
    return holders[a].by > holders[b].by;
  };
  std::ranges::sort(holders, {}, &Holder::from);
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(less)> active(less);
  std::vector<Slice> all;
  std::size_t next = 0;
  for (Nanoseconds at = from; at < to;) {
    while (next < holders.size() && holders[next].from <= at) active.push(next++);
    while (!active.empty() && holders[active.top()].until <= at) active.pop();
    const Nanoseconds begins = next < holders.size() ? holders[next].from : to;
    if (active.empty()) {
      at = std::min(begins, to);
      continue;
    }
    const Holder& holder = holders[active.top()];
    const Nanoseconds until = std::min({holder.until, begins, to});
    append(all, {at, until, holder.cause, holder.by, holder.certain});
    at = until;
  }
  return all;
}

std::vector<Holder> holders(const History& history, OperationIndex i, Nanoseconds from) {
  const Span& span = history.span(i);
  const Release& release = history.release(i);
  const Nanoseconds ready = std::clamp(known(span.ready) ? span.ready : history.ready(i), from, span.start);
  std::vector<Holder> all;
  if (known(release.at)) all.push_back({from, std::min(release.at, span.start), release.cause, release.by});
  const bool queued = span.reason == WaitReason::queue && span.waits_for < history.size();
  const OperationIndex ahead = queued ? span.waits_for : history.queue_place(i).ahead;
  if (ahead != kNoOperation) {
    const Nanoseconds left = history.span(ahead).start;
    if (known(left)) all.push_back({from, std::min(left, span.start), WaitCause::queue, ahead, queued});
  }
  if (waited_for_engine(span)) {
    std::vector<Holder> found = occupants(history, i, ready);
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

std::vector<Slice> slices(const History& history, OperationIndex i) {
  const Span& span = history.span(i);
  const Nanoseconds issued = history.issued(i);
  if (!history.executes(i) || !known(issued) || issued >= span.start) return {};
  const Release& release = history.release(i);

  // What nobody holds is what the hand-over from one to the next takes; longer than usual, it is unexplained.
  std::vector<Slice> all;
  const Nanoseconds by_order = release.handed_over;
  const auto nobody = [&](Nanoseconds from, Nanoseconds to, const Slice* before) {
    Nanoseconds usual_until = by_order;
    if (known(by_order) && before != nullptr && before->by != kNoOperation && before->cause != release.cause) {
      const Span& by = history.span(before->by);
      const Nanoseconds usual = usual_hand_over(history.trace(), &by, before->cause, span);
      if (known(usual)) usual_until = std::max(by_order, from + usual + span.start_uncertainty + by.uncertainty);
    }
    const Nanoseconds until = known(usual_until) ? std::clamp(usual_until, from, to) : to;
    append(all, {from, until, WaitCause::hand_over, kNoOperation, known(usual_until)});
    append(all, {until, to, WaitCause::unexplained, kNoOperation, true});
  };
  Nanoseconds at = issued;
  Slice before;
  bool any = false;
  for (const Slice& held : cut(issued, span.start, holders(history, i, issued))) {
    if (held.from > at) nobody(at, held.from, any ? &before : nullptr);
    append(all, held);
    before = held;
    any = true;
    at = held.to;
  }
  if (at < span.start) nobody(at, span.start, any ? &before : nullptr);
  return all;
}

}  // namespace streamscope::verdict
