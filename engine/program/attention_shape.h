// How `attention` is cut up: the same for the kernel and for what models it.
#pragma once

#include <cstdint>

#include "engine/program/program.h"

namespace streamscope {

inline constexpr std::uint32_t kAttentionQueries = 128;  // rows of Q that a block works on
inline constexpr std::uint32_t kAttentionKeys = 32;     // rows of a tile of K or V
inline constexpr std::uint32_t kAttentionThreads = 256;

constexpr std::uint64_t attention_blocks(const op::Attention& one, std::uint64_t rows) {
  return one.heads * ((rows + kAttentionQueries - 1) / kAttentionQueries);
}
// Of K and of V, taken in turn: tile 2j is of K, tile 2j + 1 of V.
constexpr std::uint64_t attention_tiles(std::uint64_t rows) {
  return 2 * ((rows + kAttentionKeys - 1) / kAttentionKeys);
}

}  // namespace streamscope
