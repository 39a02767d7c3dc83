#include "engine/device/kernel_facts.h"

#include <algorithm>

#include "engine/device/stage_plan.h"
#include "engine/program/attention_shape.h"

namespace streamscope::device {

std::vector<trace::KernelFacts> kernel_facts(const program::Program& program, int multiprocessors) {
  const auto of_device = static_cast<std::uint32_t>(std::max(1, multiprocessors));
  std::vector<trace::KernelFacts> all;
  for (std::size_t i = 0; i < program.operations.size() && all.size() < trace::kMostKernelFacts; ++i) {
    const program::Work& work = program.operations[i].work;
    const auto grid = tiled_grid(work, of_device);
    if (!grid) continue;
    trace::KernelFacts facts;
    facts.operation = static_cast<OperationIndex>(i);
    facts.blocks = grid->blocks;
    facts.multiprocessors = of_device;
    if (const auto* tiles = std::get_if<program::op::Tiles>(&work)) {
      facts.threads = tiles->threads;
      facts.bytes = 2 * tiles->range.bytes;
      facts.flops = 2.0 * tiles->fma * static_cast<double>(tiles->range.bytes / 4);
    } else {
      // Q, K and V are read and O is written once at least; blocks of one head share K and V through the caches. Two
      // products of each row with every other.
      const auto& attention = std::get<program::op::Attention>(work);
      const auto each = static_cast<double>(program::rows(attention));
      facts.threads = program::kAttentionThreads;
      facts.bytes = attention.range.bytes;
      facts.flops = 4.0 * attention.heads * attention.head * each * each;
    }
    all.push_back(facts);
  }
  return all;
}

}  // namespace streamscope::device
