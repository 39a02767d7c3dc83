#include "engine/experiment/unused_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace streamscope::experiment {
namespace {

using Keys = std::span<const std::string_view>;
constexpr std::string_view kOfArithmetic[] = {"kernel.fma"};
constexpr std::string_view kOfSpin[] = {"kernel.duration"};
constexpr std::string_view kOfTiles[] = {"kernel.copy",    "kernel.stages",    "kernel.tile",
                                         "kernel.bytes",   "kernel.l1",        "kernel.align",
                                         "kernel.diverge", "kernel.producers", "kernel.per_sm"};
constexpr std::string_view kOfAttention[] = {"kernel.heads", "kernel.head", "kernel.type", "kernel.buffers"};
constexpr std::string_view kOfGrid[] = {"kernel.blocks", "kernel.threads"};

}  // namespace

std::vector<UnusedKey> unused_keys(const Experiment& experiment) {
  std::vector<UnusedKey> unused;
  const auto by_name = [&](Keys keys, const std::string& why) {
    for (const std::string_view key : keys) unused.push_back({key, "kernel.name", why});
  };
  const auto by_copy = [&](std::string_view key, std::string why) {
    unused.push_back({key, "kernel.copy", std::move(why)});
  };
  if (!experiment.kernel) {
    constexpr const char* kNone = "there is no kernel, as kernel.name is none; write {} there";
    for (const Keys keys : {Keys(kOfArithmetic), Keys(kOfSpin), Keys(kOfGrid)}) {
      by_name(keys, fmt::format(fmt::runtime(kNone), "axpb or spin"));
    }
    by_name(kOfTiles, fmt::format(fmt::runtime(kNone), "tiles"));
    by_name(kOfAttention, fmt::format(fmt::runtime(kNone), "attention"));
  } else {
    const KernelName kernel = experiment.kernel_name;
    const std::string called(name(kernel));
    if (kernel == KernelName::spin) {
      by_name(kOfArithmetic, "the kernel spin computes nothing; set kernel.duration, or kernel.name to axpb");
    } else {
      by_name(kOfSpin, fmt::format("the kernel {} takes as long as its work; set {}, or kernel.name to spin", called,
                                   kernel == KernelName::attention ? "kernel.heads" : "kernel.fma"));
    }
    if (kernel == KernelName::attention) {
      by_name(kOfArithmetic, "the kernel attention has as much to compute as its data ask for; set kernel.heads");
      by_name(kOfGrid, "the kernel attention has as many blocks as its data ask for; set kernel.heads");
    } else {
      by_name(kOfAttention, fmt::format("the kernel {} has no heads; set kernel.name to attention", called));
    }
    if (kernel != KernelName::tiles) {
      by_name(kOfTiles, fmt::format("the kernel {} has no tiles of that sort; set kernel.name to tiles", called));
    } else {
      const program::TileCopy copy = experiment.kernel_copy;
      const std::string copied = fmt::format("copy {}", program::name(copy));
      if (copy == program::TileCopy::sync) {
        by_copy("kernel.stages",
                "copy sync has one stage, as a copy through registers is over before the work begins; write another "
                "copy there, such as cp.async");
      }
      if (!program::has_copy_bytes(copy)) {
        by_copy("kernel.bytes", copied + " chooses the width of its copies by kernel.align; write cp.async there");
      }
      const bool as_wide = experiment.kernel_bytes <= experiment.kernel_align;
      if (program::has_copy_bytes(copy) && !as_wide) {
        unused.push_back({"kernel.bytes", "kernel.align",
                          fmt::format("copies are no wider than the alignment, {} bytes; write 16 or 128 there",
                                      experiment.kernel_align)});
      }
      if (copy != program::TileCopy::cp_async) {
        by_copy("kernel.l1", "only copies of 16 bytes by cp.async have the choice; write cp.async there");
      } else if (experiment.kernel_bytes != 16 || !as_wide) {
        unused.push_back({"kernel.l1", experiment.kernel_bytes != 16 ? "kernel.bytes" : "kernel.align",
                          "copies of fewer than 16 bytes always go through the L1 cache; write 16 there"});
      }
      if (!program::can_diverge(copy)) {
        by_copy("kernel.diverge", copied + " commits for no thread by itself; write cp.async there");
      }
      if (copy != program::TileCopy::specialised) {
        by_copy("kernel.producers", "it is for the copy warp-specialised only; write that there");
      }
      if (experiment.kernel_blocks != 0) {
        unused.push_back({"kernel.per_sm", "kernel.blocks", "kernel.blocks says how many there are; write 0 there"});
      }
    }
  }
  if (experiment.host == program::HostMemory::mapped) {
    for (const std::string_view key : {"h2d", "d2h"}) {
      unused.push_back(
          {key, "host", "nothing is copied, as the kernel works in the host's mapped memory; write pinned there"});
    }
  }
  if (experiment.mode == Mode::sync) {
    for (const std::string_view key : {"streams", "stream_flags"}) {
      unused.push_back({key, "mode", "all is in the default stream, as mode is sync; write async there"});
    }
  } else if (experiment.stream_flags == StreamFlags::legacy_default ||
             experiment.stream_flags == StreamFlags::per_thread) {
    unused.push_back({"streams", "stream_flags",
                      fmt::format("all is in one stream, as stream_flags is {}; write blocking or nonblocking there",
                                  name(experiment.stream_flags))});
  }
  return unused;
}

}  // namespace streamscope::experiment
