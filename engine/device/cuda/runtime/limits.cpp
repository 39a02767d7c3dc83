#include "engine/device/cuda/runtime/limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/quantity.h"
#include "engine/device/cuda/issue/each_operation.h"
#include "engine/device/kernel_facts.h"

namespace streamscope::cuda {
namespace {

std::string longer_than_allowed(const program::Program& program, OperationIndex i, const std::string& takes) {
  return fmt::format(
      "line {}: {} takes {}: a kernel of more than {} freezes a display that hangs on the GPU; make it shorter, or "
      "allow it with --long-kernels",
      program.operations[i].line, program::label(program, program.operations[i].work), takes,
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
      const auto* launched = std::get_if<program::op::Kernel>(&operation.work);
      if (launched == nullptr) continue;
      const kernels::Choice& choice = program.kernels[launched->kernel];
      const kernels::Kernel::AtLeast takes = choice.kernel->at_least(
          choice.values, program::data_of(*launched).bytes,
          static_cast<std::uint32_t>(std::max(1, info.multiprocessors)), static_cast<double>(cycle_picoseconds) / 1000);
      if (!too_long(takes.nanoseconds)) continue;
      const std::string because = takes.because.empty() ? "" : fmt::format(" ({})", takes.because);
      wrong.push_back(
          longer_than_allowed(program, index, fmt::format("about {:.3g} s{}", takes.nanoseconds / 1e9, because)));
      last_line = operation.line;
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
  const device::BlockLimits limits{context.info.name, context.info.compute_capability, context.shared_bytes_limit};
  std::optional<std::string> lacks;
  each_of<program::op::Kernel>(program, [&](const program::Operation& operation, const program::op::Kernel& one) {
    if (!lacks) lacks = device::lacking(program.kernels[one.kernel], operation.line, limits);
  });
  return lacks;
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
