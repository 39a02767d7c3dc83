// Keys that do nothing beside the others.
#include <fmt/format.h>

#include "engine/experiment/keys.h"

namespace streamscope {

std::vector<Idle> idle_keys(const Experiment& experiment) {
  std::vector<Idle> idle;
  const auto by_name = [&](std::initializer_list<std::string_view> keys, const std::string& why) {
    for (const std::string_view key : keys) idle.push_back({key, "kernel.name", why});
  };
  if (!experiment.kernel) {
    by_name({"kernel.fma", "kernel.duration", "kernel.copy", "kernel.stages", "kernel.tile", "kernel.blocks",
             "kernel.threads"},
            "there is no kernel, as kernel.name is none; write axpb or spin there");
  } else {
    const std::string kernel(name(experiment.kernel_name));
    if (experiment.kernel_name == KernelName::spin) {
      by_name({"kernel.fma"}, "the kernel spin computes nothing; set kernel.duration, or kernel.name to axpb");
    } else {
      by_name({"kernel.duration"},
              fmt::format("the kernel {} takes as long as its work; set kernel.fma, or kernel.name to spin", kernel));
    }
    if (experiment.kernel_name != KernelName::tiles) {
      by_name({"kernel.copy", "kernel.stages", "kernel.tile"},
              fmt::format("the kernel {} has no tiles; set kernel.name to tiles", kernel));
    } else if (experiment.kernel_copy == TileCopy::sync) {
      idle.push_back(
          {"kernel.stages", "kernel.copy",
           "copy sync has one stage, as a copy through registers is over before the work begins; write another "
           "copy there, such as cp.async"});
    }
  }
  if (experiment.host == HostMemory::mapped) {
    for (const std::string_view key : {"h2d", "d2h"}) {
      idle.push_back(
          {key, "host", "nothing is copied, as the kernel works in the host's mapped memory; write pinned there"});
    }
  }
  if (experiment.mode == Mode::sync) {
    for (const std::string_view key : {"streams", "stream_flags"}) {
      idle.push_back({key, "mode", "all is in the default stream, as mode is sync; write async there"});
    }
  } else if (experiment.stream_flags == StreamFlags::legacy_default ||
             experiment.stream_flags == StreamFlags::per_thread) {
    idle.push_back({"streams", "stream_flags",
                    fmt::format("all is in one stream, as stream_flags is {}; write blocking or nonblocking there",
                                name(experiment.stream_flags))});
  }
  return idle;
}

std::string_view key_behind(const Program& built, std::uint32_t line) {
  for (const Buffer& buffer : built.buffers) {
    if (buffer.line == line) return "bytes";
  }
  for (const Operation& operation : built.operations) {
    if (operation.line != line) continue;
    if (std::holds_alternative<op::Spin>(operation.work)) return "kernel.duration";
    if (std::holds_alternative<op::Axpb>(operation.work)) return "kernel.fma";
    if (std::holds_alternative<op::Tiles>(operation.work)) return "kernel.tile";
  }
  return {};
}

}  // namespace streamscope
