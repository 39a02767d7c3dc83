// What blocks would have told of their stages: the inside of kernels as the model has it.
//
// A kernel's time comes from the pipeline of its blocks (block_pipeline.h). Played tile by tile, the same pipeline
// gives the times of each stage: when a copy is asked for, when it arrives, when the tile is worked on. That is then
// made to fit the time that the kernel took in the simulation, which is longer where kernels shared the device or pages
// had to come first. Blocks come in waves, all of a wave at once and in order over the multiprocessors, each wave as
// long as the next; a block with fewer tiles ends sooner. So all blocks of a wave look alike: what makes them differ on
// a GPU is not simulated.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/device/model/hardware/block_pipeline.h"
#include "engine/device/model/profile/profile.h"
#include "engine/program/program.h"
#include "engine/trace/span.h"
#include "engine/trace/stages.h"

namespace streamscope::model {

// Of the kernels that stage_plan() names for `every`. `spans` are those of a finished run, by operation. 0: nothing.
trace::Stages modelled_stages(const Profile& profile, const program::Program& program,
                              std::span<const trace::Span> spans, std::uint32_t every);

// The last `kept` of a block's tiles, from its begin at 0; `took` is the block's whole time. Both are as the pipeline
// alone has them.
struct Played {
  std::vector<trace::Stage> stages;
  Nanoseconds took = 0;
};
Played play(const BlockPipeline& pipeline, std::uint32_t tiles, std::uint32_t kept);

}  // namespace streamscope::model
