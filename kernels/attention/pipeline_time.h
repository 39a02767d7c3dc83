// How a block of `attention` goes through the tiles of K and V on a modelled GPU: tile 2j is of K, tile 2j + 1 of V.
#pragma once

#include "kernels/attention/attention.h"

namespace streamscope::kernels {

// Each tile of K and V is read from memory once, by the first block of its head that needs it; the others find it in
// the L2 cache.
Costs attention_costs(const Hardware& hardware, const AttentionOptions& options, std::uint64_t bytes);
// Bytes that so many blocks move: tiles of K and V from the cache, and their rows of Q and O.
Int128 attention_moves(const AttentionOptions& options, std::uint64_t bytes, Int128 blocks);
BlockPipeline attention_pipeline(const Hardware& hardware, const AttentionOptions& options, const Costs& costs,
                                 Int128 resident);

}  // namespace streamscope::kernels
