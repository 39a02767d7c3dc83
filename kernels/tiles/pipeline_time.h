// How a block of `tiles` goes through its tiles on a modelled GPU.
//
// A copy takes memory's latency plus the time its bytes take while every multiprocessor copies as much; where memory is
// busy, requests queue. The work on a tile takes the multiply-adds of the busiest scheduler or the dependent chain of
// one warp, whichever is longer, plus what the way of copying costs (copy_costs.h). With one stage a tile takes its
// copy and then its work; with more, the copies of up to `stages` - 1 further tiles overlap the work. A
// warp-specialised kernel refills a place as soon as it is free. Blocks on one multiprocessor share its instruction
// issue, and each waits for its own copies.
#pragma once

#include "kernels/tiles/tiles.h"

namespace streamscope::kernels {

BlockPipeline tiles_pipeline(const Hardware& hardware, const TilesOptions& options, std::uint64_t bytes,
                             const Costs& costs, Int128 resident);
// Of a tile; of the only one, where the data is smaller.
std::uint32_t elements_of_tile(const TilesOptions& options, std::uint64_t bytes);

}  // namespace streamscope::kernels
