// What each operation must wait for: the order that CUDA promises, as a graph.
//
// Stream order, the legacy default stream, event waits, host waits and graphs (docs/cuda-rules.md 1, 2, 3, 5, 20).
// Nothing of the hardware: a busy engine is no dependency. Devices, the instrument and the analysis all use this, so
// that they agree.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/program/program.h"

namespace streamscope::program {

enum class DependencyKind : std::uint8_t {
  stream,  // the operation before it in its stream
  legacy,  // the legacy default stream's barrier, in either direction
  event,   // a wait, and what its record recorded
  host,    // the host thread: it waited before it issued this
  graph,   // a graph's node and what it comes after; a launch and the one before it of the same executable graph
};

struct Dependency {
  OperationIndex on = kNoOperation;
  DependencyKind kind = DependencyKind::stream;
  friend bool operator==(const Dependency&, const Dependency&) = default;
};

// docs/cuda-rules.md 10: from pageable memory cudaMemcpy returns after staging, when the data may still be on its way.
bool returns_after_staging(const Program& program, const op::Copy& copy);
// Whether it is a copy whose call may return only after it, and may wait for what is before it (docs/cuda-rules.md 8
// and 10).
bool call_waits_for_copy(const Program& program, const Work& work);

// Of a graph's nodes those that no other follows: a launch is over when they are.
std::vector<std::uint32_t> last_nodes(const Graph& graph);

// The dependencies of one operation after the other, as they are issued. Dependencies below has all of them.
class DependencyTracker {
 public:
  // The program must outlive it.
  explicit DependencyTracker(const Program& program);
  ~DependencyTracker();
  // Each operation once; those of a thread in its order, and a graph's nodes right behind their launch. The result is
  // valid until the next call.
  std::span<const Dependency> issue(OperationIndex index);

 private:
  struct Builder;
  std::vector<Dependency> edges_;
  std::unique_ptr<Builder> builder_;
  friend class Dependencies;
};

// For each operation those that must have ended before it may start. Only direct ones: what follows from others is left
// out where that is cheap to find. `host` edges lead from the operations that a host wait waits for to that wait
// (synchronisation, successful poll, blocking copy); what the host thread issues later comes after the wait anyway.
class Dependencies {
 public:
  explicit Dependencies(const Program& program) : Dependencies(program, {}) {}
  // As the calls were really issued, where several host threads issue side by side: a permutation of the operations, or
  // of those that were issued at all (empty: the program's own order). Waits for an event are then bound to the record
  // issued last before them. What is left out comes behind nothing, and nothing behind it.
  Dependencies(const Program& program, std::span<const OperationIndex> issued);
  std::span<const Dependency> of(OperationIndex index) const { return {edges_.data() + first_[index], count_[index]}; }

 private:
  std::vector<std::uint64_t> first_;  // by operation: of its edges
  std::vector<std::uint32_t> count_;
  std::vector<Dependency> edges_;
};

// The order in which the operations were issued, from the time at which each host call began (times of a graph's nodes
// are not read): by time, of one instant the threads in their order, but each thread in its own order, between its
// start and its join. A call whose time is not known comes right behind the one before it in its thread. A graph's
// nodes follow their launch.
std::vector<OperationIndex> issue_order(const Program& program, std::span<const Nanoseconds> host_begin);

bool has_failed_launch(const Program& program, const std::function<bool(OperationIndex)>& failed);
// Without launches whose call failed, and their nodes: what these would record is not recorded.
std::vector<OperationIndex> without_failed_launches(const Program& program, std::vector<OperationIndex> order,
                                                    const std::function<bool(OperationIndex)>& failed);

// Two operations that touch the same bytes on the same side, at least one writing, with no order between them.
struct Hazard {
  OperationIndex first, second;
  BufferId buffer;
  bool on_host;  // else on the device, or in memory that both sides share
};
// At most `most` of them, in order of `second`; each happens in some interleaving of the host threads. No hazard means
// that the data is determined and can be verified. A last one with first == second says that the program from there on
// was too large to check. A blocking copy from pageable memory to the device counts as pending when it returns
// (docs/cuda-rules.md 10); an asynchronous copy is assumed not to block the host, whatever its memory (the same, 8).
std::vector<Hazard> hazards(const Program& program, std::size_t most = 16);
// The same search: calls `found` for each of them until it returns false. Returns the operation from which on the
// program was too large, or kNoOperation.
OperationIndex scan_hazards(const Program& program, const std::function<bool(const Hazard&)>& found);

// Whether of two programs of the same operations, in different orders, two operations that touch the same bytes, one of
// them writing, change places: the data may then differ, even without a hazard. A host function is taken to read what
// its stream worked on since the last one. False where they are not the same operations.
bool reverses_data_order(const Program& before, const Program& after);

// A stream or an event that two host threads use without an order between them: which comes first differs from run to
// run.
struct Race {
  OperationIndex first, second;    // in two threads
  std::optional<StreamId> stream;  // both issue work to it; else both use `event`, one of them recording it
  EventId event;
};
// One for each stream and event that has any, in order of `second`.
std::vector<Race> find_races(const Program& program);

}  // namespace streamscope::program
