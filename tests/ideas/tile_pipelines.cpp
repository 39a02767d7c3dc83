// Pipelines and barriers inside a kernel: their stages, the calls that stand between them, and what they are needed
// for.
#include <algorithm>

#include "tests/ideas/idea.h"

namespace streamscope::ideas {

namespace {

constexpr const char* kStages = R"(
buffer x 256MiB
stream A nonblocking
A: tiles x fma=32 copy=pipeline stages=1  # single
A: tiles x fma=32 copy=pipeline stages=2  # two
A: tiles x fma=32 copy=pipeline stages=4  # four
)";

constexpr const char* kCooperative = R"(
buffer x 256MiB
stream A nonblocking
A: tiles x fma=32 copy=sync         # registers
A: tiles x fma=32 copy=cg stages=2  # group
)";

using Holds = bool (*)(const trace::Stage& stage, const trace::Stage& before);
// Of each tile and the one before it of the same block, in all blocks of a kernel.
Verdict each_tile(S s, const conformance::Which& which, const char* what, Holds holds) {
  std::size_t tiles = 0;
  for (const trace::StageBlock& block : s.run().trace.stages.blocks) {
    if (block.operation != s.span(which).operation) continue;
    for (std::size_t i = 1; i < block.stages.size(); ++i, ++tiles)
      if (!holds(block.stages[i], block.stages[i - 1])) return that(false, what);
  }
  return that(tiles > 0, "tiles are recorded");
}

}  // namespace

std::vector<Idea> tile_pipelines() {
  return {
      {{"2.16"},
       "cuda::pipeline with two stages: the producer's and the consumer's calls",
       kStages,
       [](O o, S s) {
         return all({s.tiles_overlap("two"), o.takes_less_than("two", 0.95, "single"),
                     s.drawn_inside("two", "producer_acquire"), s.drawn_inside("two", "consumer_wait"),
                     s.in_cuda("pipeline.producer_commit();")});
       }},

      {{"2.17"},
       "other work between commit and wait: that on the tile before",
       kStages,
       [](O o, S s) {
         return all({each_tile(s, "two", "a block works between a tile's commit and its wait",
                               [](const trace::Stage& tile, const trace::Stage& before) {
                                 return tile.load_issued < before.compute_over &&
                                        before.compute_over <= tile.wait_begun;
                               }),
                     s.drawn_inside("two", "commit"), o.takes_less_than("two", 0.95, "single")});
       }},

      {{"4.5", "4.9"},
       "thread_block::sync() behind the work: nobody overwrites a tile before all have used it",
       kCooperative,
       [](O o, S s) {
         return all({each_tile(s, "registers", "a place is filled again when the work on it is over",
                               [](const trace::Stage& tile, const trace::Stage& before) {
                                 return tile.load_issued >= before.compute_over;
                               }),
                     s.drawn_inside("registers", "__syncthreads"), s.in_cuda("__syncthreads();"),
                     o.after("group", "registers")});
       }},

      {{"4.8"},
       "a barrier behind the copy: no thread reads what another has not written yet",
       R"(
buffer x 256MiB
stream A nonblocking
A: tiles x fma=32 copy=cp.async stages=2                    # with
A: tiles x fma=32 copy=cp.async stages=2 leave-out=barrier  # without
)",
       [](O o, S s) {
         return all({s.drawn_inside("with", "__syncthreads"), s.warns("without", "leave-out=barrier"),
                     s.notes("It is so on purpose"), o.after("without", "with")});
       }},

      {{"4.12"},
       "a race: the tile is read before its copy is complete",
       R"(
buffer x 256MiB
stream A nonblocking
A: tiles x fma=32 copy=cp.async stages=2 leave-out=wait  # too early
A: tiles x fma=32 copy=cp.async stages=2                 # in time
)",
       [](O o, S s) {
         return all({s.warns("too early", "leave-out=wait"), s.notes("data that has not come"),
                     each_tile(s, "in time", "a block works on what has come",
                               [](const trace::Stage& tile, const trace::Stage&) {
                                 return tile.wait_begun <= tile.wait_over && tile.wait_over < tile.compute_over;
                               }),
                     o.after("in time", "too early")});
       }},

      {{"4.14"},
       "cooperative_groups::wait has to stand before the data is used",
       kCooperative,
       [](O o, S s) {
         return all({each_tile(s, "group", "a block works behind its wait",
                               [](const trace::Stage& tile, const trace::Stage&) {
                                 return tile.wait_begun <= tile.wait_over && tile.wait_over < tile.compute_over;
                               }),
                     s.drawn_inside("group", "wait_prior<0>"), s.in_cuda("cooperative_groups::wait"),
                     o.after("group", "registers")});
       }},

      {{"4.15"},
       "nothing orders an asynchronous copy but the waits: later ones are under way before earlier ones are waited for",
       kStages,
       [](O o, S s) {
         return all({each_tile(s, "four", "a copy begins before the tile before it is waited for",
                               [](const trace::Stage& tile, const trace::Stage& before) {
                                 return tile.load_issued < before.wait_over;
                               }),
                     o.takes_less_than("four", 1, "single"), s.drawn_inside("four", "stage 3")});
       }},

      {{"4.16"},
       "cuda::barrier: one thread makes it, all arrive, and wait for its phase",
       R"(
buffer x 256MiB
stream A nonblocking
A: tiles x fma=32 copy=sync              # registers
A: tiles x fma=32 copy=barrier stages=2  # barrier
)",
       [](O o, S s) {
         return all({s.tiles_overlap("barrier"), s.drawn_inside("barrier", "barrier.arrive"),
                     s.drawn_inside("barrier", "barrier.wait_parity"), s.in_cuda("init(&"),
                     o.takes_less_than("barrier", 0.95, "registers")});
       }},

      {{"4.17"},
       "the threads of a warp share a pipeline: where they diverge their commits are entangled, and it is slower",
       R"(
buffer x 256MiB
stream A nonblocking
A: tiles x fma=128 copy=pipeline stages=3 tile=4KiB             # together
A: tiles x fma=128 copy=pipeline stages=3 tile=4KiB diverge=8   # in parts
A: tiles x fma=128 copy=pipeline stages=3 tile=4KiB diverge=32  # each alone
)",
       [](O o, S s) {
         return all({o.takes_less_than("together", 1, "in parts"), o.takes_less_than("in parts", 1, "each alone"),
                     s.blames(verdict::Cause::divergence)});
       }},

      {{"4.24", "4.25"},
       "producer_acquire takes a free stage, producer_commit hands its copies over",
       kStages,
       [](O o, S s) {
         return all({s.drawn_inside("two", "producer_acquire"), s.drawn_inside("two", "producer_commit"),
                     s.in_cuda("pipeline.producer_acquire();"), s.in_cuda("pipeline.producer_commit();"),
                     o.after("four", "two")});
       }},

      {{"4.26", "4.27"},
       "consumer_wait holds the block until the tile is there, consumer_release gives its place back",
       kStages,
       [](O o, S s) {
         return all({s.drawn_inside("single", "consumer_wait"), s.drawn_inside("single", "consumer_release"),
                     each_tile(s, "single", "a place is filled again behind its release",
                               [](const trace::Stage& tile, const trace::Stage& before) {
                                 return tile.load_issued >= before.compute_over;
                               }),
                     s.in_cuda("pipeline.consumer_release();"), o.after("two", "single")});
       }},

      {{"4.28", "4.29"},
       "a pipeline of a single stage: nothing overlaps, whatever is said of it",
       kStages,
       [](O o, S s) {
         return all({s.tiles_take_turns("single"), o.takes_times("single", 1.05, "two"),
                     that(s.share_waited("single") > s.share_waited("two"), "blocks wait longer"),
                     s.drawn_inside("single", "stage 0")});
       }},

      {{"4.30"},
       "a pipeline of several stages",
       kStages,
       [](O o, S s) {
         return all({s.tiles_overlap("four"), o.takes_less_than("four", 0.95, "single"),
                     s.drawn_inside("four", "stage 3"), s.fact("four", "Shared memory", "64")});
       }},

      {{"4.31"},
       "a pipeline of threads, or of a block whose warps produce or consume",
       R"(
buffer x 256MiB
stream A nonblocking
A: tiles x fma=32 copy=pipeline stages=2                      # threads
A: tiles x fma=32 copy=warp-specialised stages=2 producers=2  # roles
)",
       [](O o, S s) {
         const auto& blocks = s.run().trace.stages.blocks;
         const bool apart = std::ranges::any_of(blocks, [&](const trace::StageBlock& block) {
           return block.operation == s.span("roles").operation && block.copy_warp != block.warp;
         });
         return all({that(apart, "another warp copies"), s.tiles_overlap("roles"), s.tiles_overlap("threads"),
                     s.drawn_inside("roles", "producer_commit"), s.in_cuda("cuda::pipeline_role::producer"),
                     o.after("roles", "threads")});
       }},

      {{"4.32"},
       "the primitives of the pipeline: __pipeline_memcpy_async, commit, wait_prior",
       R"(
buffer x 256MiB
stream A nonblocking
A: tiles x fma=32 copy=sync                 # registers
A: tiles x fma=32 copy=primitives stages=2  # primitives
)",
       [](O o, S s) {
         return all({s.tiles_overlap("primitives"), s.drawn_inside("primitives", "__pipeline_commit"),
                     s.drawn_inside("primitives", "__pipeline_wait_prior"), s.in_cuda("__pipeline_memcpy_async("),
                     o.takes_less_than("primitives", 0.95, "registers")});
       }},
  };
}

}  // namespace streamscope::ideas
