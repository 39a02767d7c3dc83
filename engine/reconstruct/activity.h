// From activity records, as CUPTI makes them, to the observed times of each operation.
//
// Pure: plain records in, times out, no CUPTI needed. A record of device work carries the correlation id of the API
// call that asked for it, and that call lies within the host call of one operation (Observed::host_begin .. host_end).
// Both steps may fail: records can be lost, belong to what is no operation of the program, or not fit the operation.
// Such an operation is left unknown and counted; a guess would look like a measurement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "engine/device/observed.h"
#include "engine/program/program.h"
#include "engine/reconstruct/clock_map.h"

namespace streamscope::reconstruct {

// A call of the CUDA API.
struct ApiCall {
  std::uint32_t correlation = 0;
  std::uint32_t thread = 0;
  Nanoseconds begin = kAbsent, end = kAbsent;
};

// What the device carried out.
struct Activity {
  enum class Kind : std::uint8_t { copy, memset, kernel };
  Kind kind = Kind::kernel;
  std::uint32_t correlation = 0;
  std::uint64_t bytes = 0;                     // of copies and memsets
  std::uint64_t graph_node = 0;                // of the executable graph; 0: it was launched by itself
  Nanoseconds start = kAbsent, end = kAbsent;  // kAbsent where no time could be taken
  std::uint32_t device = 0;                    // that carried it out, by the records' number for it
  std::uint32_t uncertainty = 0;               // of its times, plus or minus: how well that device's are tied
};

// All times on one clock, in no order.
struct ActivityRecords {
  std::vector<ApiCall> calls;
  std::vector<Activity> activities;
};

struct HostInterval {
  Nanoseconds begin = kAbsent, end = kAbsent;
  std::uint32_t thread = 0;  // as in ApiCall; 0: any
};

// For each activity the interval that the middle of its API call lies in, of the same thread: the middle, because the
// records' clock may differ from the intervals' by some nanoseconds. kNoInterval where there is none, or where
// intervals overlap and it is not certain which.
inline constexpr std::size_t kNoInterval = std::numeric_limits<std::size_t>::max();
std::vector<std::size_t> intervals_of(const ActivityRecords& records, std::span<const HostInterval> intervals);

// The record that an operation must leave behind; nothing for one that leaves none (records, waits, host work).
struct ExpectedActivity {
  Activity::Kind kind = Activity::Kind::kernel;
  std::uint64_t bytes = 0;
};
std::optional<ExpectedActivity> expected_activity(const program::Operation& operation);

struct MatchedActivities {
  std::size_t found = 0;          // operations whose start and end are now known
  std::size_t missing = 0;        // operations of which no record came, or only ones without times
  std::size_t contradicting = 0;  // operations whose records do not fit: another kind, other bytes, too many, too early
  std::size_t foreign = 0;        // records that belong to no operation
  OperationIndex first_unknown = kNoOperation;
};
// What the records call the program's host threads and the nodes of its graphs.
struct RecordNames {
  std::vector<std::uint32_t> threads;                   // by ThreadId; empty: records cannot be told apart by thread
  std::vector<std::vector<std::uint64_t>> graph_nodes;  // by GraphId, by node; 0: leaves no record
};
// Sets start, end, source and uncertainty of the operations that left a record. The records' times are `zero` above the
// axis of `observed`, in which nodes have the call of their launch. A copy may have been carried out in parts: it began
// with the first of them and ended with the last, and their bytes must add up. One between devices may be recorded on
// both: staged through the host it is moved twice, out of the one and into the other.
MatchedActivities match_activities(const program::Program& program, const ActivityRecords& records,
                                   const RecordNames& names, Nanoseconds zero, std::span<device::Observed> observed);

// Device work known to lie between two readings of the host's clock, and what its record says.
struct ActivityBracket {
  HostInterval host;
  Nanoseconds start = 0, end = 0;
};
// The window that contains what has to be added to such records to bring them onto the host's clock; nothing where
// there are no brackets.
std::optional<ClockWindow> shift_of(std::span<const ActivityBracket> brackets);

// The shift to use and how far it can be off, from brackets before and after a run: the smallest that the brackets
// allow.
struct RecordShift {
  Nanoseconds shift = 0;
  Nanoseconds uncertainty = 0;
};
RecordShift choose_shift(const ClockWindow& before, const ClockWindow& after);

}  // namespace streamscope::reconstruct
