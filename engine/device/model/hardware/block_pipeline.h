// How a block of `tiles` or `attention` brings tiles into shared memory and works on them. The kernel's time comes from
// this, and so do the stages that its blocks would record.
//
// A copy takes memory's latency plus the time its bytes take while every multiprocessor copies as much; where memory is
// busy, requests queue. The work on a tile takes the multiply-adds of the busiest scheduler or the dependent chain of
// one warp, whichever is longer, plus what the way of copying costs (tile_copy_costs.h). With one stage a tile takes
// its copy and then its work; with more, the copies of up to `stages` - 1 further tiles overlap the work. A
// warp-specialised kernel refills a place as soon as it is free. Blocks on one multiprocessor share its instruction
// issue, and each waits for its own copies.
#pragma once

#include <cstdint>

#include "engine/device/model/hardware/kernel_time.h"

namespace streamscope::model {

struct BlockPipeline {
  // When the copy of tile k begins; those of the first tiles begin at once.
  enum class CopyBegins : std::uint8_t {
    ahead,      // when tile k - places + 1 has arrived: all threads have then finished with tile k - places
    when_free,  // when the work on tile k - places is done
    in_pairs,   // tiles 2j and 2j + 1: when the work on tile 2j - 1 is done
  };
  CopyBegins begins = CopyBegins::ahead;
  std::uint32_t places = 1;  // tiles in shared memory at once
  Int128 copy = 0, work = 0;  // of one tile among many: ns
  // The part of `work` that a block spends waiting for its own barriers, flags and results. The first half comes before
  // the arithmetic and counts as a wait; the second half counts as work (15 % of the time of an H200's blocks).
  Int128 barriers = 0;
  Int128 first = 0, each = 0;  // time of the first tile, from its copy to the end of its work; of each further one
  Int128 time(Int128 tiles) const { return tiles == 0 ? 0 : first + (tiles - 1) * each; }
};

// For tiles and attention, with `resident` blocks on a multiprocessor.
BlockPipeline block_pipeline(const Profile& profile, const Grid& grid, const GridCosts& costs, Int128 resident);

// Bytes a second, read plus written, that tiles reach.
Int128 tile_rate(const Profile& profile);
// The rate of large copies within the device: bytes a second, read plus written.
double copy_rate(const Profile& profile);

}  // namespace streamscope::model
