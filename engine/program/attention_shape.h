// How `attention` is divided into blocks and tiles: the same for the kernel and for its model.
#pragma once

#include <cstdint>

#include "engine/program/program.h"

namespace streamscope::program {

inline constexpr std::uint32_t kAttentionQueries = 128;  // rows of Q that a block works on
inline constexpr std::uint32_t kAttentionKeys = 32;      // rows of a tile of K or V
inline constexpr std::uint32_t kAttentionThreads = 256;
inline constexpr double kAttentionNeeds = 8.0;  // compute capability: cp.async

constexpr std::uint64_t attention_blocks(const op::Attention& one, std::uint64_t rows) {
  return one.heads * ((rows + kAttentionQueries - 1) / kAttentionQueries);
}
// Of K and of V, taken in turn: tile 2j is of K, tile 2j + 1 of V.
constexpr std::uint64_t attention_tiles(std::uint64_t rows) {
  return 2 * ((rows + kAttentionKeys - 1) / kAttentionKeys);
}
// Shared memory of a block, in bytes: its queries as floats, the weights of a tile, and the buffers. Rows are padded by
// 16 bytes, those of weights by 8 floats, so that eight of them are in different banks.
constexpr std::uint64_t attention_shared_bytes(const op::Attention& one) {
  const std::uint64_t element = one.bf16 ? 2 : 4;
  return kAttentionQueries * (one.head * std::uint64_t{4} + 16) +
         kAttentionQueries * (kAttentionKeys + std::uint64_t{8}) * 4 +
         std::uint64_t{2} * one.buffers * kAttentionKeys * (one.head * element + 16);
}

}  // namespace streamscope::program
