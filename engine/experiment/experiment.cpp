#include "engine/experiment/experiment.h"

#include "kernels/registry.h"

namespace streamscope::experiment {

std::string_view name(IssueOrder order) { return order == IssueOrder::depth_first ? "depth-first" : "breadth-first"; }

std::string_view name(StreamFlags flags) {
  switch (flags) {
    case StreamFlags::blocking: return "blocking";
    case StreamFlags::nonblocking: return "nonblocking";
    case StreamFlags::legacy_default: return "default";
    case StreamFlags::per_thread: return "per-thread";
  }
  return "";
}

std::string_view name(Mode mode) { return mode == Mode::async ? "async" : "sync"; }

std::string_view name(FinalSync sync) {
  switch (sync) {
    case FinalSync::device: return "device";
    case FinalSync::stream: return "stream";
    case FinalSync::event: return "event";
    case FinalSync::poll: return "poll";
  }
  return "";
}

kernels::Choice standard_kernel() {
  const kernels::Kernel& first = *kernels::all().front();
  return {&first, kernels::experiment_values(first)};
}

}  // namespace streamscope::experiment
