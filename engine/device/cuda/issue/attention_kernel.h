// `attention` on the GPU: how it is launched, and what it needs.
#pragma once

#include <optional>
#include <string>

#include "engine/device/cuda/runtime/context.h"
#include "engine/program/program.h"
#include "kernels/attention/attention.h"

namespace streamscope::cuda {

kernels::Attention launched(const program::op::Attention& attention, char* data);

bool has_attention(const program::Program& program);  // its graphs included

// What the GPU cannot do of it, by line: its compute capability, shared memory.
std::optional<std::string> lacking_for_attention(const program::Program& program, const CudaContext& context);

}  // namespace streamscope::cuda
