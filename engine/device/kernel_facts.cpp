#include "engine/device/kernel_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/program/diagnostic.h"

namespace streamscope::device {
namespace {

// As the language writes it, where that has a unit.
std::string with_unit(std::uint64_t bytes) { return bytes % 1024 == 0 ? exact_bytes(bytes) : tr("{} bytes", bytes); }

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
    all.push_back(facts);
  }
  return all;
}

kernels::Shape shape_of(const program::Program& program, const program::Work& work, std::uint32_t multiprocessors) {
  const kernels::Choice* const choice = program::kernel_of(program, work);
  if (choice == nullptr) return {};
  return choice->kernel->shape(choice->values, program::data_of(std::get<program::op::Kernel>(work)).bytes,
                               multiprocessors);
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
