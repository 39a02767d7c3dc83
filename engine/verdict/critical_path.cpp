#include "engine/verdict/critical_path.h"

#include <algorithm>

namespace streamscope::verdict {
namespace {

using trace::Span;

Release last_call_joined(const History& history, OperationIndex i) {
  if (history.program() == nullptr) return {};
  const auto* const join = std::get_if<program::op::JoinThread>(&history.program()->operations[i].work);
  if (join == nullptr || join->thread.value >= history.calls().size()) return {};
  const std::vector<OperationIndex>& thread = history.calls()[join->thread.value];
  if (thread.empty()) return {};
  return {.at = history.span(thread.back()).host_end, .by = thread.back(), .cause = WaitCause::stream};
}

class Walk {
 public:
  Walk(const History& history, Nanoseconds from, Nanoseconds to)
      : history_(history), from_(from), at_(to), executed_(history.size(), false), called_(history.size(), false) {}

  // Each step goes on to the execution or the call of another operation, none twice.
  Path back_from_execution(OperationIndex i) {
    Step step{i, true, WaitCause::hand_over};
    while (at_ > from_ && step.operation != kNoOperation) step = step.device ? execution(step) : call(step);
    return finish();
  }
  Path back_from_call(OperationIndex i) {
    Step step{i, false, WaitCause::hand_over};
    while (at_ > from_ && step.operation != kNoOperation) step = step.device ? execution(step) : call(step);
    return finish();
  }

 private:
  struct Step {
    OperationIndex operation = kNoOperation;
    bool device = false;
    WaitCause cause = WaitCause::hand_over;  // by which it released what was gone through before
  };

  void piece(PieceKind kind, OperationIndex operation, WaitCause cause, Nanoseconds from) {
    from = std::max(from, from_);
    if (from >= at_) return;
    pieces_.push_back({kind, operation, cause, from, at_});
    at_ = from;
  }

  Step execution(const Step& step) {
    const OperationIndex i = step.operation;
    if (executed_[i]) return {};
    executed_[i] = true;
    const Span& span = history_.span(i);
    if (!known(span.start)) return {};
    piece(history_.executes(i) ? PieceKind::execution : PieceKind::hand_over, i, step.cause, span.start);
    const std::vector<Slice> held = held_before_start(history_, i);
    if (held.empty()) {
      const OperationIndex call = span.launch != kNoOperation ? span.launch : i;
      hand_over(i, WaitCause::hand_over, known(span.host_end) ? std::min(span.host_end, span.start) : span.start,
                nullptr);
      return {history_.span(call).host_begin == kAbsent ? kNoOperation : call, false, WaitCause::hand_over};
    }
    const Slice& last = held.back();
    const Span* const by = last.by == kNoOperation ? nullptr : &history_.span(last.by);
    hand_over(i, last.cause, last.to, by);
    note_ties(i, last);
    if (by == nullptr) {
      // The gate opens when all is issued: what the host did until then.
      piece(PieceKind::wait, i, WaitCause::gate, held.front().from);
      return {span.launch != kNoOperation ? span.launch : i, false, WaitCause::gate};
    }
    return {last.by, history_.in_stream(last.by), last.cause};
  }

  // What came to be released at that time and had not started yet.
  void hand_over(OperationIndex i, WaitCause cause, Nanoseconds released, const Span* by) {
    if (released >= at_) return;
    Nanoseconds usual_until = history_.release(i).handed_over;
    if (known(usual_until)) {
      const Span& span = history_.span(i);
      const Nanoseconds usual = usual_hand_over(history_.trace(), by, cause, span);
      const Nanoseconds doubt = Nanoseconds{span.start_uncertainty} + (by == nullptr ? 0 : by->uncertainty);
      if (known(usual)) usual_until = std::max(usual_until, released + usual + doubt);
      piece(PieceKind::unexplained, i, cause, std::max(released, usual_until));
    }
    piece(PieceKind::hand_over, i, cause, released);
  }

  void note_ties(OperationIndex i, const Slice& last) {
    if (pieces_.empty()) return;
    const auto doubt = [&](OperationIndex op) {
      return op == kNoOperation ? Nanoseconds{0} : Nanoseconds{history_.span(op).uncertainty};
    };
    for (const program::Dependency& other : history_.behind(i)) {
      if (other.on == last.by || !history_.executes(other.on)) continue;
      const Nanoseconds apart = last.to - history_.span(other.on).end;
      if (apart >= 0 && apart <= doubt(last.by) + doubt(other.on)) {
        ties_.push_back({static_cast<std::uint32_t>(pieces_.size() - 1), other.on});
      }
    }
  }

  Step call(const Step& step) {
    const OperationIndex i = step.operation;
    if (called_[i]) return {};
    const Span& span = history_.span(i);
    // It has returned before, and what came of it came later.
    if (known(span.host_end) && span.host_end < at_) piece(PieceKind::hand_over, i, step.cause, span.host_end);
    // What it waited for before it returned.
    const Release waited = awaited(history_, i);
    const bool own = waited.by == i;
    if (known(waited.at) && waited.at > span.host_begin && waited.at <= at_ && !(own && executed_[i])) {
      piece(PieceKind::wake, i, waited.cause, waited.at);
      if (own) return {i, true, waited.cause};  // and then back to the begin of the call
      called_[i] = true;
      return {waited.by, span.kind != OperationKind::join && history_.in_stream(waited.by), waited.cause};
    }
    called_[i] = true;
    const bool works = span.kind == OperationKind::work || span.kind == OperationKind::touch;
    piece(works ? PieceKind::work : PieceKind::call, i, WaitCause::hand_over, span.host_begin);
    if (span.thread >= history_.calls().size()) return {};
    const std::vector<OperationIndex>& thread = history_.calls()[span.thread];
    const std::uint32_t place = history_.place(i);
    if (place > 0) {
      const OperationIndex before = thread[place - 1];
      piece(PieceKind::between_calls, i, WaitCause::hand_over, history_.span(before).host_end);
      return {before, false, WaitCause::hand_over};
    }
    // A thread's operations follow the call that started it.
    if (span.thread == 0 || i == 0 || history_.span(i - 1).kind != OperationKind::thread) return {};
    piece(PieceKind::thread_start, i, WaitCause::hand_over, history_.span(i - 1).host_end);
    return {i - 1, false, WaitCause::hand_over};
  }

  Path finish() {
    piece(PieceKind::unexplained, kNoOperation, WaitCause::unexplained, from_);
    const auto count = static_cast<std::uint32_t>(pieces_.size());
    for (Tie& tie : ties_) tie.piece = count - 1 - tie.piece;
    std::ranges::reverse(pieces_);
    std::ranges::reverse(ties_);
    return {std::move(pieces_), std::move(ties_)};
  }

  const History& history_;
  const Nanoseconds from_;
  Nanoseconds at_;
  std::vector<bool> executed_, called_;
  std::vector<Piece> pieces_;
  std::vector<Tie> ties_;
};

}  // namespace

std::vector<Slice> held_before_start(const History& history, OperationIndex i) {
  const Span& span = history.span(i);
  // Where the call had not returned yet, it is not known when in it the operation was issued.
  const Nanoseconds called = known(span.host_begin) ? std::min(span.host_begin, span.start) : span.start;
  Nanoseconds issued = known(span.host_end) && span.host_end <= span.start ? span.host_end : called;
  // Other tools do not know of the call: then only what the operation came behind is left to follow.
  const Nanoseconds released = history.release(i).at;
  if (!known(span.host_begin) && known(released)) issued = std::min(released, span.start) - 1;
  return cut(issued, span.start, holders(history, i, issued));
}

Release awaited(const History& history, OperationIndex i) {
  const Span& span = history.span(i);
  if (history.executes(i)) {
    const bool waits = history.call_waits(i) && span.launch == kNoOperation && span.end <= span.host_end;
    return waits ? Release{.at = span.end, .by = i, .cause = WaitCause::stream} : Release{};
  }
  if (span.kind == OperationKind::join) return last_call_joined(history, i);
  if (history.in_stream(i)) return {};  // a record, a wait or a launch: its call waits for nothing
  // That a call which allocates or frees waited is no promise of CUDA: the trace says so.
  const bool unasked = may_wait_unasked(span.kind);
  if (unasked && span.reason == trace::WaitReason::host && span.waits_for < history.size()) {
    const OperationIndex on = span.waits_for;
    if (history.executes(on)) return {.at = history.span(on).end, .by = on, .cause = WaitCause::stream};
    return history.release(on).by == kNoOperation ? Release{} : history.release(on);
  }
  const Release& release = history.release(i);
  return release.by == kNoOperation ? Release{} : release;
}

Path critical_path(const History& history) {
  OperationIndex last = kNoOperation;
  Nanoseconds first = kAbsent;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    const Span& span = history.span(i);
    if (!history.executes(i) || !trace::device_work(span)) continue;
    if (!known(first) || span.start < first) first = span.start;
    if (last == kNoOperation || span.end > history.span(last).end) last = i;
  }
  if (last == kNoOperation) return {};
  return Walk(history, first, history.span(last).end).back_from_execution(last);
}

Path wall_path(const History& history) {
  const std::vector<OperationIndex>& main = history.calls().front();
  if (main.empty()) return {};
  const OperationIndex last = main.back();
  return Walk(history, 0, history.span(last).host_end).back_from_call(last);
}

}  // namespace streamscope::verdict
