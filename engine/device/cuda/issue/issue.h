// The run itself: each operation of a program is issued as the CUDA call it names, by the host thread it belongs to.
//
// Everything is looked up and created before, so that the loop contains only those calls and, with instruments,
// readings of the host clock. The nodes of a graph are issued once, while it is captured; the run issues its launches.
#pragma once

#include <cuda_runtime_api.h>

#include "engine/base/stop_flag.h"
#include "engine/device/cuda/issue/issue_targets.h"
#include "engine/program/program.h"

namespace streamscope::cuda {

struct Issued {
  Nanoseconds begin = kAbsent, end = kAbsent;  // host clock: the wall interval; with a gate from its opening on
  bool cancelled = false;
  OperationIndex failed = kNoOperation;  // the first operation to fail, with the result of its call
  cudaError_t code = cudaSuccess;
  const char* call = "";
};

// Without `instruments` nothing else is in the wall interval. All host threads stop at the first call that fails, but
// in a program that fails on purpose, and between operations and in host waits once a stop is requested. They have
// ended when this returns; work that was issued before continues.
Issued issue(const IssueTargets& targets, const IssueInstruments* instruments, const StopFlag& stop);

// Issues the operations of a graph's body, for capture.
struct IssuedBody {
  std::size_t failed = 0;  // operation of the body, if `code` is an error
  cudaError_t code = cudaSuccess;
  const char* call = "";
};
IssuedBody issue_body(const IssueTargets& targets, const program::Graph& graph, const BodyTargets& body);

}  // namespace streamscope::cuda
