// What the calls of a program work on, and what they note. Views: whoever made what they show outlives the run.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/device/cuda/issue/gate.h"
#include "engine/program/program.h"
#include "kernels/launch.h"
#include "kernels/stages.h"

namespace streamscope::cuda {

// What a host function is given, and what it notes.
struct HostFunctionCall {
  Nanoseconds duration = 0;
  const std::atomic<bool>* abandoned = nullptr;
  HostClock clock = host_now;
  Nanoseconds begin = kAbsent, end = kAbsent;  // host clock
};

// One that a graph repeats: its nth time of a run (from 0) is calls[n]. Its times never overlap (cuda-rules 20).
struct RepeatedHostFunction {
  std::span<HostFunctionCall> calls;
  std::atomic<std::uint32_t> times = 0;
};

struct HostCall {
  Nanoseconds begin = kAbsent, end = kAbsent;  // host clock
  std::uint32_t polls = 0;
  std::uint32_t time = 0;  // of a launch: how often its graph had been launched before
};

// Views of what a program works on; whoever made them outlives the run.
struct IssueTargets {
  const program::Program* program = nullptr;
  int device = 0;                                          // its index
  HostClock host_clock = host_now;
  std::span<const std::vector<OperationIndex>> by_thread;  // what each host thread issues, in order
  std::span<const cudaStream_t> streams;                   // by StreamId; null for a lane of a graph
  std::span<const cudaEvent_t> events;                     // by EventId
  std::span<char* const> host;                             // by BufferId
  std::span<char*> device_side;                  // by BufferId; of buffers made in the run, null until they are made
  std::uint32_t multiprocessors = 1;             // for kernels whose blocks are so many for each
  const std::uint32_t* abandon = nullptr;        // device memory: spins end early once it is not 0
  const std::atomic<bool>* abandoned = nullptr;  // the same for host work
  // By operation: the index of its host function or stamp; of a graph's node, that of the graph's first launch.
  std::span<const std::uint32_t> slot;
  std::span<HostFunctionCall> host_functions;
  std::span<const cudaGraphExec_t> graphs;  // by GraphId
  std::span<std::uint32_t> launched;        // by GraphId: how often, in this run (one thread at a time: check())
  Gate* gate = nullptr;                     // closed; opened before the operation `gate_opens_before`, and
  OperationIndex gate_opens_before = kNoOperation;  // wherever the run ends
};

// How far the calls of each host thread have come, for those who look on: all of its operations below the number have
// been issued.
class IssuedSoFar {
 public:
  explicit IssuedSoFar(std::size_t threads)
      : count_(threads), below_(std::make_unique<std::atomic<std::size_t>[]>(threads)) {}
  void reset() {
    for (std::size_t t = 0; t < count_; ++t) below_[t].store(0, std::memory_order_release);
  }
  void set(ThreadId thread, std::size_t below) { below_[thread.value].store(below, std::memory_order_release); }
  std::size_t below(ThreadId thread) const { return below_[thread.value].load(std::memory_order_acquire); }

 private:
  std::size_t count_;
  std::unique_ptr<std::atomic<std::size_t>[]> below_;
};

// What an instrumented run carries besides. `calls` is by operation; nodes of graphs have none.
struct IssueInstruments {
  std::span<HostCall> calls;
  kernels::Stamp* stamps = nullptr;         // device memory, by slot; null: kernels write none
  std::span<const cudaEvent_t> end_events;  // by operation; null for one that has none
  IssuedSoFar* issued = nullptr;
  std::atomic<Nanoseconds>* opened = nullptr;   // when the gate opened, host clock, for one too; null: for nobody
  std::span<const cudaGraphExec_t> graphs{};    // by GraphId, whose kernels write stamps; empty: the targets' own
  std::span<const kernels::StagesTo> stages{};  // by slot of the stamps: where blocks tell; empty: none does
};

// What the operations of a graph's body are given while it is captured, by operation of the body.
struct BodyTargets {
  std::span<const kernels::StampTo> stamps;
  std::span<RepeatedHostFunction* const> host_functions;
};
}  // namespace streamscope::cuda
