// A run as the verdict reads it: when each operation was issued, ready, started and ended; what CUDA's order put it
// behind; what else ran on its engine. Operations are known by their place in the trace, counted from 0.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "engine/program/order/order.h"
#include "engine/trace/packed_spans.h"
#include "engine/trace/trace.h"
#include "engine/verdict/queues.h"

namespace streamscope::verdict {

// What keeps an operation from starting.
enum class WaitCause : std::uint8_t {
  stream,           // the operation before it in its stream
  event,            // an operation of another stream, by an event
  legacy,           // the legacy default stream's barrier, in either direction
  graph,            // a node before it in its graph; of a launch the one before of the same executable graph
  pool,             // memory that it takes was freed in another stream
  gate,             // the gate, until everything was queued
  queue,            // an operation of another stream in a hardware queue that both go through
  engine,           // an operation on its engine
  other_direction,  // a copy of the other direction, where one engine does both
  host_functions,   // the thread that runs host functions
  blocks,           // a kernel with blocks still to hand out
  room,             // kernels that leave its blocks no room on the multiprocessors
  priority,         // a kernel of a more urgent stream that came later
  hand_over,        // nothing: what it takes from one operation to the next
  unexplained,      // nothing that is known, and longer than a hand-over takes
};

// The last thing that an operation's order held it for. Records, waits and launches do no work: what they came behind
// stands for them, and the time between the two is that of hand-overs.
struct Release {
  Nanoseconds at = kAbsent;          // absent: it came behind nothing
  OperationIndex by = kNoOperation;  // device work, whose end released it; kNoOperation: the gate
  WaitCause cause = WaitCause::hand_over;
  Nanoseconds over = kAbsent;  // the end of the record, wait or launch right before it, else `at`
  // When it has usually started: the latest of what it came behind, each with its hand-over. kAbsent: not known.
  Nanoseconds handed_over = kAbsent;
};

// What carries operations out one after the other, or, of kernels and of copies to other devices, side by side.
enum class Unit : std::uint8_t { h2d, d2h, within_device, kernels, host_functions, to_devices };
inline constexpr std::size_t kUnits = 6;

class History {
 public:
  // Both must outlive it. Without a program the order is that of each stream. Spans of a program's run are in the
  // program's order, one for each operation.
  explicit History(const trace::Trace& trace, const program::Program* program = nullptr);

  const trace::Trace& trace() const { return trace_; }
  const program::Program* program() const { return program_; }
  std::size_t size() const { return spans().size(); }
  const std::vector<trace::Span>& spans() const { return trace_.packed ? unpacked_ : trace_.spans; }
  const trace::Span& span(OperationIndex i) const { return spans()[i]; }

  // The earlier of the return of its call and its start; of a graph's node its launch's. kAbsent: not known.
  Nanoseconds issued(OperationIndex i) const;
  // All it depends on is done: between issued and start.
  Nanoseconds ready(OperationIndex i) const;
  const Release& release(OperationIndex i) const { return releases_[i]; }
  std::span<const program::Dependency> behind(OperationIndex i) const {
    return {edges_.data() + first_[i], edges_.data() + first_[i + 1]};
  }
  // In the order of issue.
  const std::vector<OperationIndex>& order() const { return order_; }

  // Device work, prefetches included, whose start and end are known.
  bool executes(OperationIndex i) const { return unit_[i] != kNoUnit; }
  // Whether it is ordered in a stream: device work, records, waits, launches.
  bool in_stream(OperationIndex i) const;
  // When its place in its stream's queue was free again: at its end, of a graph's launch at that of its last node.
  Nanoseconds left_queue(OperationIndex i) const;
  // Whether its call may return only when it is done.
  bool call_waits(OperationIndex i) const;
  // By start. One copy engine for both directions: all copies are h2d's.
  std::span<const OperationIndex> executed(std::uint32_t device, Unit unit) const;
  // Whether any of them went through that engine.
  bool any_through(Engine engine, std::uint32_t device, Unit unit) const;
  // Those of its unit that run at some instant of [from, to), without itself; appended, the latest start first.
  void beside(OperationIndex i, Nanoseconds from, Nanoseconds to, std::vector<OperationIndex>& found) const;
  // Those of a unit, but one; no more than `most`.
  void during(std::uint32_t device, Unit unit, OperationIndex but, Nanoseconds from, Nanoseconds to, std::size_t most,
              std::vector<OperationIndex>& found) const;
  // What an operation takes that does one thing after the other, by number: the copy engine also for a record whose
  // time it writes, but not for a copy that travels with the commands, which take turns themselves. Nothing: it takes
  // none.
  std::optional<std::size_t> unit_taken(OperationIndex i) const;
  // What took that unit last before `i` did, if that ended in [from, to]; else kNoOperation.
  OperationIndex right_before(OperationIndex i, std::size_t unit, Nanoseconds from, Nanoseconds to) const;
  // The calls and the work of a host thread, by begin; those whose times are not known left out.
  const std::vector<std::vector<OperationIndex>>& calls() const { return calls_; }
  // Its place among those of its thread.
  std::uint32_t place(OperationIndex i) const { return place_[i]; }

  std::size_t devices() const { return devices_; }
  // Where it stood in the hardware's queues, as far as that is known.
  const QueuePlace& queue_place(OperationIndex i) const { return places_.empty() ? kNowhere : places_[i]; }

 private:
  static constexpr std::uint8_t kNoUnit = 0xFF;
  static constexpr QueuePlace kNowhere{};
  static constexpr std::size_t kCommands = kUnits, kTaken = kUnits + 1;
  struct UnitList {
    std::vector<OperationIndex> by_start;
    std::vector<Nanoseconds> latest_end;  // of it and all before it
    std::bitset<kEngines> engines;        // that they went through
  };

  void find_order(const program::Program* program);
  void find_releases();
  void list_units();
  void list_calls();
  Release release_of(OperationIndex i) const;
  std::vector<Nanoseconds> entered(std::span<const OperationIndex> order, const std::vector<Nanoseconds>& begins) const;
  bool has_one_copy_engine(std::size_t device) const;

  const trace::Trace& trace_;
  const program::Program* program_;
  std::vector<trace::Span> unpacked_;
  std::size_t devices_ = 1;
  std::map<OperationIndex, Nanoseconds> nodes_over_;  // of launches of graphs
  std::vector<OperationIndex> order_;
  std::vector<std::uint64_t> first_;
  std::vector<program::Dependency> edges_;
  std::vector<Release> releases_;
  std::vector<std::uint8_t> unit_;
  std::vector<UnitList> units_;
  std::vector<std::vector<OperationIndex>> taken_;  // by device and unit: what took it, by end, then start
  std::vector<std::vector<OperationIndex>> calls_;
  std::vector<std::uint32_t> place_;
  std::vector<QueuePlace> places_;
};

// What a hand-over usually takes, from the release of what was waited for to the start; kAbsent: not known. `from`
// null: any.
Nanoseconds usual_hand_over(const trace::Trace& trace, const trace::Span* from, WaitCause cause, const trace::Span& to);

}  // namespace streamscope::verdict

template <>
inline constexpr streamscope::NameTable<15> streamscope::kNames<streamscope::verdict::WaitCause>{
    "stream",          "event",          "legacy", "graph", "pool",     "gate",      "queue",      "engine",
    "other-direction", "host-functions", "blocks", "room",  "priority", "hand-over", "unexplained"};
