// Why an operation did not start when it was issued: each nanosecond from its issue to its start is charged to what
// held it.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/verdict/history.h"

namespace streamscope::verdict {

struct Slice {
  Nanoseconds from = 0, to = 0;
  WaitCause cause = WaitCause::hand_over;
  OperationIndex by = kNoOperation;  // the operation behind the cause, where there is one
  bool certain = true;               // else put down to it because nothing else is known
  friend bool operator==(const Slice&, const Slice&) = default;
};

// Something that keeps an operation from starting, and until when.
struct Holder {
  Nanoseconds from = 0, until = 0;
  WaitCause cause = WaitCause::hand_over;
  OperationIndex by = kNoOperation;
  bool certain = true;
};

// [from, to) cut at each begin and release of a holder; a piece is charged to the holder that releases last, of several
// to the lowest operation; what none holds is left out. Pieces of one holder that touch are one.
std::vector<Slice> cut(Nanoseconds from, Nanoseconds to, std::vector<Holder> holders);

// What held an operation between `from` and its start.
std::vector<Holder> holders(const History& history, OperationIndex i, Nanoseconds from);

// Of device work: in order of time, from the issue to the start without a gap. Empty where it did not wait or a time is
// not known. Of more than kMostOccupants operations on its engine the first ones are one slice, by the last of them.
inline constexpr std::size_t kMostOccupants = 64;
std::vector<Slice> slices(const History& history, OperationIndex i);

}  // namespace streamscope::verdict
