// Why a host call took as long as it did: each nanosecond from its begin to its return is charged to what held it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/verdict/history.h"

namespace streamscope::verdict {

enum class CallCause : std::uint8_t {
  usual,          // what such a call takes
  waiting,        // it waits as it was asked to: a synchronisation, a poll, a copy that blocks
  implicit_sync,  // it allocates or frees, and waits for the device unasked
  queue_full,     // its stream's launch queue had no room
  staging,        // pageable memory goes through the driver's own buffer
  driver_lock,    // the call of another thread was in the driver
  migration,      // managed pages come to the host
  unexplained,    // longer than such a call takes, for no reason that is known
};

struct CallSlice {
  Nanoseconds from = 0, to = 0;
  CallCause cause = CallCause::usual;
  OperationIndex by = kNoOperation;  // the operation behind the cause, where there is one
  bool certain = true;               // else put down to it because nothing else is known
  friend bool operator==(const CallSlice&, const CallSlice&) = default;
};

// The calls of a run. What a call usually takes is the shortest of its kind in the run that waited for nothing; of
// copies of pageable memory, which always wait for its staging, that of other copies, or else of any call that only
// gives something to a stream. Of a kind with none, the whole of what is left, uncertain.
class Calls {
 public:
  explicit Calls(const History& history);  // which must outlive it; O(n log n)
  // Of a call of its own: in order of time, from its begin to its return without a gap. Empty for host work and for
  // what has no call that is known.
  std::vector<CallSlice> slices(OperationIndex i) const;

 private:
  Nanoseconds usual(OperationIndex i) const;  // kAbsent: not known
  // The operation of which the end made room in the stream's launch queue; kNoOperation: there was room.
  OperationIndex made_room(OperationIndex i) const;
  // The call of another thread that was under way when this one began, and returned last; kNoOperation: there was none.
  OperationIndex in_the_driver(OperationIndex i) const;

  const History& history_;
  std::array<Nanoseconds, kOperationKinds> usual_;  // by kind; kAbsent: of none
  Nanoseconds least_given_ = kAbsent;               // of a call that gives something to a stream
  std::vector<std::vector<OperationIndex>> given_;  // to each stream, in the order of issue
  std::vector<std::uint32_t> turn_;                 // place of an operation among those
};

}  // namespace streamscope::verdict

template <>
inline constexpr streamscope::NameTable<8> streamscope::kNames<streamscope::verdict::CallCause>{
    "usual", "waiting", "implicit-sync", "queue-full", "staging", "driver-lock", "migration", "unexplained"};
