// Attention, forward: O = softmax(Q K^T / sqrt(d)) V for each head, over all keys (no mask), the way FlashAttention-2
// goes: a block holds a tile of query rows and takes the tiles of keys and values past it, with a running maximum and
// sum. It is here to show how those tiles are brought ahead with cp.async, and made for that: the products are CUDA
// cores' fmaf and not the tensor cores'. Sums are fp32 for both types.
//
// Each tile is waited for in two steps: its keys before Q K^T, its values only before the product with them. With two
// buffers the next tile's copies go on during both; with one they begin where the tile before is left behind. Nothing
// else differs, so both leave the same bits. A block has its multiprocessor to itself, whatever it needs: another one
// would hide the waits that are to be seen.
//
// Like everything behind launch.h: an int is a cudaError_t, pointers are device pointers. Compute capability 8.0 and
// later; cudaErrorNotSupported on others.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/attention/options.h"
#include "kernels/launch.h"
#include "kernels/stages.h"

namespace streamscope::kernels {

// [heads][rows][head_size], row-major and without gaps, aligned to 16 bytes. O overlaps none of the others.
struct Attention {
  const void* q;
  const void* k;
  const void* v;
  void* o;
  std::uint32_t heads;      // batch times heads; 1 or more, as are the next two
  std::uint32_t queries;    // rows of Q and O a head
  std::uint32_t keys;       // rows of K and V a head
  std::uint32_t head_size;  // 64 or 128
  bool bf16;                // all four; else fp32
  std::uint32_t buffers;    // 1 or 2: places for a tile of keys, and as many for values
  // Of a block, as attention_fit() says; 0: each launch asks the driver for it.
  std::size_t shared_bytes = 0;
};

constexpr std::uint64_t attention_query_tiles(const Attention& launch) {
  return (std::uint64_t{launch.queries} + kAttentionQueries - 1) / kAttentionQueries;
}
constexpr std::uint64_t attention_key_tiles(const Attention& launch) {
  return (std::uint64_t{launch.keys} + kAttentionKeys - 1) / kAttentionKeys;
}
// Head by head. A launch of 2^31 or more is refused.
constexpr std::uint64_t attention_blocks(const Attention& launch) {
  return launch.heads * attention_query_tiles(launch);
}

// With stages.blocks every stages.every-th block records its stages, and the launch must have a single stamp (no
// tickets): otherwise cudaErrorInvalidValue. Tile j's keys are record 2j and its values record 2j + 1; stages.ring is 2
// * buffers or more.
int attention(const Attention& launch, const StampTo& stamp, const StagesTo& stages, Stream stream);

// Registers of a thread, and how many blocks are resident on a multiprocessor.
struct AttentionFit {
  int blocks, registers, threads;
  std::size_t shared_bytes;  // dynamic, as it is launched: attention_shared_bytes() or more
};
int attention_fit(const Attention& launch, AttentionFit* fit);

// Loads every kernel before the first launch, and allows them as much dynamic shared memory as a block can have on this
// device.
int prepare_attention(std::size_t shared_bytes_limit);

}  // namespace streamscope::kernels
