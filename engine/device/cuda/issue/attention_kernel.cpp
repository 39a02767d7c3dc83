#include "engine/device/cuda/issue/attention_kernel.h"

#include <fmt/format.h>

#include <cstdlib>

#include "engine/device/cuda/issue/each_operation.h"
#include "engine/program/attention_shape.h"

namespace streamscope::cuda {

static_assert(program::kAttentionQueries == kernels::kAttentionQueries &&
              program::kAttentionKeys == kernels::kAttentionKeys &&
              program::kAttentionThreads == kernels::kAttentionThreads);

static_assert(program::attention_shared_bytes({.range = {}, .heads = 1, .head = 64, .bf16 = false, .buffers = 1}) ==
                  kernels::attention_shared_bytes(64, false, 1) &&
              program::attention_shared_bytes({.range = {}, .heads = 1, .head = 128, .bf16 = true, .buffers = 2}) ==
                  kernels::attention_shared_bytes(128, true, 2));

kernels::Attention launch_of(const program::op::Attention& attention, char* data) {
  const std::uint64_t matrix = attention.range.bytes / 4;
  const auto each = static_cast<std::uint32_t>(program::rows(attention));
  kernels::Attention launch{};
  launch.q = data;
  launch.k = data + matrix;
  launch.v = data + 2 * matrix;
  launch.o = data + 3 * matrix;
  launch.heads = attention.heads;
  launch.queries = each;
  launch.keys = each;
  launch.head_size = attention.head;
  launch.bf16 = attention.bf16;
  launch.buffers = attention.buffers;
  return launch;
}

bool has_attention(const program::Program& program) {
  bool has = false;
  each_of<program::op::Attention>(program,
                                  [&](const program::Operation&, const program::op::Attention&) { has = true; });
  return has;
}

std::optional<std::string> lacking_for_attention(const program::Program& program, const CudaContext& context) {
  std::optional<std::string> lacks;
  const double capability = std::strtod(context.info.compute_capability.c_str(), nullptr);
  each_of<program::op::Attention>(program, [&](const program::Operation& operation, const program::op::Attention& one) {
    if (lacks) return;
    const std::size_t needed = kernels::attention_shared_bytes(one.head, one.bf16, one.buffers);
    if (capability < 8.0) {
      lacks = fmt::format("line {}: attention needs compute capability 8.0 or later for cp.async, and {} has {}",
                          operation.line, context.info.name, context.info.compute_capability);
    } else if (needed > context.shared_bytes_limit) {
      lacks = fmt::format(
          "line {}: attention takes {} bytes of shared memory here, and {} gives a block at most {}; "
          "write buffers=1, type=bf16 or head=64",
          operation.line, needed, context.info.name, context.shared_bytes_limit);
    }
  });
  return lacks;
}

}  // namespace streamscope::cuda
