// The run itself: every operation of a program issued as the CUDA call it names.
//
// All that is looked up or made is looked up and made before, so that nothing but those calls, and the reading of the
// host clock where it is asked for, lies in the loop.
#pragma once

#include <atomic>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/device/cuda/check.h"
#include "engine/device/cuda/gate.h"
#include "engine/program/program.h"
#include "kernels/launch.h"

namespace streamscope {

// What a host function is given, and what it notes.
struct HostFunctionCall {
  Nanoseconds duration = 0;
  const std::atomic<bool>* abandoned = nullptr;
  Nanoseconds begin = kAbsent, end = kAbsent;  // host clock
};

struct HostCall {
  Nanoseconds begin = kAbsent, end = kAbsent;  // host clock
  std::uint32_t polls = 0;
};

// Views of what a program works on; whoever made them outlives the run.
struct IssueTargets {
  const Program* program = nullptr;
  std::span<const cudaStream_t> streams;         // by StreamId
  std::span<const cudaEvent_t> events;           // by EventId
  std::span<char* const> host;                   // by BufferId
  std::span<char*> device;                       // by BufferId; of buffers made in the run, null until they are made
  std::uint32_t default_blocks = 1;              // of axpb
  const std::uint32_t* abandon = nullptr;        // device memory: spins end early once it is not 0
  const std::atomic<bool>* abandoned = nullptr;  // the same for host work
  std::span<const std::uint32_t> slot;           // by operation: the index of its host function or stamp
  std::span<HostFunctionCall> host_functions;
  Gate* gate = nullptr;                             // closed; opened before the operation `gate_opens_before`, and
  OperationIndex gate_opens_before = kNoOperation;  // wherever the run ends
};

// What an instrumented run carries besides. `calls` is by operation.
struct IssueInstruments {
  std::span<HostCall> calls;
  kernels::Stamp* stamps = nullptr;            // device memory, by slot; null: kernels write none
  std::span<const cudaEvent_t> end_events;     // by operation; null for one that has none
  std::atomic<std::size_t>* issued = nullptr;  // operations whose calls have succeeded, for one who looks on
  std::atomic<Nanoseconds>* opened = nullptr;  // when the gate opened, host clock, for one too; null: for nobody
};

struct Issued {
  Nanoseconds begin = kAbsent, end = kAbsent;  // host clock: the wall interval; with a gate from its opening on
  bool cancelled = false;
  OperationIndex failed = kNoOperation;  // and what its call said
  cudaError_t code = cudaSuccess;
  const char* call = "";
};

// Without instruments nothing of ours is in the interval. Stops at the first call that fails, or between operations and
// in host waits once a stop is asked for; what was issued by then goes on.
Issued issue(const IssueTargets& targets, const IssueInstruments* instruments, const std::stop_token& stop);

}  // namespace streamscope
