#include "engine/experiment/experiment.h"

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

std::string_view name(KernelName kernel) {
  switch (kernel) {
    case KernelName::axpb: return "axpb";
    case KernelName::spin: return "spin";
    case KernelName::tiles: return "tiles";
    case KernelName::attention: return "attention";
  }
  return "";
}

}  // namespace streamscope::experiment
