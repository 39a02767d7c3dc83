// The run itself: every operation of a program issued as the CUDA call it names, by the host thread it belongs to.
//
// All that is looked up or made is looked up and made before, so that nothing but those calls, and the reading of the
// host clock where it is asked for, lies in the loop. A graph's nodes are issued once, while it is captured; the run
// issues its launches.
#pragma once

#include <cuda_runtime_api.h>

#include "engine/base/stop_flag.h"
#include "engine/device/cuda/issue/issue_targets.h"
#include "engine/program/program.h"

namespace streamscope::cuda {

struct Issued {
  Nanoseconds begin = kAbsent, end = kAbsent;  // host clock: the wall interval; with a gate from its opening on
  bool cancelled = false;
  OperationIndex failed = kNoOperation;  // the first to fail, and what its call said
  cudaError_t code = cudaSuccess;
  const char* call = "";
};

// Without instruments nothing of ours is in the interval. All host threads stop at the first call that fails, or
// between operations and in host waits once a stop is asked for, and have ended when this returns; what was issued by
// then goes on.
Issued issue(const IssueTargets& targets, const IssueInstruments* instruments, const StopFlag& stop);

// What a graph captures: the operations of its body, issued once.
struct IssuedBody {
  std::size_t failed = 0;  // where `code` is no success
  cudaError_t code = cudaSuccess;
  const char* call = "";
};
IssuedBody issue_body(const IssueTargets& targets, const program::Graph& graph, const BodyTargets& body);

}  // namespace streamscope::cuda
