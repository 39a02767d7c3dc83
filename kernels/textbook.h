// A kernel as it is taught: CUDA C++ for people, without any measurement of itself. `run --emit-cuda` writes it.
//
// Plain text on both sides: what a kernel gives (CudaCode, CudaLaunch) and what it is given (CudaOperands) are C++.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace streamscope::kernels {

// The definition of a __global__ function.
struct CudaCode {
  std::vector<std::string_view> headers = {};  // "<cuda/pipeline>"; those of every program are not named
  std::vector<std::string> helpers = {};       // functions before it, each of which several kernels may share
  std::string definition = {};
  int architecture = 0;  // compute capability times ten that nvcc must compile for; 0: any
};

// What a launch works on, as expressions.
struct CudaOperands {
  std::string first, second;  // char*, the ranges of the statement; empty where there is none
  std::string bytes;          // of the data: of its only range, or of the second
  // Of options that may differ between launches of one definition (Option::argument), in their order; else empty.
  std::vector<std::string> values;
};

struct CudaLaunch {
  std::string blocks, arguments;   // in which `multiprocessors` is the device's number of them
  std::uint64_t shared_bytes = 0;  // dynamic ones
};

// The text with each `$key$` replaced.
std::string filled_in(std::string_view text,
                      std::initializer_list<std::pair<std::string_view, std::string_view>> values);
// A type in brackets before a pointer expression: "reinterpret_cast<float*>(x + 4096)".
std::string cast_to(std::string_view type, std::string_view pointer);
// "4 * MiB / 4"; a sum in brackets.
std::string divided_by(std::string_view bytes, std::string_view divisor);

}  // namespace streamscope::kernels
