// Attention (kernels/attention/attention.h) computed by the CPU in double precision. Needs no GPU and no CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace streamscope::cuda {

// Of one type in memory: float, or bfloat16, which is the upper half of a float.
struct AttentionInput {
  const void* q;  // [heads][queries][head_size]
  const void* k;  // [heads][keys][head_size]
  const void* v;  // as k
  std::uint32_t heads, queries, keys, head_size;
  bool bf16;
};

// softmax(Q K^T / sqrt(head_size)) V, [heads][queries][head_size]. Over all cores.
std::vector<double> attention_reference(const AttentionInput& input);

// How far off an output is, of elements of that type: of each row the largest difference by the largest value that was
// expected there, and of these the largest. A row is an average of values, and the longer the smaller; so each is held
// against itself. Where one of them is NaN it is infinite, and of a row of zeros it is the difference.
double attention_error(const void* found, bool bf16, const std::vector<double>& expected, std::uint32_t head_size);

// What attention_error may be: for sums in float of up to some thousand values of a size near 1; and for bfloat16 the
// rounding of the output, 2^-9, several times.
inline constexpr double kAttentionTolerance = 1e-5, kAttentionToleranceBf16 = 2e-2;

// To the nearest, to even between two. Of finite numbers.
std::uint16_t to_bf16(float value);
float from_bf16(std::uint16_t bits);

}  // namespace streamscope::cuda
