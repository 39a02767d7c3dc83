// Attention (attention.h) computed by the CPU in double precision. Needs no GPU and no CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace streamscope::kernels {

// All matrices have one element type: float, or bfloat16 (the upper half of a float).
struct AttentionInput {
  const void* q;  // [heads][queries][head_size]
  const void* k;  // [heads][keys][head_size]
  const void* v;  // as k
  std::uint32_t heads, queries, keys, head_size;
  bool bf16;
};

// softmax(Q K^T / sqrt(head_size)) V, [heads][queries][head_size]. Uses all cores.
std::vector<double> attention_reference(const AttentionInput& input);

// The error of an output: the largest over all rows of the largest difference in the row divided by the largest value
// expected there (or not divided, if all are 0). Relative to the row, because a row is an average whose values become
// smaller with its length. Infinite if a value is NaN.
double attention_error(const void* found, bool bf16, const std::vector<double>& expected, std::uint32_t head_size);

// The largest acceptable attention_error: for float sums of up to some thousand values near 1; for bfloat16, several
// times the rounding of the output, 2^-9.
inline constexpr double kAttentionTolerance = 1e-5, kAttentionToleranceBf16 = 2e-2;

// Whether all elements lie from `least` to `most`. Uses all cores.
bool all_between(const char* data, std::uint64_t bytes, bool bf16, float least, float most);
// Rounds them to float32, and from there to bfloat16.
void write_elements(const std::vector<double>& elements, bool bf16, char* to);

// Of data that need not be aligned.
float element(const void* data, bool bf16, std::size_t index);
// Rounds finite numbers to nearest, ties to even.
std::uint16_t to_bf16(float value);
float from_bf16(std::uint16_t bits);

}  // namespace streamscope::kernels
