#include "engine/experiment/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/quantity.h"
#include "engine/program/limits.h"

namespace streamscope::experiment::keys {
namespace {

Problem read_host(Draft& draft, const Given& given) {
  static constexpr std::array<Choice<program::HostMemory>, 5> kChoices{
      {{"pinned", program::HostMemory::pinned},
       {"pageable", program::HostMemory::pageable},
       {"write-combined", program::HostMemory::write_combined},
       {"mapped", program::HostMemory::mapped},
       {"managed", program::HostMemory::managed}}};
  return choose(given, kChoices, draft.experiment.host);
}

Problem read_order(Draft& draft, const Given& given) {
  static constexpr std::array<Choice<IssueOrder>, 2> kChoices{
      {{"depth-first", IssueOrder::depth_first}, {"breadth-first", IssueOrder::breadth_first}}};
  return choose(given, kChoices, draft.experiment.order);
}

Problem read_flags(Draft& draft, const Given& given) {
  static constexpr std::array<Choice<StreamFlags>, 4> kChoices{{{"blocking", StreamFlags::blocking},
                                                                {"nonblocking", StreamFlags::nonblocking},
                                                                {"default", StreamFlags::legacy_default},
                                                                {"per-thread", StreamFlags::per_thread}}};
  return choose(given, kChoices, draft.experiment.stream_flags);
}

Problem read_mode(Draft& draft, const Given& given) {
  static constexpr std::array<Choice<Mode>, 2> kChoices{{{"async", Mode::async}, {"sync", Mode::sync}}};
  return choose(given, kChoices, draft.experiment.mode);
}

Problem read_sync(Draft& draft, const Given& given) {
  static constexpr std::array<Choice<FinalSync>, 4> kChoices{{{"device", FinalSync::device},
                                                              {"stream", FinalSync::stream},
                                                              {"event", FinalSync::event},
                                                              {"poll", FinalSync::poll}}};
  return choose(given, kChoices, draft.experiment.sync);
}

Problem read_kernel_name(Draft& draft, const Given& given) {
  using Kernel = std::optional<KernelName>;
  static constexpr std::array<Choice<Kernel>, 5> kChoices{{{"axpb", KernelName::axpb},
                                                           {"spin", KernelName::spin},
                                                           {"tiles", KernelName::tiles},
                                                           {"attention", KernelName::attention},
                                                           {"none", std::nullopt}}};
  Kernel kernel;
  if (Problem problem = choose(given, kChoices, kernel)) return problem;
  draft.experiment.kernel = kernel.has_value();
  draft.experiment.kernel_name = kernel.value_or(KernelName::axpb);
  return {};
}

Problem read_kernel_copy(Draft& draft, const Given& given) {
  static constexpr std::array<Choice<program::TileCopy>, 8> kChoices{
      {{"sync", program::TileCopy::sync},
       {"cp.async", program::TileCopy::cp_async},
       {"primitives", program::TileCopy::primitives},
       {"cg", program::TileCopy::cg},
       {"barrier", program::TileCopy::barrier},
       {"pipeline", program::TileCopy::pipeline},
       {"warp-specialised", program::TileCopy::specialised},
       {"bulk", program::TileCopy::bulk}}};
  return choose(given, kChoices, draft.experiment.kernel_copy);
}

Problem read_kernel_type(Draft& draft, const Given& given) {
  static constexpr std::array<Choice<bool>, 2> kChoices{{{"fp32", false}, {"bf16", true}}};
  return choose(given, kChoices, draft.experiment.kernel_bf16);
}

Problem read_duration(Draft& draft, const Given& given) {
  const auto* text = std::get_if<std::string>(&given.value);
  if (text == nullptr) {
    const auto* number = std::get_if<std::int64_t>(&given.value);
    if (number == nullptr) return expected(given, "a duration, such as \"300us\"");
    return expected(given, fmt::format("the unit too: \"{}us\", or ns, ms, s", *number));
  }
  const auto duration = parse_duration(*text);
  if (!duration) return fmt::format("{}: {}", given.key, duration.error().message);
  if (*duration == 0) return expected(given, "a duration above 0, such as \"300us\"");
  draft.experiment.kernel_duration = *duration;
  return {};
}

constexpr std::array kKeys{
    Key{"name", "What the experiment is called", "text", true,
        [](Draft& d, const Given& g) { return read_text(g, d.experiment.name); }},
    Key{"about", "One or two sentences for the reader", "text", true,
        [](Draft& d, const Given& g) { return read_text(g, d.experiment.about); }},
    Key{"program", "A stream program of its own, in place of all that follows but verify", "text", true,
        [](Draft& d, const Given& g) { return read_text(g, d.program); }},
    Key{"bytes", "Data to bring in, work on and bring back", "a size: \"256MiB\"", false,
        [](Draft& d, const Given& g) { return read_size(g, d.experiment.bytes); }},
    Key{"chunk", "Data to one copy; must divide bytes", "a size: \"16MiB\"", false,
        [](Draft& d, const Given& g) {
          d.chunks.reset();
          return read_size(g, d.experiment.chunk);
        }},
    Key{"chunks", "The same as a count: bytes / chunk", "1, 2, ...", false,
        [](Draft& d, const Given& g) {
          std::uint64_t chunks = 0;
          Problem problem = read_count(g, 1, program::kMaximumOperations, chunks);
          if (!problem) d.chunks = chunks;
          return problem;
        }},
    Key{"streams", "CUDA streams; chunk i goes to stream i modulo streams", "1 to 1024", false,
        [](Draft& d, const Given& g) { return read_count(g, 1, kMostStreams, d.experiment.streams); }},
    Key{"stream_flags", "How the streams are made, or which default stream takes all the work",
        "blocking, nonblocking, default, per-thread", false, read_flags},
    Key{"order", "How the host issues: chunk by chunk, or all copies in, all kernels, all copies out",
        "depth-first, breadth-first", false, read_order},
    Key{"host", "Host memory; mapped and managed are one allocation that both sides work on",
        "pinned, pageable, write-combined, mapped, managed", false, read_host},
    Key{"mode", "cudaMemcpyAsync; or cudaMemcpy, and a synchronisation after each kernel", "async, sync", false,
        read_mode},
    Key{"sync", "How the host waits at the end", "device, stream, event, poll", false, read_sync},
    Key{"h2d", "Copy in; managed memory is prefetched to the device", "true, false", false,
        [](Draft& d, const Given& g) { return read_truth(g, d.experiment.h2d); }},
    Key{"d2h", "Copy out; managed memory is prefetched to the host", "true, false", false,
        [](Draft& d, const Given& g) { return read_truth(g, d.experiment.d2h); }},
    Key{"verify", "Check the data that came back", "true, false", true,
        [](Draft& d, const Given& g) { return read_truth(g, d.experiment.verify); }},
    Key{"kernel.name",
        "axpb computes on the chunk, tiles does so through shared memory, attention takes it for Q, K, V and O, spin "
        "only takes time",
        "axpb, spin, tiles, attention, none", false, read_kernel_name},
    Key{"kernel.fma", "axpb, tiles: multiply-adds to an element", "1, 2, ...", false,
        [](Draft& d, const Given& g) { return read_count(g, 1, kMostFma, d.experiment.kernel_fma); }},
    Key{"kernel.duration", "spin: how long each block takes", "a duration: \"300us\"", false, read_duration},
    Key{"kernel.copy", "tiles: how a tile gets into shared memory",
        "sync, cp.async, primitives, cg, barrier, pipeline, warp-specialised, bulk", false, read_kernel_copy},
    Key{"kernel.stages", "tiles: tiles in shared memory at once", "1 to 8", false,
        [](Draft& d, const Given& g) {
          return read_count(g, 1, program::kMostTileStages, d.experiment.kernel_stages);
        }},
    Key{"kernel.tile", "tiles: the size of one", "a size: \"16KiB\"", false,
        [](Draft& d, const Given& g) { return read_size(g, d.experiment.kernel_tile); }},
    Key{"kernel.bytes",
        "tiles: bytes of one thread's copy, for cp.async, primitives, pipeline, warp-specialised; no "
        "more than kernel.align",
        "4, 8, 16", false,
        [](Draft& d, const Given& g) {
          return read_one_of(g, {4, 8, 16}, d.experiment.kernel_bytes);
        }},
    Key{"kernel.l1", "tiles: copies of cp.async go through the L1 cache (.ca, not .cg)", "true, false", false,
        [](Draft& d, const Given& g) { return read_truth(g, d.experiment.kernel_l1); }},
    Key{"kernel.align", "tiles: the alignment that the kernel may take for granted, in bytes", "4, 16, 128", false,
        [](Draft& d, const Given& g) {
          return read_one_of(g, {4, 16, 128}, d.experiment.kernel_align);
        }},
    Key{"kernel.diverge", "tiles: parts in which a warp commits its copies, for cp.async, primitives, pipeline",
        "1 to 32", false,
        [](Draft& d, const Given& g) { return read_count(g, 1, kWarp, d.experiment.kernel_diverge); }},
    Key{"kernel.producers", "tiles, warp-specialised: warps that copy; 0: a quarter of them", "0 to 31", false,
        [](Draft& d, const Given& g) { return read_count(g, 0, kWarp - 1, d.experiment.kernel_producers); }},
    Key{"kernel.per_sm", "tiles: blocks of each multiprocessor, where kernel.blocks is 0", "1 to 32", false,
        [](Draft& d, const Given& g) { return read_count(g, 1, kMostPerMultiprocessor, d.experiment.kernel_per_sm); }},
    Key{"kernel.heads", "attention: heads of the batch, all together", "1 to 65535", false,
        [](Draft& d, const Given& g) { return read_count(g, 1, kMostHeads, d.experiment.kernel_heads); }},
    Key{"kernel.head", "attention: elements of a row", "64, 128", false,
        [](Draft& d, const Given& g) {
          return read_one_of(g, {64, 128}, d.experiment.kernel_head);
        }},
    Key{"kernel.type", "attention: of the elements", "fp32, bf16", false, read_kernel_type},
    Key{"kernel.buffers", "attention: places for a tile of K and of V; 2 is double buffering", "1, 2", false,
        [](Draft& d, const Given& g) {
          return read_one_of(g, {1, 2}, d.experiment.kernel_buffers);
        }},
    Key{"kernel.blocks", "Blocks; 0: two a multiprocessor for axpb, one a multiprocessor for tiles, one for spin",
        "0, 1, ...", false,
        [](Draft& d, const Given& g) { return read_count(g, 0, kMostBlocks, d.experiment.kernel_blocks); }},
    Key{"kernel.threads", "Threads to a block", "1 to 1024", false,
        [](Draft& d, const Given& g) { return read_count(g, 1, kMostThreads, d.experiment.kernel_threads); }},
};

}  // namespace

std::span<const Key> all() { return kKeys; }

const Key* find(std::string_view name) {
  const auto at = std::find_if(kKeys.begin(), kKeys.end(), [&](const Key& key) { return key.name == name; });
  return at == kKeys.end() ? nullptr : &*at;
}

std::string unknown(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Key& key : kKeys) {
    if (key.name == fmt::format("kernel.{}", name)) {
      return fmt::format("unknown key '{}'; did you mean '{}'?", name, key.name);
    }
    names.push_back(key.name);
  }
  if (const auto meant = nearest(name, names)) {
    return fmt::format("unknown key '{}'; did you mean '{}'?", name, *meant);
  }
  return fmt::format("unknown key '{}'; the keys are: {}", name, fmt::join(names, ", "));
}

}  // namespace streamscope::experiment::keys
