// How `attention` is divided into blocks and tiles, and its options as the CUDA part takes them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace streamscope::kernels {

inline constexpr std::uint32_t kAttentionThreads = 256;  // of a block
inline constexpr std::uint32_t kAttentionQueries = 128;  // rows of a tile of queries, and so of a block
inline constexpr std::uint32_t kAttentionKeys = 32;      // rows of a tile, of keys and of values

struct AttentionOptions {
  std::uint32_t heads, head_size;
  bool bf16;
  std::uint32_t buffers;  // 1 or 2: places for a tile of keys, and as many for values
  std::uint32_t element_bytes() const { return bf16 ? 2 : 4; }
  // Of each of the four matrices, for every head.
  std::uint64_t rows(std::uint64_t bytes) const {
    return bytes / 4 / (std::uint64_t{heads} * head_size * element_bytes());
  }
};

// Padding of each row in shared memory, in bytes, so that eight consecutive rows are in different banks.
inline constexpr std::size_t kAttentionPad = 16;
// Floats per row of softmax weights, padded for the same reason.
inline constexpr std::size_t kAttentionWeightsRow = kAttentionKeys + 8;

// Shared memory that a block uses, in bytes: the queries as floats, the softmax weights of a tile, and the places.
constexpr std::size_t attention_shared_bytes(std::uint32_t head_size, bool bf16, std::uint32_t buffers) {
  return kAttentionQueries * (head_size * sizeof(float) + kAttentionPad) +
         kAttentionQueries * kAttentionWeightsRow * sizeof(float) +
         std::size_t{2} * buffers * kAttentionKeys * (head_size * (bf16 ? 2 : 4) + kAttentionPad);
}

}  // namespace streamscope::kernels
