#include "engine/device/cuda/runtime/limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/device/kernel_facts.h"
#include "engine/program/diagnostic.h"

namespace streamscope::cuda {
namespace {

std::string longer_than_allowed(const program::Program& program, OperationIndex i, const std::string& takes) {
  return program::at_line(
      program.operations[i].line,
      tr("{} takes {}: a kernel of more than {} freezes a display that hangs on the GPU; make it shorter, or "
         "allow it with --long-kernels",
         program::label(program, program.operations[i].work), takes, display_duration(device::kLongestKernel)));
}

}  // namespace

std::optional<Error> beyond_device(const program::Program& program, const device::DeviceInfo& info,
                                   std::uint64_t free_bytes, Nanoseconds cycle_picoseconds,
                                   const device::LoadOptions& options, std::uint64_t host_free_bytes, DeviceId device) {
  constexpr std::size_t kMostLines = 16;
  std::vector<std::string> wrong;

  struct Taken {
    std::uint64_t bytes = 0;
    const program::Buffer* largest = nullptr;
    void add(const program::Buffer& buffer) {
      if (__builtin_add_overflow(bytes, buffer.bytes, &bytes)) bytes = ~0ull;
      if (largest == nullptr || buffer.bytes > largest->bytes) largest = &buffer;
    }
  };
  // Managed memory counts on both sides: all of it may move to either.
  Taken on_device, on_host;
  for (const program::Buffer& buffer : program.buffers) {
    if (!buffer.made_in_run || buffer.on_host) on_host.add(buffer);  // else it has no host side
    if (buffer.on_host || !program::has_side(buffer, device)) continue;
    if (buffer.made_in_run && buffer.bytes <= info.memory_bytes) continue;
    if (buffer.host != program::HostMemory::mapped) on_device.add(buffer);  // else kernels reach it over the bus
  }
  if (on_device.bytes > free_bytes) {
    wrong.push_back(program::at_line(
        on_device.largest->line,
        tr("buffer {} of {}: all buffers take {}, but {} has {} of memory free of its {}; make the "
           "buffers smaller",
           on_device.largest->name, display_bytes(on_device.largest->bytes), display_bytes(on_device.bytes), info.name,
           display_bytes(free_bytes), display_bytes(info.memory_bytes))));
  }
  if (on_host.bytes > host_free_bytes) {
    wrong.push_back(program::at_line(
        on_host.largest->line,
        tr("buffer {} of {}: all buffers take {} of host memory, but only {} is free; make the buffers smaller",
           on_host.largest->name, display_bytes(on_host.largest->bytes), display_bytes(on_host.bytes),
           display_bytes(host_free_bytes))));
  }

  std::optional<Nanoseconds> longest;
  if (!options.long_kernels) {
    std::uint32_t last_line = 0;
    for (std::size_t i = 0; i < program.operations.size() && wrong.size() < kMostLines; ++i) {
      const program::Operation& operation = program.operations[i];
      if (operation.line == last_line) continue;  // a repeated statement is reported once
      const auto index = static_cast<OperationIndex>(i);
      const auto* launched = std::get_if<program::op::Kernel>(&operation.work);
      if (launched == nullptr || program::device_of(program, operation) != device) continue;
      const kernels::Choice& choice = program.kernels[launched->kernel];
      const kernels::Kernel::AtLeast takes = choice.kernel->at_least(
          choice.values, program::data_of(*launched).bytes,
          static_cast<std::uint32_t>(std::max(1, info.multiprocessors)), static_cast<double>(cycle_picoseconds) / 1000);
      if (!(takes.nanoseconds > static_cast<double>(device::kLongestKernel))) continue;
      longest = std::max(longest.value_or(0), static_cast<Nanoseconds>(std::min(takes.nanoseconds, 9e18)));
      const std::string because = takes.because.empty() ? "" : fmt::format(" ({})", takes.because);
      wrong.push_back(longer_than_allowed(program, index, tr("about {:.3g} s{}", takes.nanoseconds / 1e9, because)));
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

std::optional<std::string> lacking(const program::Program& program, const CudaContext& context, DeviceId device) {
  for (const program::Buffer& buffer : program.buffers) {
    if (buffer.host == program::HostMemory::managed && !buffer.made_in_run && !context.managed) {
      return program::at_line(buffer.line,
                              tr("buffer {}: {} cannot let the host and the device touch managed memory in one run "
                                 "(cudaDevAttrConcurrentManagedAccess is 0); use host=mapped or host=pinned",
                                 buffer.name, context.info.name));
    }
  }
  for (const program::Operation& operation : program.operations) {
    const bool frees = std::holds_alternative<program::op::FreeAsync>(operation.work);
    if (context.memory_pools || (!frees && !std::holds_alternative<program::op::MallocAsync>(operation.work))) continue;
    const program::Buffer& buffer = program.buffers[program::allocation_of(operation.work)->value];
    return program::at_line(
        operation.line,
        tr("buffer {}: {} has no memory pools for {} (cudaDevAttrMemoryPoolsSupported is 0); use `host: {}`",
           buffer.name, context.info.name, frees ? "cudaFreeAsync" : "cudaMallocAsync", frees ? "free" : "malloc"));
  }
  const bool own_code = context.compiled_for.empty() || context.compiled_for == context.info.compute_capability;
  const device::BlockLimits limits{own_code ? context.info.name : tr("this build's code for {}", context.info.name),
                                   own_code ? context.info.compute_capability : context.compiled_for,
                                   context.shared_bytes_limit};
  const auto lacking_of = [&](const std::vector<program::Operation>& operations) -> std::optional<std::string> {
    for (const program::Operation& operation : operations) {
      const kernels::Choice* const choice = program::kernel_of(program, operation.work);
      if (choice == nullptr || program::device_of(program, operation) != device) continue;
      if (auto lacks = device::lacking(*choice, operation.line, limits)) return lacks;
    }
    return std::nullopt;
  };
  auto lacks = lacking_of(program.operations);
  for (std::size_t g = 0; !lacks && g < program.graphs.size(); ++g) lacks = lacking_of(program.graphs[g].body);
  return lacks;
}

std::optional<std::string> why_process_is_shared(const program::Program& program) {
  if (!program::ends_its_process(program)) return std::nullopt;
  const OperationIndex first = program::first_fault(program);
  return program::at_line(program.operations[first].line,
                          tr("{}: on a GPU this ends the process that it happens in, and here that is the one of all "
                             "runs; use `streamscope run`, the window or a model, or take this line out",
                             program::describe(program, first)));
}

std::optional<std::string> why_not_observable(const program::Program& program, device::Instrument instrument) {
  if (program::ends_its_process(program) &&
      (instrument == device::Instrument::sampled || instrument == device::Instrument::cupti)) {
    return tr(
        "the instrument {} cannot observe a program that leaves its process without a GPU: it needs more than "
        "one pass, or the device behind it; use the instrument full",
        device::name(instrument));
  }
  if (instrument == device::Instrument::cupti) {
    for (const program::Graph& graph : program.graphs) {
      if (!graph.captured_in_run) continue;
      return program::at_line(graph.line, tr("the instrument cupti cannot tell the nodes of '{}' apart, which the run "
                                             "captures; use the instrument full, or leave out `host: capture {}`",
                                             graph.name, graph.name));
    }
  }
  if (instrument != device::Instrument::sampled) return std::nullopt;
  if (program.threads.size() > 1) {
    return program::at_line(
        program.threads[1].line,
        tr("the instrument sampled takes programs of one host thread only: several issue in another order in every "
           "run, and its runs are merged; use the instrument full"));
  }
  for (const program::Operation& operation : program.operations) {
    if (!std::holds_alternative<program::op::Launch>(operation.work)) continue;
    return program::at_line(
        operation.line, tr("the instrument sampled cannot see into graphs: it puts events behind single operations, "
                           "and a graph's nodes have none; use the instrument full"));
  }
  return std::nullopt;
}

}  // namespace streamscope::cuda
