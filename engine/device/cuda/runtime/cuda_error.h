// A failed CUDA call becomes an Error that says which call, which code and what it was for.
//
//   CUDA_TRY(cudaStreamSynchronize(stream), "while waiting for the copies");
//
// returns the Error from the enclosing function, whose result must be a Result. What kernels/launch.h returns is an
// error code, too, as an int.
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <string_view>

#include "engine/base/kind.h"
#include "engine/base/result.h"

namespace streamscope::cuda {

// `call` may be a whole expression, of which the name of the function is kept, such as kernels::fill.
Error cuda_error(cudaError_t code, std::string_view call, std::string_view operation);

// What a call returned, as a trace has it.
CallResult result_of(cudaError_t code);

// The name of the error, and in brackets its description.
std::string explain(cudaError_t code);

}  // namespace streamscope::cuda

#define CUDA_TRY(call, operation)                                                                  \
  do {                                                                                             \
    const auto code_of_call = static_cast<cudaError_t>(call);                                      \
    if (code_of_call != cudaSuccess) [[unlikely]]                                                  \
      return ::streamscope::fail(::streamscope::cuda::cuda_error(code_of_call, #call, operation)); \
  } while (false)
