// The CUDA C++ of a stream program: one file that nvcc compiles, with the same calls, the same allocation and the same
// warm-up, kernels as they are taught, and the wall time printed.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/program/program.h"
#include "engine/program/syntax/tree.h"

namespace streamscope::cuda_source {

struct CudaSource {
  std::string text;
  // For each of its lines the one of the program that it comes from: of a statement its calls, of a declaration
  // whatever makes, fills and frees the thing. 0: none, as of kernels and the rest around.
  std::vector<std::uint32_t> lines;
  std::vector<bool> declares = {};  // of each whether it makes, fills or frees a thing, and is no statement's call
};

// Where its lines that come from these of the program begin: with the first call, where there is one;
// source.lines.size() where there are none of them.
std::size_t first_line(const CudaSource& source, const std::set<std::uint32_t>& of_program);

// Loops of the program stay loops. Those whose names are no plain array (`buffer x{i}y`) are written out; error: that
// comes to more than kMostLines. `program` is what check() made of `syntax`; `file`: what the first comment tells nvcc
// to compile.
inline constexpr std::size_t kMostLines = 100'000;
Result<CudaSource> write(const program::Syntax& syntax, const program::Program& program, std::string_view file);
// Of a text without errors.
Result<CudaSource> write(std::string_view text, const program::Program& program, std::string_view file);

}  // namespace streamscope::cuda_source
