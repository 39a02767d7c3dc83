// What a run's time was made of: a walk back from its end, each time to what released the operation at hand last.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/verdict/slices.h"

namespace streamscope::verdict {

enum class PieceKind : std::uint8_t {
  execution,      // the operation is carried out
  hand_over,      // nothing held it any more, and it had not started yet
  call,           // the host's call for it
  work,           // the host thread computes
  wait,           // the gate is closed
  wake,           // what the host waited for is done, and its call has not returned yet
  between_calls,  // the host is between the call before and this one
  thread_start,   // the thread was started, and its first call has not begun yet
  unexplained,
};

struct Piece {
  PieceKind kind = PieceKind::execution;
  OperationIndex operation = kNoOperation;
  // Of an execution: as what it held the one that follows on the path; of a hand-over: what was over when it began.
  WaitCause cause = WaitCause::hand_over;
  Nanoseconds from = 0, to = 0;
  friend bool operator==(const Piece&, const Piece&) = default;
};

// An operation whose release was no further from that of the one that was followed than their doubts.
struct Tie {
  std::uint32_t piece = 0;  // index into Path::pieces: of the one that both released
  OperationIndex operation = kNoOperation;
  friend bool operator==(const Tie&, const Tie&) = default;
};

// Pieces in order of time, each from the end of the one before.
struct Path {
  std::vector<Piece> pieces;
  std::vector<Tie> ties;
};

// What held an operation from its issue to its start, which must be known. A walk back goes on to the last of them;
// empty: nothing did, so the host issued it last.
std::vector<Slice> held_before_start(const History& history, OperationIndex i);

// What a call came back behind, if it waited for something: the end of device work, or the return of the last call of a
// thread that was joined.
Release awaited(const History& history, OperationIndex i);

// From the start of the first device work to the end of the last: the makespan.
Path critical_path(const History& history);
// From the run's begin (time 0) to the main thread's last return: the wall time.
Path wall_path(const History& history);

}  // namespace streamscope::verdict

template <>
inline constexpr streamscope::NameTable<9> streamscope::kNames<streamscope::verdict::PieceKind>{
    "execution", "hand-over", "call", "work", "wait", "wake", "between-calls", "thread-start", "unexplained"};
