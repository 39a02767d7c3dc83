// What the calls of a program work on, and where they note their times. All are views: the owners outlive the run.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/device/cuda/issue/answer_log.h"
#include "engine/device/cuda/issue/gate.h"
#include "engine/device/cuda/runtime/handle.h"
#include "engine/program/program.h"
#include "kernels/cuda_kernel.h"

namespace streamscope::cuda {

using Launchers = std::span<const std::unique_ptr<kernels::Launcher>>;

// The argument of a host function: what it does, and its times, which CUDA's thread writes. `end` is the last of it:
// who has read that one may read the others.
struct HostFunctionCall {
  Nanoseconds duration = 0;
  const std::atomic<bool>* abandoned = nullptr;
  HostClock clock = host_now;
  CallResult status = CallResult::success;                  // that a callback was given
  std::atomic<Nanoseconds> begin = kAbsent, end = kAbsent;  // host clock
};

// The argument of a host function in a graph: its nth execution of a run (from 0) is calls[n]. Executions never overlap
// (docs/cuda-rules.md 20).
struct RepeatedHostFunction {
  std::span<HostFunctionCall> calls;
  std::atomic<std::uint32_t> times = 0;
};

struct HostCall {
  Nanoseconds begin = kAbsent, end = kAbsent;  // host clock
  std::uint32_t polls = 0;
  CallResult result = CallResult::success;
  Nanoseconds elapsed = kAbsent;  // ns
  std::uint32_t time = 0;         // of a graph launch: how often its graph had been launched before in this run
};

// Arguments for the operations of a graph's body while it is captured, by operation of the body.
struct BodyTargets {
  std::vector<kernels::StampTo> stamps;
  std::vector<RepeatedHostFunction*> host_functions;
  // By EventId: the capture's own, for what becomes edges, since an event that was recorded under capture cannot be
  // used outside the graph.
  std::span<const cudaEvent_t> events{};
  std::span<cudaGraphNode_t> nodes{};  // receives the node that each became; null for records and waits. May be empty
};

// A graph, and of one that the run captures what its calls use and make. Each run captures it anew.
struct GraphTargets {
  UniqueGraphExec executable;
  BodyTargets body;
  UniqueGraph captured;  // what it is instantiated from
};

// What calls use on one GPU.
struct DeviceTargets {
  int index = 0;                           // CUDA's
  std::span<char*> memory;                 // by BufferId: its side there; null where there is none, or none yet
  Launchers kernels;                       // by Program::kernels
  const std::uint32_t* abandon = nullptr;  // device memory: spin kernels end early once it is not 0
  std::size_t shared_bytes_limit = 0;      // most dynamic shared memory of a block
};

struct IssueTargets {
  const program::Program* program = nullptr;
  std::span<const DeviceTargets> devices;   // by DeviceId
  std::span<const std::uint8_t> device_of;  // by operation: whose memory and kernels it uses (program::side_of())
  std::span<std::uint8_t> peers;  // by both DeviceIds, the first of them first: they reach each other's memory
  HostClock host_clock = host_now;
  std::span<const std::vector<OperationIndex>> by_thread;  // what each host thread issues, in order
  std::span<cudaStream_t> streams;                         // by StreamId; see ProgramStreams
  std::span<cudaEvent_t> events;                           // by EventId
  // By BufferId; of buffers made in the run, null until they are made.
  std::span<char*> host;
  std::span<std::uint8_t> registered;            // by BufferId: whether the run has registered the host side
  const std::atomic<bool>* abandoned = nullptr;  // host work ends early once it is true
  // By operation: the index of its host function or stamp; of a graph's node, that of the graph's first launch.
  std::span<const std::uint32_t> slot;
  std::span<HostFunctionCall> host_functions;
  std::span<GraphTargets> graphs;     // by GraphId
  std::span<std::uint32_t> launched;  // by GraphId: how often, in this run (one thread at a time: check())
  // Whether the run has reset the device: what was there of the engine's own is gone, stamps, events and `abandon`.
  bool* was_reset = nullptr;
  Gate* gate = nullptr;  // closed; opened before this operation, or where the run ends
  OperationIndex gate_opens_before = kNoOperation;
};

// How far each host thread has come, for threads that observe the run: its operations with indices below the number
// have been issued.
class IssueProgress {
 public:
  explicit IssueProgress(std::size_t threads)
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

// What an instrumented run has in addition. `calls` is by operation; nodes of graphs have none.
struct IssueInstruments {
  std::span<HostCall> calls;
  std::span<kernels::Stamp* const> stamps;  // by DeviceId: memory there, by slot; empty: kernels write none
  std::span<const cudaEvent_t> end_events;  // by operation; null where there is none
  IssueProgress* issued = nullptr;
  std::span<std::uint32_t> threads{};  // by ThreadId: receives the system's id of each host thread; may be empty
  std::atomic<Nanoseconds>* opened = nullptr;  // receives the host time at which the gate opened; may be null
  std::span<GraphTargets> graphs{};            // by GraphId, with kernels that write stamps; empty: the targets' graphs
  std::span<const kernels::StagesTo>
      stages{};  // by slot of the stamps: where blocks record their stages; empty: nowhere
  AnswerLog* answers = nullptr;
  std::function<void()> before_reset{};  // leaves alone what a reset destroys; may be empty
};

}  // namespace streamscope::cuda
