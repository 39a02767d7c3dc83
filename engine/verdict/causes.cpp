#include "engine/verdict/causes.h"

#include <algorithm>
#include <array>

namespace streamscope::verdict {
namespace {

using program::HostMemory;
using trace::Span;

constexpr std::size_t kCauses = kNames<Cause>.size();

// The memory on the other side of the bus that an operation works on; none where the program does not say.
struct Touched {
  bool pageable = false, mapped = false, managed = false;
};

Touched touched(const History& history, OperationIndex i) {
  if (history.program() == nullptr) return {};
  const program::Program& program = *history.program();
  Touched out;
  const auto add = [&](const program::Range& range) {
    if (range.bytes == 0) return;
    const HostMemory memory = program.buffers[range.buffer.value].host;
    out.mapped = out.mapped || memory == HostMemory::mapped;
    out.managed = out.managed || memory == HostMemory::managed;
  };
  const program::Work& work = program.operations[i].work;
  if (const auto* copy = std::get_if<program::op::Copy>(&work)) {
    out.pageable = program::host_memory(program, *copy) == HostMemory::pageable;
  } else if (const auto* kernel = std::get_if<program::op::Kernel>(&work)) {
    add(kernel->range);
    add(kernel->from);
  } else if (const auto* memset = std::get_if<program::op::Memset>(&work)) {
    add(memset->range);
  } else if (const auto* within = std::get_if<program::op::CopyOnDevice>(&work)) {
    add(within->from);
    add(within->to);
  } else if (const auto* touch = std::get_if<program::op::Touch>(&work)) {
    add(touch->range);
  }
  return out;
}

bool is_copy(const Span& span) { return span.kind == OperationKind::h2d || span.kind == OperationKind::d2h; }

// The ranges that an operation works on.
std::vector<program::Range> ranges_of(const program::Work& work) {
  if (const auto* copy = std::get_if<program::op::Copy>(&work)) return {copy->host, copy->device};
  if (const auto* kernel = std::get_if<program::op::Kernel>(&work)) return {kernel->range, kernel->from};
  if (const auto* memset = std::get_if<program::op::Memset>(&work)) return {memset->range};
  if (const auto* within = std::get_if<program::op::CopyOnDevice>(&work)) return {within->to, within->from};
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
  const std::vector<program::Range> others = ranges_of(operations[b].work);
  for (const program::Range& one : ranges_of(operations[a].work)) {
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
  explicit Search(const Judgement& judgement) : judgement_(judgement), history_(judgement.history) {}

  std::vector<Evidence> run() {
    const std::vector<Piece>& pieces = judgement_.path.pieces;
    for (std::size_t at = 0; at < pieces.size(); ++at) {
      look_at(pieces[at], at + 1 < pieces.size() ? &pieces[at + 1] : nullptr);
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

  void look_at(const Piece& piece, const Piece* next) {
    if (piece.operation == kNoOperation) return add(Cause::unexplained, piece);
    switch (piece.kind) {
      case PieceKind::execution:
        execution(piece);
        held(piece, next);
        break;
      case PieceKind::hand_over:
        handed_over_ += piece.to - piece.from;
        held(piece, next);
        break;
      case PieceKind::unexplained: return add(Cause::unexplained, piece);
      case PieceKind::wait: return;  // the gate, asked for
      case PieceKind::wake: {
        after_ = woken(piece.operation);
        return add(after_, piece);
      }
      case PieceKind::call:
      case PieceKind::work:
      case PieceKind::between_calls:
      case PieceKind::thread_start:
        if (touched(history_, piece.operation).pageable) return add(Cause::pageable_copy, piece);
        return add(after_, piece);
    }
    after_ = Cause::host_late;  // what the host does behind device work, unless it had waited for it
  }

  // What a call that waited stands for.
  Cause woken(OperationIndex i) const {
    const Span& span = history_.span(i);
    if (span.kind == OperationKind::malloc || span.kind == OperationKind::free) return Cause::implicit_sync;
    if (touched(history_, i).pageable) return Cause::pageable_copy;
    return span.kind == OperationKind::join ? Cause::host_late : Cause::host_sync;
  }

  void execution(const Piece& piece) {
    const Touched memory = touched(history_, piece.operation);
    if (memory.pageable) add(Cause::pageable_copy, piece);
    if (memory.mapped) add(Cause::mapped_access, piece);
    if (memory.managed) add(Cause::page_migration, piece);
    const Span& span = history_.span(piece.operation);
    if (is_copy(span) && span.bytes > 0) copies_.push_back(piece);
  }

  // As what a piece held the next one.
  void held(const Piece& piece, const Piece* next) {
    if (next == nullptr || next->operation == kNoOperation) return;
    const Span& mine = history_.span(piece.operation);
    const Span& its = history_.span(next->operation);
    switch (piece.cause) {
      case WaitCause::legacy: return add(Cause::legacy_barrier, piece);
      case WaitCause::event: return add(Cause::event_late, piece);
      case WaitCause::pool: return add(Cause::pool_reuse, piece);
      case WaitCause::other_direction: return add(Cause::copy_engine_shared, piece);
      case WaitCause::priority: return add(Cause::priority, piece);
      case WaitCause::blocks:
      case WaitCause::room: return add(Cause::sm_full, piece);
      case WaitCause::graph:
        if (mine.launch != its.launch) add(Cause::graph_serial, piece);
        return;
      case WaitCause::engine:
      case WaitCause::queue: return add(Cause::issue_order, piece);
      case WaitCause::stream:
        // What needs the other's result would wait for it in any stream.
        if (!may_share_data(history_, piece.operation, next->operation)) add(Cause::one_stream, piece);
        return;
      default: return;
    }
  }

  void look_at_chunks() {
    // Where it takes as long from one to the next as to carry them out.
    if (3 * handed_over_ > judgement_.makespan) {
      for (const Piece& piece : judgement_.path.pieces) {
        if (piece.kind == PieceKind::hand_over) add(Cause::chunks_too_small, piece);
      }
    }
    // Of a copy that has only its bytes to move, at the best rate seen.
    double best = 0;
    for (const Piece& piece : copies_) best = std::max(best, rate(piece.operation));
    if (best > 0) {
      for (const Piece& piece : copies_) {
        if (rate(piece.operation) < best / 2) add(Cause::chunks_too_small, piece);
      }
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
  std::array<Evidence, kCauses> found_;
  std::vector<Piece> copies_;
  Nanoseconds handed_over_ = 0;
  Cause after_ = Cause::host_late;
};

}  // namespace

std::string_view name(Cause cause) { return kNames<Cause>[static_cast<std::size_t>(cause)]; }

std::vector<Evidence> evidence(const Judgement& judgement) { return Search(judgement).run(); }

}  // namespace streamscope::verdict
