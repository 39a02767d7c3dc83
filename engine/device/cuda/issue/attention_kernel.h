// `attention` on the GPU: its launch parameters and requirements.
#pragma once

#include <optional>
#include <string>

#include "engine/device/cuda/runtime/context.h"
#include "engine/program/program.h"
#include "kernels/attention/attention.h"

namespace streamscope::cuda {

kernels::Attention launch_of(const program::op::Attention& attention, char* data);

bool has_attention(const program::Program& program);  // its graphs included

// Why the GPU cannot run it, naming the line: compute capability, shared memory.
std::optional<std::string> lacking_for_attention(const program::Program& program, const CudaContext& context);

}  // namespace streamscope::cuda
