#include "engine/predict/own_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>

#include "engine/program/limits.h"

namespace streamscope::predict {
namespace {

constexpr std::uint32_t kMostRegisters = 255;  // of a thread: CUDA C++ Programming Guide, technical specifications

// Kernel, blocks, threads, shared memory.
using Launch = std::tuple<std::string_view, std::uint64_t, std::uint32_t, std::uint64_t>;
Launch launch_of(const OwnTime& one) { return {one.kernel, one.blocks, one.threads, one.shared_bytes}; }
Launch launch_of(const kernels::OwnKernel& kernel, const kernels::Shape& shape) {
  return {kernel.name, shape.blocks, shape.threads, shape.shared_bytes};
}

OwnTime time_of(const kernels::OwnKernel& kernel, const kernels::Shape& shape) {
  OwnTime one;
  one.kernel = kernel.name;
  one.blocks = shape.blocks;
  one.threads = shape.threads;
  one.shared_bytes = shape.shared_bytes;
  return one;
}

}  // namespace

std::string source_mark(std::string_view text) {
  std::uint64_t mark = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : text) mark = (mark ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", mark);
}

std::vector<OwnTime> own_times(const trace::Trace& trace, const program::Program& program,
                               std::span<const kernels::OwnSource> sources) {
  std::vector<OwnTime> all;
  if (program.own_kernels.empty()) return all;
  std::vector<std::vector<Nanoseconds>> durations;
  std::map<Launch, std::size_t> index;
  for (const trace::Span& span : trace.spans) {
    if (!known(span.start) || !known(span.end) || span.operation >= program.operations.size()) continue;
    const kernels::Choice* const choice = program::kernel_of(program, program.operations[span.operation].work);
    const kernels::OwnKernel* const kernel = choice == nullptr ? nullptr : choice->kernel->own();
    if (kernel == nullptr) continue;
    const kernels::Shape shape = kernel->shape(choice->values, 0, 1);
    const auto [found, is_new] = index.try_emplace(launch_of(*kernel, shape), all.size());
    if (is_new) {
      OwnTime launch = time_of(*kernel, shape);
      const auto source = std::ranges::find(sources, kernel->file, &kernels::OwnSource::file);
      if (source != sources.end()) launch.source = source_mark(source->text);
      launch.device = trace.provenance.device;
      const auto fit = std::ranges::find_if(trace.launches, [&](const trace::LaunchShape& one) {
        return one.line == program.operations[span.operation].line && trace.names[one.name] == kernel->name;
      });
      if (fit != trace.launches.end()) launch.registers = fit->registers;
      all.push_back(std::move(launch));
      durations.emplace_back();
    }
    durations[found->second].push_back(span.end - span.start);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto middle = durations[i].begin() + static_cast<std::ptrdiff_t>((durations[i].size() - 1) / 2);
    std::ranges::nth_element(durations[i], middle);
    all[i].time = std::max<Nanoseconds>(1, *middle);
  }
  return all;
}

void give_own_times(program::Program& program, std::span<const OwnTime> times) {
  std::map<Launch, const OwnTime*> index;  // the first of each counts
  for (const OwnTime& one : times) {
    if (one.time > 0 && one.time <= program::kLongestDuration && one.registers <= kMostRegisters)
      index.try_emplace(launch_of(one), &one);
  }
  for (kernels::Choice& choice : program.kernels) {
    const kernels::OwnKernel* const kernel = choice.kernel->own();
    if (kernel == nullptr) continue;
    const kernels::Shape shape = kernel->shape(choice.values, 0, 1);
    const auto found = index.find(launch_of(*kernel, shape));
    if (shape.duration > 0 || found == index.end()) continue;
    const OwnTime& its = *found->second;
    choice.values = kernels::lasting(choice.values, its.time, its.registers);
    // Others of the same kernel may say their times themselves.
    const auto declared = std::ranges::find(program.own_kernels, kernel, [](const auto& one) { return one.get(); });
    program.own_lines.push_back(program.own_lines[static_cast<std::size_t>(declared - program.own_kernels.begin())]);
    program.own_kernels.push_back(std::make_shared<const kernels::OwnKernel>(
        kernel->name, kernel->file, kernel->parameters, kernel->stamped, its.device));
    choice.kernel = program.own_kernels.back().get();
  }
}

}  // namespace streamscope::predict
