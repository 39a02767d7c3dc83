#include "engine/verdict/causes.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "engine/analysis/stage_times.h"
#include "engine/base/translate.h"
#include "engine/verdict/call_slices.h"
#include "engine/verdict/touched.h"

namespace streamscope::verdict {
namespace {

using trace::Span;

constexpr std::size_t kCauses = kNames<Cause>.size();
constexpr std::array<std::string_view, kCauses> kTitles{
    tr_later("A failed kernel"),
    tr_later("Missing order"),
    tr_later("Pageable copies"),
    tr_later("Implicit synchronisation"),
    tr_later("The driver's lock"),
    tr_later("The legacy default stream"),
    tr_later("The host waits"),
    tr_later("Full launch queue"),
    tr_later("The host is late"),
    tr_later("A needless event"),
    tr_later("An event recorded late"),
    tr_later("Launches of one graph"),
    tr_later("Reused memory"),
    tr_later("Page migration"),
    tr_later("Access over the bus"),
    tr_later("No peer access"),
    tr_later("One copy engine for both ways"),
    tr_later("Order of issue"),
    tr_later("Short operations"),
    tr_later("One after the other"),
    tr_later("Priority"),
    tr_later("Full multiprocessors"),
    tr_later("Waiting for tiles"),
    tr_later("Divergent copies"),
    tr_later("Large chunks"),
    tr_later("At the bound"),
    tr_later("A busy engine"),
    tr_later("Unexplained"),
};

bool is_copy(const Span& span) { return span.kind == OperationKind::h2d || span.kind == OperationKind::d2h; }

// The ranges that an operation works on.
std::vector<program::Range> ranges_of(const program::Program& program, const program::Work& work) {
  if (const auto* copy = std::get_if<program::op::Copy>(&work)) return {copy->host, copy->device};
  if (const auto* kernel = std::get_if<program::op::Kernel>(&work)) return program::ranges_of(program, *kernel);
  if (const auto* memset = std::get_if<program::op::Memset>(&work)) return {memset->range};
  if (const auto* within = std::get_if<program::op::CopyOnDevice>(&work)) return {within->to, within->from};
  if (const auto* peer = std::get_if<program::op::PeerCopy>(&work)) return {peer->to, peer->from};
  if (const auto* prefetch = std::get_if<program::op::Prefetch>(&work)) return {prefetch->range};
  return {};
}

// Whether one may need what the other leaves behind: they touch the same bytes, or one is a host function, which may
// touch anything. Without a program nothing is known, so they may.
bool may_share_data(const History& history, OperationIndex a, OperationIndex b) {
  if (history.program() == nullptr) return true;
  const auto& operations = history.program()->operations;
  for (const OperationIndex i : {a, b}) {
    if (std::holds_alternative<program::op::HostFunction>(operations[i].work)) return true;
  }
  const std::vector<program::Range> others = ranges_of(*history.program(), operations[b].work);
  for (const program::Range& one : ranges_of(*history.program(), operations[a].work)) {
    for (const program::Range& other : others) {
      const bool meet = one.buffer == other.buffer && one.bytes > 0 && other.bytes > 0 &&
                        one.offset < other.offset + other.bytes && other.offset < one.offset + one.bytes;
      if (meet) return true;
    }
  }
  return false;
}

class Search {
 public:
  explicit Search(const Judgement& judgement)
      : judgement_(judgement),
        history_(judgement.history),
        calls_(judgement.history),
        staged_(staged_peer_copies(judgement.history.program())) {
    for (OperationIndex i = 0; i < history_.size(); ++i) {
      const Span& span = history_.span(i);
      if (span.kind == OperationKind::free && history_.in_stream(i) && known(span.end)) freed_.push_back(i);
    }
    for (const trace::StageBlock& block : history_.trace().stages.blocks) {
      const analysis::BlockTime its = analysis::block_time(block);
      analysis::BlockTime& all = tile_times_[block.operation];
      all.working += its.working;
      all.waiting += its.waiting;
    }
  }

  std::vector<Evidence> run() {
    const std::vector<Piece>& pieces = judgement_.path.pieces;
    for (std::size_t at = 0; at < pieces.size(); ++at) {
      look_at(pieces[at], at > 0 ? &pieces[at - 1] : nullptr, at + 1 < pieces.size() ? &pieces[at + 1] : nullptr);
    }
    look_at_chunks();
    std::vector<Evidence> out;
    for (std::size_t cause = 0; cause < kCauses; ++cause) {
      if (found_[cause].time <= 0) continue;
      out.push_back(std::move(found_[cause]));
      out.back().cause = static_cast<Cause>(cause);
    }
    return out;
  }

 private:
  void add(Cause cause, const Piece& piece) {
    Evidence& its = found_[static_cast<std::size_t>(cause)];
    its.time += piece.to - piece.from;
    if (piece.operation == kNoOperation) return;
    if (its.operations.empty() || its.operations.back() != piece.operation) its.operations.push_back(piece.operation);
  }

  void look_at(const Piece& piece, const Piece* before, const Piece* next) {
    if (piece.operation == kNoOperation) return add(Cause::unexplained, piece);
    switch (piece.kind) {
      case PieceKind::execution:
        execution(piece);
        held(piece, next);
        break;
      case PieceKind::hand_over:
        hand_over(piece, before);
        held(piece, next);
        break;
      case PieceKind::unexplained: return add(waited_for_memory(piece) ? Cause::pool_reuse : Cause::unexplained, piece);
      case PieceKind::wait: return;  // the gate, asked for
      case PieceKind::wake: return woke(piece);
      case PieceKind::call: return call(piece);
      case PieceKind::work:
      case PieceKind::between_calls:
      case PieceKind::thread_start:
        if (touched(history_, piece.operation).pageable) return add(Cause::pageable_copy, piece);
        // The host touches pages that come to it.
        if (piece.kind == PieceKind::work && touched(history_, piece.operation).managed)
          return add(Cause::page_migration, piece);
        return late(piece);
    }
    after_ = Cause::host_late;  // what the host does behind device work, unless it had waited for it
  }

  // The call came back from its wait. Without it what the host does next would come earlier by as much as it took, and
  // no more.
  void woke(const Piece& piece) {
    const Span& span = history_.span(piece.operation);
    after_ = woken(piece.operation);
    brought_forward_ = std::max<Nanoseconds>(0, span.host_end - span.host_begin);
    Piece waited = piece;
    // Nobody asked for that wait: all of it.
    if (after_ == Cause::implicit_sync) waited.from = std::max(span.host_begin, judgement_.path.pieces.front().from);
    add(after_, waited);
  }

  // What the host does while the device has nothing.
  void late(const Piece& piece) {
    Piece first = piece, rest = piece;
    first.to = after_ == Cause::host_late ? piece.from : std::min(piece.to, piece.from + brought_forward_);
    brought_forward_ -= first.to - first.from;
    rest.from = first.to;
    if (first.to > first.from) add(after_, first);
    if (rest.to <= rest.from) return;
    const bool small = piece.kind == PieceKind::call && takes_longer_than_its_copy(piece.operation);
    (small ? small_calls_ : late_).push_back(rest);
  }

  // Whether an operation behind an allocation in its stream started when another stream gave memory back. That the
  // driver made it wait for that is not told by any call.
  bool waited_for_memory(const Piece& piece) const {
    const Span& span = history_.span(piece.operation);
    const bool took = std::ranges::any_of(history_.behind(piece.operation), [&](const program::Dependency& one) {
      return history_.span(one.on).kind == OperationKind::malloc && history_.in_stream(one.on);
    });
    if (!took) return false;
    return std::ranges::any_of(freed_, [&](OperationIndex i) {
      const Span& other = history_.span(i);
      const Nanoseconds doubt = Nanoseconds{span.start_uncertainty} + other.uncertainty;
      return other.stream != span.stream && other.end > piece.from && std::abs(other.end - piece.to) <= doubt;
    });
  }

  // As long as one usually takes. What is beyond that and within the doubts may be execution: kernels that reach over
  // the bus slow the copies beside them, whose starts are not known then.
  void hand_over(const Piece& piece, const Piece* before) {
    const Span& span = history_.span(piece.operation);
    const bool has_source = before != nullptr && before->operation != kNoOperation;
    const Span* const from = has_source ? &history_.span(before->operation) : nullptr;
    const Nanoseconds usual = usual_hand_over(history_.trace(), from, piece.cause, span);
    Piece its = piece, doubtful = piece;
    if (known(usual)) its.to = std::min(piece.to, piece.from + usual);
    hand_overs_.push_back(its);
    doubtful.from = its.to;
    if (doubtful.from >= doubtful.to) return;
    if (waited_for_memory(piece)) add(Cause::pool_reuse, doubtful);
    if (!is_copy(span)) return;
    std::vector<OperationIndex> beside;
    history_.during(span.device, Unit::kernels, piece.operation, doubtful.from, doubtful.to, kMostOccupants, beside);
    const auto any = [&](bool Touched::*what) {
      return std::ranges::any_of(beside, [&](OperationIndex i) { return touched(history_, i).*what; });
    };
    if (any(&Touched::mapped)) add(Cause::mapped_access, doubtful);
    if (any(&Touched::managed)) add(Cause::page_migration, doubtful);
  }

  // Each part of a call by what held it.
  void call(const Piece& piece) {
    const bool staged = touched(history_, piece.operation).pageable;
    Nanoseconds at = piece.from;
    const auto part = [&](std::optional<Cause> cause, Nanoseconds until) {
      until = std::clamp(until, at, piece.to);
      const Piece its{piece.kind, piece.operation, piece.cause, at, until};
      if (until > at && cause) add(*cause, its);
      if (until > at && !cause) late(its);
      at = until;
    };
    const std::optional<Cause> else_for = staged ? std::optional(Cause::pageable_copy) : std::nullopt;
    for (const CallSlice& slice : calls_.slices(piece.operation)) {
      if (slice.to <= at) continue;
      const bool full = slice.cause == CallCause::queue_full;
      const bool locked = slice.cause == CallCause::driver_lock && holds_the_driver(slice.by);
      part(full     ? std::optional(Cause::launch_queue_full)
           : locked ? std::optional(Cause::driver_lock)
                    : else_for,
           slice.to);
    }
    part(else_for, piece.to);
  }

  bool takes_longer_than_its_copy(OperationIndex i) const {
    const Span& span = history_.span(i);
    return is_copy(span) && span.bytes > 0 && known(judgement_.isolated[i].duration) &&
           span.host_end - span.host_begin > judgement_.isolated[i].duration;
  }

  // Short calls of two threads take turns as well, which is host-late.
  bool holds_the_driver(OperationIndex i) const {
    const OperationKind kind = history_.span(i).kind;
    return may_wait_unasked(kind) || touched(history_, i).pageable;
  }

  // What a call that waited stands for.
  Cause woken(OperationIndex i) const {
    const Span& span = history_.span(i);
    if (may_wait_unasked(span.kind)) return Cause::implicit_sync;
    if (touched(history_, i).pageable) return Cause::pageable_copy;
    return span.kind == OperationKind::join ? Cause::host_late : Cause::host_sync;
  }

  void execution(const Piece& piece) {
    const Touched memory = touched(history_, piece.operation);
    if (memory.pageable) add(Cause::pageable_copy, piece);
    if (memory.mapped) add(Cause::mapped_access, piece);
    if (memory.managed) add(Cause::page_migration, piece);
    if (staged_.contains(piece.operation)) add(Cause::peer_staged, piece);
    const Span& span = history_.span(piece.operation);
    if (is_copy(span) && span.bytes > 0) copies_.push_back(piece);
    if (span.kind == OperationKind::kernel) tiles(piece);
  }

  // A kernel that copies its data tile by tile: as much of its time as its blocks waited, where they recorded that.
  void tiles(const Piece& piece) {
    if (value_of(piece.operation, "diverge").value_or(1) > 1) add(Cause::divergence, piece);
    if (!value_of(piece.operation, "stages") && !value_of(piece.operation, "buffers")) return;
    Piece waited = piece;
    if (const auto found = tile_times_.find(piece.operation); found != tile_times_.end()) {
      const auto [working, waiting] = found->second;
      const double share =
          static_cast<double>(waiting) / static_cast<double>(std::max<Nanoseconds>(1, working + waiting));
      waited.to = piece.from + static_cast<Nanoseconds>(share * static_cast<double>(piece.to - piece.from));
    }
    add(Cause::tile_stages, waited);
  }

  // Of an option of a kernel; nothing where it has none of that name.
  std::optional<std::int64_t> value_of(OperationIndex i, std::string_view key) const {
    if (history_.program() == nullptr) return std::nullopt;
    const auto* const launch = std::get_if<program::op::Kernel>(&history_.program()->operations[i].work);
    if (launch == nullptr) return std::nullopt;
    const kernels::Choice& kernel = history_.program()->kernels[launch->kernel];
    const auto found = std::ranges::find(kernel.kernel->options, key, &kernels::Option::key);
    if (found == kernel.kernel->options.end()) return std::nullopt;
    return kernel.values[static_cast<std::size_t>(found - kernel.kernel->options.begin())];
  }

  // As what a piece held the next one.
  void held(const Piece& piece, const Piece* next) {
    if (next == nullptr || next->operation == kNoOperation) return;
    const Span& mine = history_.span(piece.operation);
    const Span& its = history_.span(next->operation);
    switch (piece.cause) {
      case WaitCause::legacy: return add(Cause::legacy_barrier, piece);
      case WaitCause::event:
        // Which of the two, only a change tells.
        add(Cause::event_needless, piece);
        return add(Cause::event_late, piece);
      case WaitCause::pool: {
        // All that its stream did before it gave the memory back.
        Piece waited = piece;
        for (const Slice& slice : held_before_start(history_, next->operation)) {
          if (slice.cause == WaitCause::pool) waited.from = std::min(waited.from, slice.from);
        }
        return add(Cause::pool_reuse, waited);
      }
      case WaitCause::other_direction: return add(Cause::copy_engine_shared, piece);
      case WaitCause::priority: return add(Cause::priority, piece);
      case WaitCause::blocks:
        // The blocks that are still to come could wait for those of a more urgent stream.
        add(Cause::priority, piece);
        return add(Cause::sm_full, piece);
      case WaitCause::room: return add(Cause::sm_full, piece);
      case WaitCause::graph:
        if (mine.launch != its.launch) return add(Cause::graph_serial, piece);
        // Captured from one stream.
        if (mine.engine != its.engine && !may_share_data(history_, piece.operation, next->operation))
          add(Cause::one_stream, piece);
        return;
      case WaitCause::engine:
      case WaitCause::queue: return add(Cause::issue_order, piece);
      case WaitCause::stream:
        // What needs the other's result would wait for it in any stream; and the host waits for what it asked for.
        if (history_.executes(next->operation) && !may_share_data(history_, piece.operation, next->operation))
          add(Cause::one_stream, piece);
        return;
      default: return;
    }
  }

  void look_at_chunks() {
    // Where it takes as long from one to the next, or to ask for them, as to carry them out.
    const auto tells = [&](const std::vector<Piece>& all) {
      Nanoseconds time = 0;
      for (const Piece& piece : all) time += piece.to - piece.from;
      return 3 * time > judgement_.makespan;
    };
    const auto add_all = [&](Cause cause, const std::vector<Piece>& all) {
      for (const Piece& piece : all) add(cause, piece);
    };
    if (tells(hand_overs_)) add_all(Cause::chunks_too_small, hand_overs_);
    add_all(tells(small_calls_) ? Cause::chunks_too_small : Cause::host_late, small_calls_);
    add_all(Cause::host_late, late_);
    // Of a copy that has only its bytes to move, at the best rate at which a larger one was seen to.
    std::ranges::stable_sort(copies_, std::greater{},
                             [&](const Piece& one) { return history_.span(one.operation).bytes; });
    double best = 0;
    for (const Piece& piece : copies_) {
      best = std::max(best, rate(piece.operation));
      if (rate(piece.operation) >= best / 2) continue;
      Piece set_up = piece;
      set_up.to = piece.from + static_cast<Nanoseconds>((1 - rate(piece.operation) / best) *
                                                        static_cast<double>(piece.to - piece.from));
      add(Cause::chunks_too_small, set_up);
    }
    const Bound* const bound = binding(judgement_);
    if (bound == nullptr || bound->kind != BoundKind::engine || judgement_.path.pieces.empty()) return;
    Nanoseconds first = kAbsent, last = kAbsent;
    for (const Unit unit : {Unit::h2d, Unit::d2h, Unit::within_device, Unit::kernels}) {
      for (const OperationIndex i : history_.executed(bound->engine.device, unit)) {
        const Span& span = history_.span(i);
        if (span.engine != bound->engine.engine) continue;
        first = known(first) ? std::min(first, span.start) : span.start;
        last = std::max(last, span.end);
      }
    }
    if (!known(first)) return;
    const Piece fill{PieceKind::execution, kNoOperation, WaitCause::hand_over, judgement_.path.pieces.front().from,
                     first};
    const Piece drain{PieceKind::execution, kNoOperation, WaitCause::hand_over, last, judgement_.path.pieces.back().to};
    if (5 * (fill.to - fill.from + drain.to - drain.from) <= judgement_.makespan) return;
    add(Cause::chunks_too_large, fill);
    add(Cause::chunks_too_large, drain);
  }

  double rate(OperationIndex i) const {
    const Nanoseconds time = std::max<Nanoseconds>(1, judgement_.isolated[i].duration);
    return static_cast<double>(history_.span(i).bytes) / static_cast<double>(time);
  }

  const Judgement& judgement_;
  const History& history_;
  const Calls calls_;
  const std::set<OperationIndex> staged_;
  std::map<OperationIndex, analysis::BlockTime> tile_times_;
  std::array<Evidence, kCauses> found_;
  std::vector<Piece> copies_;
  std::vector<OperationIndex> freed_;  // memory, in a stream
  std::vector<Piece> hand_overs_;      // on the path, each as long as one usually takes
  std::vector<Piece> small_calls_;     // of the host when it is late, of copies that take less time than their calls
  std::vector<Piece> late_;            // the rest of what the host does then
  Cause after_ = Cause::host_late;
  Nanoseconds brought_forward_ = 0;  // what is left of that
};

}  // namespace

std::string_view name(Cause cause) { return kNames<Cause>[static_cast<std::size_t>(cause)]; }
std::string title(Cause cause) { return std::string(tr(kTitles[static_cast<std::size_t>(cause)])); }

std::vector<Evidence> evidence(const Judgement& judgement) { return Search(judgement).run(); }

}  // namespace streamscope::verdict
