// attention: forward, O = softmax(Q K^T / sqrt(head)) V for each head, over all keys (no mask), the way
// FlashAttention-2 goes: a block holds a tile of query rows and takes the tiles of keys and values past it, with a
// running maximum and sum. The range holds Q, K, V and O one after the other, each [heads][rows][head].
//
// It is here to show how those tiles are brought ahead with cp.async, and made for that: the products are CUDA cores'
// fmaf and not the tensor cores'. Sums are fp32 for both types. Each tile is waited for in two steps: its keys before
// Q K^T, its values only before the product with them; or, as plain code does, in one for both. With two buffers the
// next tile's copies go on during both; with one they begin where the tile before is left behind. Nothing else differs,
// so all leave the same bits. A block has
// its multiprocessor to itself, whatever it needs: another one would hide the waits that are to be seen.
#pragma once

#include <cstddef>

#include "kernels/parts.h"

namespace streamscope::kernels {

inline constexpr std::uint32_t kAttentionThreads = 256;  // of a block
inline constexpr std::uint32_t kAttentionQueries = 128;  // rows of a tile of queries, and so of a block
inline constexpr std::uint32_t kAttentionKeys = 32;      // rows of a tile, of keys and of values
// Of so many rows of keys, or of values.
constexpr std::uint64_t attention_key_tiles(std::uint64_t rows) { return (rows + kAttentionKeys - 1) / kAttentionKeys; }

struct AttentionOptions {
  std::uint32_t heads;      // batch times heads; 1 or more
  std::uint32_t head_size;  // 64 or 128
  bool bf16;                // all four matrices; else fp32
  std::uint32_t buffers;    // 1 or 2: places for a tile of keys, and as many for values
  std::uint32_t waits = 2;  // 1 or 2, for each tile of keys and values

  std::uint32_t element_bytes() const { return bf16 ? 2 : 4; }
  // Of each of the four matrices, for every head.
  std::uint64_t rows(std::uint64_t bytes) const {
    return bytes / 4 / (std::uint64_t{heads} * head_size * element_bytes());
  }
  // With so many rows of queries a head; head by head.
  std::uint64_t blocks(std::uint64_t queries) const {
    return heads * ((queries + kAttentionQueries - 1) / kAttentionQueries);
  }
};
AttentionOptions attention_options(const Values& values);

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

const Kernel& attention_kernel();
// As it is taught: a function (const T* q, const T* k, const T* v, T* o, unsigned rows), T float or __nv_bfloat16.
CudaCode attention_code(const AttentionOptions& options, std::string_view name);
std::unique_ptr<Launcher> attention_launcher(const AttentionOptions& options);

}  // namespace streamscope::kernels
