// The stages inside kernels, as the model has them: what blocks of a GPU would have recorded.
//
// A kernel's time comes from the pipeline of its blocks (kernels/model_time.h). Stepped through tile by tile, the same
// pipeline gives the times of each stage: when a copy is issued, when it arrives, when the tile is worked on. Those are
// scaled to the time that the kernel took in the simulation, which is longer where kernels shared the device or pages
// had to be moved first. Blocks come in waves, all of a wave at once and in order over the multiprocessors, each wave
// as long as the next; a block with fewer tiles ends sooner. So all blocks of a wave look alike: what makes them differ
// on a GPU is not simulated.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/device/model/hardware/kernel_time.h"
#include "engine/device/model/profile/profile.h"
#include "engine/program/program.h"
#include "engine/trace/span.h"
#include "engine/trace/stages.h"

namespace streamscope::model {

using kernels::BlockPipeline;

// For the kernels that stage_plan() names for `every`; 0: none. `spans`: of a finished run, by operation.
trace::Stages modelled_stages(const Profile& profile, const program::Program& program,
                              std::span<const trace::Span> spans, std::uint32_t every);

// The last `kept` tiles of a block that begins at 0, and the block's whole time, by the pipeline alone.
struct PipelineRun {
  std::vector<trace::Stage> stages;
  Nanoseconds took = 0;
};
PipelineRun run_pipeline(const BlockPipeline& pipeline, std::uint32_t tiles, std::uint32_t kept);

}  // namespace streamscope::model
