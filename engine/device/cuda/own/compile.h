// NVRTC, which compiles a program's own kernels when the program is loaded. Its library is loaded when first asked for.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "kernels/own/own.h"

namespace streamscope::cuda {

// Machine code for the GPU, and what its functions are called in it: the three around the kernel (kernels/own/wrap.h),
// or of a kernel without stamps three times itself.
struct CompiledKernel {
  std::string cubin;
  std::string functions[3];
};

// `capability`: "9.0". Error bad_input: what the compiler says, "mine.cu:3:5: error: ..." a line, or why there is none.
Result<CompiledKernel> compile(const kernels::OwnKernel& kernel, std::string_view source, std::string_view capability);

}  // namespace streamscope::cuda
