#include "engine/device/cuda/runtime/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/quantity.h"
#include "engine/device/cuda/issue/attention_kernel.h"
#include "engine/device/cuda/issue/tile_kernels.h"
#include "engine/program/attention_shape.h"
#include "kernels/launch.h"

namespace streamscope::cuda {
namespace {

// A lower bound for the time of a kernel's multiply-add chains: by the rate of the multiprocessors (128 per cycle
// each), and by the latency of one thread's chains (4 cycles per result), of which `in_turn` follow each other.
double chains_nanoseconds(const program::InPlace& kernel, double blocks, double in_turn, const device::DeviceInfo& info,
                          Nanoseconds cycle_picoseconds) {
  const double multiprocessors = std::max(1, info.multiprocessors);
  const double elements = static_cast<double>(kernel.range.bytes / 4);
  const double by_rate = elements * kernel.fma / (std::min(blocks, multiprocessors) * 128);
  const double by_latency = std::max(1.0, in_turn) * kernel.fma * 4;
  return std::max(by_rate, by_latency) * static_cast<double>(cycle_picoseconds) / 1000;
}

double in_place_nanoseconds(const program::Work& work, const device::DeviceInfo& info, Nanoseconds cycle_picoseconds) {
  const double multiprocessors = std::max(1, info.multiprocessors);
  const program::InPlace kernel = *program::in_place(work);
  const double elements = static_cast<double>(kernel.range.bytes / 4);
  if (const auto* tiles = std::get_if<program::op::Tiles>(&work)) {
    // Tile by tile; one chain per thread where data is aligned to floats only.
    const double blocks = tiles->blocks != 0 ? tiles->blocks : tiles->blocks_per_sm * multiprocessors;
    const double tile = tiles->tile_bytes / 4.0;
    const double workers =
        tiles->copy == program::TileCopy::specialised ? tiles->threads - 32.0 * tiles->producers : tiles->threads;
    const double at_once = workers * (tiles->align >= 16 ? kernels::kAxpbChains : 1);
    const double per_block = std::ceil(std::ceil(elements / tile) / blocks);
    return chains_nanoseconds(kernel, blocks, per_block * std::ceil(tile / at_once), info, cycle_picoseconds);
  }
  const auto& axpb = std::get<program::op::Axpb>(work);
  const double blocks = axpb.blocks != 0 ? axpb.blocks : 2 * multiprocessors;
  return chains_nanoseconds(kernel, blocks, elements / (blocks * axpb.threads * kernels::kAxpbChains), info,
                            cycle_picoseconds);
}

// Two products of each row with every other, at half of the peak rate. Blocks come in waves, one per multiprocessor.
double attention_nanoseconds(const program::op::Attention& one, const device::DeviceInfo& info,
                             Nanoseconds cycle_picoseconds) {
  const auto each = static_cast<double>(program::rows(one));
  const double blocks = static_cast<double>(program::attention_blocks(one, program::rows(one)));
  const double waves = std::ceil(blocks / std::max(1, info.multiprocessors));
  const double per_block = 2.0 * std::min<double>(program::kAttentionQueries, each) * each * one.head;
  return waves * per_block / 64 * static_cast<double>(cycle_picoseconds) / 1000;
}

// Blocks that do not fit at once come in waves. The limits are those of the largest GPUs (CUDA C++ Programming Guide,
// "Technical Specifications per Compute Capability"); a smaller GPU takes longer.
double spin_nanoseconds(const program::op::Spin& spin, const device::DeviceInfo& info) {
  constexpr std::uint64_t kThreads = 2048, kBlocks = 32, kSharedBytes = 228 << 10, kReservedForBlock = 1 << 10;
  const std::uint64_t warps_of_threads = (std::max(1u, spin.threads) + 31ull) / 32 * 32;
  const std::uint64_t resident =
      std::min({kBlocks, kThreads / warps_of_threads, kSharedBytes / (spin.shared_bytes + kReservedForBlock)});
  const std::uint64_t at_once =
      std::max<std::uint64_t>(1, resident) * static_cast<std::uint64_t>(std::max(1, info.multiprocessors));
  const std::uint64_t waves = (spin.blocks + at_once - 1) / at_once;
  return static_cast<double>(waves) * static_cast<double>(spin.duration);
}

std::string longer_than_allowed(const program::Program& program, OperationIndex i, const std::string& takes) {
  return fmt::format(
      "line {}: {} takes {}: a kernel of more than {} freezes a display that hangs on the GPU; make it shorter, or "
      "allow it with --long-kernels",
      program.operations[i].line, program::label(program.operations[i].work), takes,
      display_duration(device::kLongestKernel));
}

}  // namespace

std::optional<Error> beyond_device(const program::Program& program, const device::DeviceInfo& info,
                                   std::uint64_t free_bytes, Nanoseconds cycle_picoseconds,
                                   const device::LoadOptions& options, std::uint64_t host_free_bytes) {
  constexpr std::size_t kMostLines = 16;
  std::vector<std::string> wrong;

  std::uint64_t all = 0;
  const program::Buffer* largest = nullptr;
  for (const program::Buffer& buffer : program.buffers) {
    if (buffer.made_in_run && buffer.bytes <= info.memory_bytes) continue;
    if (buffer.host == program::HostMemory::mapped) continue;  // kernels reach it over the bus
    if (__builtin_add_overflow(all, buffer.bytes, &all)) all = ~0ull;
    if (largest == nullptr || buffer.bytes > largest->bytes) largest = &buffer;
  }
  if (all > free_bytes) {
    wrong.push_back(
        fmt::format("line {}: buffer {} of {}: all buffers take {}, but {} has {} of memory free of its {}; make the "
                    "buffers smaller",
                    largest->line, largest->name, display_bytes(largest->bytes), display_bytes(all), info.name,
                    display_bytes(free_bytes), display_bytes(info.memory_bytes)));
  }

  // Managed memory counts on both sides: all of it may move to either.
  std::uint64_t on_host = 0;
  const program::Buffer* largest_on_host = nullptr;
  for (const program::Buffer& buffer : program.buffers) {
    if (buffer.made_in_run) continue;  // has no host side
    if (__builtin_add_overflow(on_host, buffer.bytes, &on_host)) on_host = ~0ull;
    if (largest_on_host == nullptr || buffer.bytes > largest_on_host->bytes) largest_on_host = &buffer;
  }
  if (on_host > host_free_bytes) {
    wrong.push_back(fmt::format(
        "line {}: buffer {} of {}: all buffers take {} of host memory, but only {} is free; make the buffers smaller",
        largest_on_host->line, largest_on_host->name, display_bytes(largest_on_host->bytes), display_bytes(on_host),
        display_bytes(host_free_bytes)));
  }

  std::optional<Nanoseconds> longest;
  if (!options.long_kernels) {
    std::uint32_t last_line = 0;
    const auto too_long = [&](double takes) {
      if (!(takes > static_cast<double>(device::kLongestKernel))) return false;
      longest = std::max(longest.value_or(0), static_cast<Nanoseconds>(std::min(takes, 9e18)));
      return true;
    };
    for (std::size_t i = 0; i < program.operations.size() && wrong.size() < kMostLines; ++i) {
      const program::Operation& operation = program.operations[i];
      if (operation.line == last_line) continue;  // a repeated statement is reported once
      const auto index = static_cast<OperationIndex>(i);
      if (const auto* spin = std::get_if<program::op::Spin>(&operation.work)) {
        const double takes = spin_nanoseconds(*spin, info);
        if (too_long(takes)) {
          const bool one_wave = takes <= static_cast<double>(spin->duration);
          wrong.push_back(longer_than_allowed(
              program, index,
              one_wave ? display_duration(spin->duration)
                       : fmt::format("about {:.3g} s ({} blocks do not fit at once)", takes / 1e9, spin->blocks)));
          last_line = operation.line;
        }
      }
      const auto* attention = std::get_if<program::op::Attention>(&operation.work);
      if (attention != nullptr || program::in_place(operation.work)) {
        const double takes = attention != nullptr ? attention_nanoseconds(*attention, info, cycle_picoseconds)
                                                  : in_place_nanoseconds(operation.work, info, cycle_picoseconds);
        if (too_long(takes)) {
          wrong.push_back(longer_than_allowed(program, index, fmt::format("about {:.3g} s", takes / 1e9)));
          last_line = operation.line;
        }
      }
    }
  }

  if (wrong.empty()) return std::nullopt;
  return Error{
      .kind = ErrorKind::bad_input, .message = fmt::format("{}", fmt::join(wrong, "\n")), .longest_kernel = longest};
}

bool allocates_in_streams(const program::Program& program) {
  return std::any_of(program.buffers.begin(), program.buffers.end(),
                     [](const program::Buffer& buffer) { return buffer.made_in_run && buffer.stream_ordered; });
}

std::optional<std::string> lacking(const program::Program& program, const CudaContext& context) {
  for (const program::Buffer& buffer : program.buffers) {
    if (buffer.host == program::HostMemory::managed && !buffer.made_in_run && !context.managed) {
      return fmt::format(
          "line {}: buffer {}: {} cannot let the host and the device touch managed memory in one run "
          "(cudaDevAttrConcurrentManagedAccess is 0); use host=mapped or host=pinned",
          buffer.line, buffer.name, context.info.name);
    }
    if (buffer.made_in_run && buffer.stream_ordered && !context.memory_pools) {
      return fmt::format(
          "line {}: buffer {}: {} has no memory pools for cudaMallocAsync (cudaDevAttrMemoryPoolsSupported is 0); use "
          "`host: malloc`",
          buffer.line, buffer.name, context.info.name);
    }
  }
  if (auto lacks = lacking_for_tiles(program, context)) return lacks;
  return lacking_for_attention(program, context);
}

std::optional<std::string> why_not_observable(const program::Program& program, device::Instrument instrument) {
  if (instrument != device::Instrument::sampled && instrument != device::Instrument::cupti) return std::nullopt;
  const std::string_view name = device::name(instrument);
  if (program.threads.size() > 1) {
    return fmt::format("line {}: the instrument {} takes programs of one host thread only: {}; use the instrument full",
                       program.threads[1].line, name,
                       instrument == device::Instrument::sampled
                           ? "several issue in another order in every run, and its runs are merged"
                           : "its records are distinguished by when their calls were made");
  }
  for (const program::Operation& operation : program.operations) {
    if (std::holds_alternative<program::op::Launch>(operation.work)) {
      return fmt::format("line {}: the instrument {} cannot see into graphs: {}; use the instrument full",
                         operation.line, name,
                         instrument == device::Instrument::sampled
                             ? "it puts events behind single operations, and a graph's nodes have none"
                             : "the records of its nodes belong to one call, and nothing distinguishes them");
    }
    if (instrument == device::Instrument::cupti && std::holds_alternative<program::op::Prefetch>(operation.work)) {
      return fmt::format("line {}: the instrument cupti has no record of cudaMemPrefetchAsync; use the instrument full",
                         operation.line);
    }
  }
  return std::nullopt;
}

}  // namespace streamscope::cuda
