#include "engine/device/kernel_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <unordered_set>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/program/diagnostic.h"

namespace streamscope::device {
namespace {

// As the language writes it, where that has a unit.
std::string with_unit(std::uint64_t bytes) { return bytes % 1024 == 0 ? exact_bytes(bytes) : tr("{} bytes", bytes); }

struct LaunchHash {
  std::size_t operator()(const trace::LaunchShape& of) const {
    return static_cast<std::size_t>((of.bytes + (std::uint64_t{of.line} << 32) + of.name) * 0x9E3779B97F4A7C15u);
  }
};
struct SameLaunch {
  bool operator()(const trace::LaunchShape& a, const trace::LaunchShape& b) const {
    return a.line == b.line && a.name == b.name && a.bytes == b.bytes;
  }
};

}  // namespace

std::vector<trace::KernelFacts> kernel_facts(const program::Program& program, int multiprocessors) {
  const auto of_device = static_cast<std::uint32_t>(std::max(1, multiprocessors));
  std::vector<trace::KernelFacts> all;
  for (std::size_t i = 0; i < program.operations.size() && all.size() < trace::kMostKernelFacts; ++i) {
    const kernels::Shape shape = shape_of(program, program.operations[i].work, of_device);
    if (shape.tiles == 0) continue;
    trace::KernelFacts facts;
    facts.operation = static_cast<OperationIndex>(i);
    facts.blocks = static_cast<std::uint32_t>(shape.blocks);
    facts.threads = shape.threads;
    facts.multiprocessors = of_device;
    facts.bytes = shape.bytes;
    facts.flops = shape.flops;
    facts.shared_bytes = shape.shared_bytes;
    const kernels::Choice& choice = *program::kernel_of(program, program.operations[i].work);
    kernels::StageCalls calls = choice.kernel->stage_calls(choice.values);
    facts.acquire = std::move(calls.acquire);
    facts.commit = std::move(calls.commit);
    facts.wait = std::move(calls.wait);
    facts.barrier = std::move(calls.barrier);
    facts.release = std::move(calls.release);
    all.push_back(std::move(facts));
  }
  return all;
}

std::vector<trace::LaunchShape> launch_shapes(
    const program::Program& program, const std::vector<std::string>& names, int multiprocessors,
    const std::function<void(OperationIndex first, trace::LaunchShape& shape)>& fill) {
  const auto of_device = static_cast<std::uint32_t>(std::max(1, multiprocessors));
  std::vector<trace::LaunchShape> all;
  std::unordered_set<trace::LaunchShape, LaunchHash, SameLaunch> seen;
  for (std::size_t i = 0; i < program.operations.size() && all.size() < trace::kMostLaunchShapes; ++i) {
    const program::Operation& operation = program.operations[i];
    if (program::kind(operation.work) != OperationKind::kernel) continue;
    const auto named = std::find(names.begin(), names.end(), program::label(program, operation.work));
    trace::LaunchShape launch{.line = operation.line,
                              .name = static_cast<std::uint32_t>(named - names.begin()),
                              .bytes = program::bytes(operation.work)};
    if (!seen.insert(launch).second) continue;
    const kernels::Shape shape = shape_of(program, operation.work, of_device);
    launch.blocks = shape.blocks;
    launch.threads = shape.threads;
    launch.shared_bytes = shape.shared_bytes;
    fill(static_cast<OperationIndex>(i), launch);
    all.push_back(launch);
  }
  std::sort(all.begin(), all.end(), trace::comes_before);
  return all;
}

kernels::Shape shape_of(const program::Program& program, const program::Work& work, std::uint32_t multiprocessors) {
  const kernels::Choice* const choice = program::kernel_of(program, work);
  if (choice == nullptr) return {};
  return choice->kernel->shape(choice->values, program::data_of(std::get<program::op::Kernel>(work)).bytes,
                               multiprocessors);
}

std::optional<std::string> wrong_on_purpose(const program::Program& program) {
  for (const program::Operation& operation : program.operations) {
    const kernels::Choice* const choice = program::kernel_of(program, operation.work);
    if (choice == nullptr) continue;
    if (const std::string why = choice->kernel->wrong_on_purpose(choice->values); !why.empty())
      return tr("Line {}, {}: {}. It is so on purpose.", operation.line, choice->kernel->word, why);
  }
  return std::nullopt;
}

std::optional<std::string> lacking(const kernels::Choice& choice, std::uint32_t line, const BlockLimits& limits) {
  const kernels::Needs needs = choice.kernel->needs(choice.values);
  const double has = std::strtod(limits.compute_capability.c_str(), nullptr);
  if (has > 0 && has < needs.capability) {
    return program::at_line(
        line, tr("{} needs compute capability {:.1f} or later, and {} has {}{}{}", needs.what, needs.capability,
                 limits.name, limits.compute_capability, needs.instead.empty() ? "" : "; ", needs.instead));
  }
  const std::uint64_t takes = choice.kernel->shape(choice.values, 0, 1).shared_bytes;
  if (takes <= limits.shared_bytes) return std::nullopt;
  return program::at_line(line, tr("{} takes {} of shared memory for a block, and {} gives one {} at most; {}",
                                   choice.kernel->word, with_unit(takes), limits.name, with_unit(limits.shared_bytes),
                                   choice.kernel->smaller(choice.values, limits.shared_bytes)));
}

}  // namespace streamscope::device
