// A made-up run of one kernel of tiles whose blocks recorded their stages, every number known.
#pragma once

#include <string>

#include "tests/support/timeline_run.h"

namespace streamscope::testing {

// The copy of a tile takes so long, then the work on it; as many copies are under way as there are places.
inline trace::StageBlock recorded_block(OperationIndex operation, std::uint32_t block, std::uint32_t multiprocessor,
                                        Nanoseconds begin, std::uint32_t places = 2, std::uint32_t tiles = 6,
                                        Nanoseconds copy = 300, Nanoseconds work = 200) {
  trace::StageBlock out;
  out.operation = operation;
  out.block = block;
  out.multiprocessor = multiprocessor;
  out.warp = 0;
  out.places = places;
  out.tiles = tiles;
  out.begin = begin;
  Nanoseconds now = begin + 50;
  for (std::uint32_t tile = 0; tile < tiles; ++tile) {
    trace::Stage stage;
    stage.tile = tile;
    stage.load_issued = tile < places ? begin + 10 + tile * 10 : out.stages[tile - places].compute_over;
    stage.wait_begun = now;
    stage.wait_over = std::max(now, stage.load_issued + copy);
    stage.compute_over = now = stage.wait_over + work;
    out.stages.push_back(stage);
  }
  out.end = now + 40;
  return out;
}

// Operation 1 of pipeline_run(), its first kernel (from 308 us, 290 us long), now tiles. Blocks 0 and 100 ran on
// multiprocessor 3, one after the other; 200 and 300 on 17, at one time.
inline trace::Run stages_run(const std::string& name = "tiles", std::uint32_t places = 2) {
  trace::Run run = pipeline_run({});
  trace::Trace& trace = run.trace;
  trace.names[1] = name;
  const Nanoseconds start = trace.spans[1].start;
  trace.stages.every = 100;
  trace.stages.blocks = {
      recorded_block(1, 0, 3, start + 1'000, places), recorded_block(1, 100, 3, start + 6'000, places),
      recorded_block(1, 200, 17, start + 1'000, places), recorded_block(1, 300, 17, start + 1'500, places)};
  trace::KernelFacts facts;
  facts.operation = 1;
  facts.blocks = 400;
  facts.threads = 256;
  facts.registers = 40;
  facts.shared_bytes = 48U << 10;
  facts.blocks_at_once = 4;
  facts.most_threads = 2'048;
  facts.multiprocessors = 132;
  facts.bytes = 1'160'000'000;
  facts.flops = 2.9e9;
  facts.copy_rate = 4e12;
  facts.peak_flops = 60e12;
  trace.kernels = {facts};
  return run;
}

}  // namespace streamscope::testing
