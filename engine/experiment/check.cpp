#include "engine/experiment/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/quantity.h"
#include "engine/experiment/keys.h"
#include "engine/program/limits.h"
#include "engine/program/tile_memory.h"

namespace streamscope::experiment {
namespace {

// The counts nearest to `count` that divide `bytes` into chunks of a multiple of `unit`. A bounded search: one far away
// is no useful suggestion.
struct Near {
  std::uint64_t fewer = 0, more = 0;  // 0: none near
};
Near counts_near(std::uint64_t bytes, std::uint64_t count, std::uint64_t unit) {
  constexpr std::uint64_t kFar = 200'000;
  const auto fits = [&](std::uint64_t n) { return bytes % n == 0 && bytes / n % unit == 0; };
  Near near;
  for (std::uint64_t n = count; n > 0 && count - n < kFar && near.fewer == 0; --n) {
    if (fits(n)) near.fewer = n;
  }
  for (std::uint64_t n = count + 1; n <= bytes && n - count < kFar && near.more == 0; ++n) {
    if (fits(n)) near.more = n;
  }
  return near;
}

std::string suggestion(std::uint64_t bytes, std::uint64_t count, std::uint64_t unit, bool counted) {
  const Near near = counts_near(bytes, count, unit);
  std::vector<std::string> ways;
  for (const std::uint64_t n : {near.more, near.fewer}) {
    if (n == 0) continue;
    ways.push_back(counted ? fmt::format("{}", n) : fmt::format("\"{}\" ({} chunks)", exact_bytes(bytes / n), n));
  }
  if (ways.empty()) return "choose a power of two for both";
  return fmt::format("nearest that do: {}", fmt::join(ways, " and "));
}

// What a chunk must be a multiple of, in bytes, and why.
struct Unit {
  std::uint64_t bytes = 1;
  std::string why;
};
Unit unit_of(const Experiment& experiment) {
  if (!experiment.kernel) return {};
  switch (experiment.kernel_name) {
    case KernelName::axpb: return {4, "the kernel axpb works on float32"};
    case KernelName::tiles: {
      const std::uint64_t align = std::max(16u, experiment.kernel_align);
      return {align, fmt::format("the kernel tiles takes data aligned to {} bytes", align)};
    }
    case KernelName::attention: {
      const std::uint64_t row =
          4ull * experiment.kernel_heads * experiment.kernel_head * (experiment.kernel_bf16 ? 2 : 4);
      return {row, fmt::format("the kernel attention takes it for Q, K, V and O, and one row of each for all heads is "
                               "{} bytes",
                               row)};
    }
    case KernelName::spin: break;
  }
  return {};
}

void check_chunks(const Experiment& experiment, std::optional<std::uint64_t> chunks, std::vector<Violation>& found) {
  const std::uint64_t bytes = experiment.bytes;
  const bool attention = experiment.kernel && experiment.kernel_name == KernelName::attention;  // check_attention()
  const auto [unit, why] = attention ? Unit{} : unit_of(experiment);
  const std::uint64_t chunk = experiment.chunk;
  if (bytes == 0) return found.push_back({"bytes", "bytes is 0; write a size, such as \"256MiB\""});
  if (chunks) {
    if (*chunks == 0) return found.push_back({"chunks", "chunks is 0; write 1 or more"});
    if (bytes % *chunks != 0) {
      return found.push_back({"chunks", fmt::format("{} chunks do not divide {} evenly; {}", *chunks,
                                                    exact_bytes(bytes), suggestion(bytes, *chunks, unit, true))});
    }
    if (bytes / *chunks % unit != 0) {
      return found.push_back(
          {"chunks", fmt::format("{} chunks of {} bytes: {}, so a chunk is a multiple of {} bytes; {}", *chunks,
                                 bytes / *chunks, why, unit, suggestion(bytes, *chunks, unit, true))});
    }
    return;
  }
  if (chunk == 0) return found.push_back({"chunk", "chunk is 0; write a size, such as \"16MiB\""});
  if (chunk > bytes) {
    return found.push_back(
        {"chunk", fmt::format("chunk is {}, more than bytes, which is {}; write \"{}\" for one chunk, or "
                              "fewer bytes",
                              exact_bytes(chunk), exact_bytes(bytes), exact_bytes(bytes))});
  }
  if (bytes % chunk != 0) {
    return found.push_back({"chunk", fmt::format("chunks of {} do not divide {} evenly; {}", exact_bytes(chunk),
                                                 exact_bytes(bytes), suggestion(bytes, bytes / chunk, unit, false))});
  }
  if (chunk % unit != 0) {
    found.push_back({"chunk", fmt::format("chunk is {} bytes; {}, so write a multiple of {}: {}", chunk, why, unit,
                                          suggestion(bytes, bytes / chunk, unit, false))});
  }
}

void check_count(const Experiment& experiment, std::optional<std::uint64_t> chunks, std::vector<Violation>& found) {
  const bool mapped = experiment.host == program::HostMemory::mapped;  // nothing is copied
  const std::uint64_t copies = mapped ? 0 : std::uint64_t{experiment.h2d} + experiment.d2h;
  const std::uint64_t each = copies + (experiment.kernel ? experiment.mode == Mode::sync ? 2 : 1 : 0);
  if (each == 0 && mapped) {
    return found.push_back({"kernel.name",
                            "nothing to do: the kernel is none, and mapped memory is not copied; write axpb for the "
                            "kernel, or another host memory"});
  }
  if (each == 0) {
    return found.push_back(
        {"kernel.name", "nothing to do: h2d and d2h are false and the kernel is none; switch one on"});
  }
  if (!chunks && experiment.chunk == 0) return;
  const std::uint64_t count = chunks ? *chunks : experiment.bytes / experiment.chunk;
  const std::uint64_t around = 2ull * experiment.streams + 1;  // records, synchronisations, and the final one
  if (count > (program::kMaximumOperations - around) / each) {
    found.push_back({chunks ? "chunks" : "chunk",
                     fmt::format("{} chunks make {} operations each, more than {} in all; use larger chunks", count,
                                 each, program::kMaximumOperations)});
  }
}

// Few sizes are divisible for a number of heads that is no power of two: then the heads are to be changed.
void check_attention(const Experiment& experiment, std::optional<std::uint64_t> chunks, std::vector<Violation>& found) {
  if (!experiment.kernel || experiment.kernel_name != KernelName::attention || experiment.bytes == 0) return;
  const std::uint64_t count = chunks ? *chunks : experiment.chunk == 0 ? 0 : experiment.bytes / experiment.chunk;
  if (count == 0 || experiment.bytes % count != 0) return;
  const std::uint64_t chunk = experiment.bytes / count;
  const auto [unit, why] = unit_of(experiment);
  if (chunk % unit == 0) return;
  std::uint32_t fits = 0;
  for (std::uint32_t heads = 1; heads <= experiment.kernel_heads; heads *= 2) {
    if (chunk % (unit / experiment.kernel_heads * heads) == 0) fits = heads;
  }
  found.push_back(
      {"kernel.heads",
       fmt::format("a chunk is {}; {}, which it must be a multiple of: write {}", exact_bytes(chunk), why,
                   fits > 0 ? fmt::format("{} heads, or another chunk", fits) : std::string("another chunk"))});
}

void check_tiles(const Experiment& experiment, std::vector<Violation>& found) {
  if (!experiment.kernel || experiment.kernel_name != KernelName::tiles) return;
  const std::uint64_t tile = experiment.kernel_tile;
  const std::uint32_t unit = std::max(16u, experiment.kernel_align);
  if (tile < unit || tile % unit != 0 || tile > program::kMostSharedBytes) {
    return found.push_back(
        {"kernel.tile", fmt::format("kernel.tile is {} bytes; write a multiple of {} up to 226KiB, such "
                                    "as \"16KiB\"",
                                    tile, unit)});
  }
  if (experiment.kernel_copy == program::TileCopy::bulk && experiment.kernel_align < 16) {
    found.push_back({"kernel.align", "copy bulk needs data aligned to 16 bytes; write 16 or 128"});
  }
  if (experiment.kernel_copy == program::TileCopy::specialised && experiment.kernel_producers > 0 &&
      experiment.kernel_producers >= experiment.kernel_threads / 32) {
    found.push_back({"kernel.producers", fmt::format("a block of {} threads has {} warps, and one at least must work; "
                                                     "write fewer, or 0 for a quarter of them",
                                                     experiment.kernel_threads, experiment.kernel_threads / 32)});
  }
  if (experiment.kernel_copy == program::TileCopy::specialised &&
      (experiment.kernel_threads < 64 || experiment.kernel_threads % 32 != 0)) {
    found.push_back(
        {"kernel.threads",
         fmt::format("a warp-specialised kernel has two warps or more: write a multiple of 32 threads, 64 at "
                     "least, not {}",
                     experiment.kernel_threads)});
  }
  const std::uint32_t stages = experiment.kernel_copy == program::TileCopy::sync ? 1 : experiment.kernel_stages;
  const std::uint32_t fit =
      program::stages_that_fit(stages, static_cast<std::uint32_t>(tile), program::kMostSharedBytes);
  if (fit == stages) return;
  found.push_back(
      {fit > 0 ? "kernel.stages" : "kernel.tile",
       fmt::format("{} stages of {} need more shared memory than any device has for a block, 227KiB; {}", stages,
                   exact_bytes(tile), fit > 0 ? fmt::format("{} fit", fit) : "write a smaller tile")});
}

}  // namespace

std::vector<Violation> violations(const Experiment& experiment, std::optional<std::uint64_t> chunks) {
  std::vector<Violation> found;
  check_chunks(experiment, chunks, found);
  check_count(experiment, chunks, found);
  check_attention(experiment, chunks, found);
  check_tiles(experiment, found);
  return found;
}

Result<void> check(const Experiment& experiment) {
  std::vector<Violation> found = violations(experiment, {});
  const auto outside = [&](std::string_view key, std::int64_t value, std::int64_t least, std::int64_t most) {
    if (value < least || value > most) {
      found.push_back({key, fmt::format("{} is {}; write a number from {} to {}", key, value, least, most)});
    }
  };
  outside("streams", experiment.streams, 1, keys::kMostStreams);
  outside("kernel.fma", experiment.kernel_fma, 1, keys::kMostFma);
  outside("kernel.stages", experiment.kernel_stages, 1, program::kMostTileStages);
  outside("kernel.diverge", experiment.kernel_diverge, 1, keys::kWarp);
  outside("kernel.producers", experiment.kernel_producers, 0, keys::kWarp - 1);
  outside("kernel.per_sm", experiment.kernel_per_sm, 1, keys::kMostPerMultiprocessor);
  outside("kernel.heads", experiment.kernel_heads, 1, keys::kMostHeads);
  const auto one_of = [&](std::string_view key, std::uint32_t value, std::initializer_list<std::uint32_t> few) {
    if (std::find(few.begin(), few.end(), value) == few.end()) {
      found.push_back({key, fmt::format("{} is {}; write one of: {}", key, value, fmt::join(few, ", "))});
    }
  };
  one_of("kernel.bytes", experiment.kernel_bytes, {4, 8, 16});
  one_of("kernel.align", experiment.kernel_align, {4, 16, 128});
  one_of("kernel.head", experiment.kernel_head, {64, 128});
  one_of("kernel.buffers", experiment.kernel_buffers, {1, 2});
  outside("kernel.blocks", experiment.kernel_blocks, 0, keys::kMostBlocks);
  outside("kernel.threads", experiment.kernel_threads, 1, keys::kMostThreads);
  if (experiment.kernel_duration <= 0) {
    found.push_back(
        {"kernel.duration", fmt::format("kernel.duration is {} ns; write a duration above 0, such as \"300us\"",
                                        experiment.kernel_duration)});
  }
  if (found.empty()) return {};
  std::string message;
  for (const Violation& violation : found) {
    if (!message.empty()) message += '\n';
    message += fmt::format("{}: error: {}", violation.key, violation.message);
  }
  return fail(ErrorKind::bad_input, std::move(message));
}

}  // namespace streamscope::experiment
