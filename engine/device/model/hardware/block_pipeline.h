// How a block brings tiles into shared memory and works on them: what the time of `tiles` and `attention` comes from,
// and what their blocks tell of their stages.
//
// A copy takes memory's latency and what its bytes take while every multiprocessor copies as much; where memory is
// busy, requests wait for each other. The work takes the longer of the multiply-adds of the busiest scheduler and of
// one warp's chains, and besides what the way of copying costs (tile_ways.h). With one stage a tile takes its copy and
// its work; with more, copies of up to `stages` - 1 others go on during the work. Where warps have roles a place is
// filled again as soon as it is free. Blocks on one multiprocessor take turns at its instructions, and each wait for
// its own copies.
#pragma once

#include <cstdint>

#include "engine/device/model/hardware/kernel_time.h"

namespace streamscope::model {

struct BlockPipeline {
  // When the copy of tile k begins; those of the first tiles at once.
  enum class Asks : std::uint8_t {
    ahead,      // as tile k - places + 1 has arrived: all threads have then left the one before it, in its place
    when_free,  // as tile k - places is worked on
    in_pairs,   // 2j and 2j + 1 as tile 2j - 1 is worked on
  };
  Asks asks = Asks::ahead;
  std::uint32_t places = 1;  // tiles in shared memory at once
  Wide copy = 0, work = 0;   // of one among many: ns
  // Of the work: what a block waits for by itself. Half of it, barriers and flags, comes before it works; the other
  // half, its results on their way, is work to those who look on (an H200's blocks tell so: 15 % of their time).
  Wide barriers = 0;
  Wide first = 0, each = 0;  // the first tile from its copy to the end of the work, and every further one
  Wide time(Wide tiles) const { return tiles == 0 ? 0 : first + (tiles - 1) * each; }
};

// Of tiles and attention, with so many blocks on a multiprocessor.
BlockPipeline block_pipeline(const Profile& profile, const Grid& grid, const Pace& pace, Wide resident);

// Bytes a second, read plus written, that tiles reach.
Wide tile_rate(const Profile& profile);
// The rate of large copies within the device: bytes a second, read plus written.
double copy_rate(const Profile& profile);

}  // namespace streamscope::model
