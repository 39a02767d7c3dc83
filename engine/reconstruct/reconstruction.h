// A run that is being reconstructed (reconstruct.h): what was observed of it, its spans as far as they are known by
// now, what all steps need to know of them, and the steps.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "engine/device/dispatch_latency.h"
#include "engine/device/observed.h"
#include "engine/program/order/order.h"
#include "engine/program/program.h"
#include "engine/trace/trace.h"

namespace streamscope::reconstruct {

// Of operations in a stream: malloc and free are the stream-ordered ones.
bool takes_no_time(OperationKind kind);
// Done by the host thread itself. A blocking copy is not: the device carries it out.
bool is_host_work(const program::Operation& operation);
// Copies of one direction follow each other on their engine, but for small ones, which overtake and run beside others,
// and for those that are moved in pieces which others come between: pageable memory and migrated pages.
bool has_engine_to_itself(const program::Program& program, const program::Operation& operation);

// How a copy between devices goes: through the host, straight over the link, or one of both.
enum class Reach : std::uint8_t { staged, direct, either };

struct Reconstruction {
  const program::Program& program;
  const program::Dependencies& dependencies;
  std::span<const device::Observed> observed;
  std::span<trace::Span> spans;
  const device::Circumstances& circumstances;
  Nanoseconds gate_opened;
  bool one_copy_engine;               // for both directions
  std::vector<OperationIndex> order;  // of issue
  std::vector<Reach> reach;           // by operation; of copies between devices

  OperationIndex count() const { return static_cast<OperationIndex>(spans.size()); }
  const program::Operation& operation(OperationIndex i) const { return program.operations[i]; }
  bool host_work(OperationIndex i) const { return is_host_work(operation(i)); }
  // Of the device that carries an operation out.
  const device::DispatchLatency& dispatch(OperationIndex i) const { return dispatch_on(spans[i].device); }
  const device::DispatchLatency& dispatch_on(std::size_t device) const {
    const bool other = device > 0 && device <= circumstances.others.size();
    return other ? circumstances.others[device - 1] : circumstances.dispatch;
  }

  // When the device could know of it: a call submits its work just before it returns, unless it waits for the work.
  Nanoseconds issued(OperationIndex i) const;
  // A graph's launch that failed, or one of its nodes.
  bool never_ran(OperationIndex i) const;
  bool held_by_gate(OperationIndex i) const { return known(gate_opened) && issued(i) < gate_opened; }
  // A node of a graph that takes time and whose own end was not observed, but the end of its launch was: its end can be
  // estimated.
  bool end_unobserved(OperationIndex i) const;
  Nanoseconds launch_end(OperationIndex node) const { return observed[operation(node).launch].end; }
};

// How long a copy or a memset takes to move its bytes.
struct TransferTime {
  static constexpr Nanoseconds kUnbounded = std::numeric_limits<Nanoseconds>::max();

  Nanoseconds shortest = 0;          // from the fastest level that its bytes can come from, at that level's best
  Nanoseconds longest = kUnbounded;  // as a rule: places a bar, says nothing about how long it can have been
  Nanoseconds usual = 0;
  bool bounded() const { return longest != kUnbounded; }
};
// `both_ways`: while the bus is busy in the other direction too. As a rule unbounded for pageable memory, where the
// host does part of the work, and for managed memory. Nothing of prefetches, which move what is not there yet.
TransferTime transfer_time(const Reconstruction& run, OperationIndex i, bool both_ways);

// By operation, the latest that it can have ended: something that must come after it had begun by then.
struct EndBounds {
  static constexpr Nanoseconds kNone = std::numeric_limits<Nanoseconds>::max();

  std::vector<Nanoseconds> latest;
  std::vector<OperationIndex> set_by;  // the kernel whose stamped start sets the bound; else kNoOperation
};
// An event fires a little after what it marks, so an end that it measured can lie beyond its bound: moves such ends
// back, where the lag of an event explains the difference.
EndBounds correct_late_events(Reconstruction& run);

// A kernel ends some time after its last block's stamp: puts its end in the middle of what that time can be where
// nothing else keeps the memory busy, and no later than its bound. Its uncertainty then reaches back to the stamp.
void place_kernel_ends(Reconstruction& run, const EndBounds& bounds);

// When an operation could have started: when it was issued and all it depends on had ended. What it depends on has its
// ready time set, and its end where that had to be estimated. An operation that takes no time (a record, a wait) starts
// and ends when it is ready.
void set_ready_time(Reconstruction& run, const EndBounds& bounds, OperationIndex i);

// An estimate of the start of each operation whose start was not observed. Returns by operation which one came before
// it on its engine: of a copy the one of its direction, or with one copy engine of either, that ended before it, of a
// kernel the one that started before it.
std::vector<OperationIndex> find_start_times(Reconstruction& run);

// Widens the uncertainties of what is seen later than it happened: a kernel ends after its last block's stamp, when
// what its blocks wrote has arrived; an event reaches the host behind all that is on its way there; a call that copied
// to pageable memory returns after the last piece was moved.
void widen_late_sightings(Reconstruction& run, const EndBounds& bounds,
                          std::span<const OperationIndex> before_on_engine);

// Why each operation waited: the last thing that kept it from starting. `before_on_engine`: see find_start_times().
void find_wait_reasons(Reconstruction& run, std::span<const OperationIndex> before_on_engine);

}  // namespace streamscope::reconstruct
