// Inside a kernel: how a tile gets into shared memory, and what that overlaps.
#include <algorithm>

#include "tests/ideas/idea.h"

namespace streamscope::ideas {

namespace {

// Here and in tile_pipelines.cpp the data is so large that no cache holds it, and that a difference is more than what a
// GPU's times leave in doubt, which is 10 us and more of a kernel's duration.

// The same work three times; of the last two one place, and two.
constexpr const char* kOneAndTwo = R"(
buffer x 256MiB
stream A nonblocking
A: tiles x fma=128 copy=sync tile=8KiB               # through registers
A: tiles x fma=128 copy=cp.async stages=1 tile=8KiB  # one place
A: tiles x fma=128 copy=cp.async stages=2 tile=8KiB  # two places
)";

constexpr const char* kWidths = R"(
buffer x 512MiB
stream A nonblocking
A: tiles x fma=128 copy=cp.async tile=8KiB bytes=4   # four
A: tiles x fma=128 copy=cp.async tile=8KiB bytes=8   # eight
A: tiles x fma=128 copy=cp.async tile=8KiB bytes=16  # sixteen
)";

}  // namespace

std::vector<Idea> tile_copies() {
  return {
      {{"2.12", "2.32"},
       "cp.async, from compute capability 8.0 on, copies while the block computes",
       kOneAndTwo,
       [](O o, S s) {
         return all({s.tiles_overlap("two places"), o.takes_less_than("two places", 0.9, "through registers"),
                     s.drawn_inside("two places", "cp.async.commit_group"), s.in_cuda("sm_80")});
       }},

      {{"2.13", "4.13"},
       "from global to shared memory without a detour over registers, and past the L1 cache",
       R"(
buffer x 256MiB
stream A nonblocking
A: tiles x fma=32 copy=sync         # registers
A: tiles x fma=32 copy=cp.async     # past L1
A: tiles x fma=32 copy=cp.async l1  # through L1
)",
       [](O o, S s) {
         return all({o.takes_less_than("past L1", 0.9, "registers"), o.in_turn({"registers", "past L1", "through L1"}),
                     s.fact("registers", "Registers", "a thread"), s.in_cuda("cp.async.cg.shared.global"),
                     s.in_cuda("cp.async.ca.shared.global")});
       }},

      {{"2.14", "4.3", "4.6", "2.24", "2.33"},
       "inside one kernel the next tiles are copied while a block works on this one",
       kOneAndTwo,
       [](O o, S s) {
         return all({s.tiles_overlap("two places"), o.takes_less_than("two places", 0.95, "one place"),
                     that(s.share_waited("two places") < s.share_waited("one place"), "blocks wait less"),
                     s.drawn_inside("two places", "stage 1")});
       }},

      {{"2.15", "4.7"},
       "through registers the threads wait for the tile; with cp.async they go on",
       kOneAndTwo,
       [](O o, S s) {
         return all({s.tiles_take_turns("through registers"), s.tiles_overlap("two places"),
                     that(s.share_waited("through registers") > 2 * s.share_waited("two places"), "blocks wait less"),
                     s.fact("through registers", "Blocks waited", "of their time"),
                     o.takes_less_than("two places", 0.95, "through registers")});
       }},

      {{"2.18"},
       "cp.async.cg copies 16 bytes",
       kWidths,
       [](O o, S s) {
         return all({o.takes_less_than("sixteen", 1, "four"), s.in_cuda("cp.async.cg.shared.global"),
                     s.in_cuda("[%0], [%1], 16")});
       }},

      {{"2.19"},
       "cp.async.wait_all waits for all copies, also those of later tiles",
       R"(
buffer x 512MiB
stream A nonblocking
A: tiles x fma=8 stages=4 wait=all # all
A: tiles x fma=8 stages=4          # as needed
)",
       [](O o, S s) {
         return all({o.takes_less_than("as needed", 1, "all"),
                     that(s.share_waited("all") > s.share_waited("as needed"), "blocks wait longer"),
                     s.drawn_inside("all", "cp.async.wait_group 0"), s.in_cuda("cp.async.wait_group")});
       }},

      {{"2.20"},
       "cp.async.wait_group N waits for all but the newest N groups; with too large an N the data has not come",
       R"(
buffer x 256MiB
stream A nonblocking
A: tiles x fma=32 copy=cp.async stages=4 wait=2 # two may come later
A: tiles x fma=32 copy=cp.async stages=4 wait=3 # too many
)",
       [](O o, S s) {
         return all({s.drawn_inside("two may come later", "cp.async.wait_group 2"),
                     s.tiles_overlap("two may come later"), s.warns("too many", "wrong on purpose"),
                     s.notes("data that has not come"), o.after("too many", "two may come later")});
       }},

      {{"2.21"},
       "double buffering: tiles go to two places in turn, one is worked on while the other is filled",
       kOneAndTwo,
       [](O o, S s) {
         const auto& blocks = s.run().trace.stages.blocks;
         const bool in_turn = std::ranges::any_of(blocks, [&](const trace::StageBlock& block) {
           return block.operation == s.span("two places").operation && block.places == 2 && block.stages.size() > 2;
         });
         return all({that(in_turn, "there are two places"), s.tiles_overlap("two places"),
                     s.drawn_inside("two places", "stage 0"), s.drawn_inside("two places", "stage 1"),
                     o.after("two places", "one place")});
       }},

      {{"2.22"},
       "double buffering without the wait for its copies: a barrier alone does not bring the data",
       R"(
buffer x 256MiB
stream A nonblocking
A: tiles x fma=32 copy=cp.async stages=2 leave-out=wait # no wait
A: tiles x fma=32 copy=cp.async stages=2                # with it
)",
       [](O o, S s) {
         return all({s.warns("no wait", "leave-out=wait"), s.notes("It is so on purpose"), s.tiles_overlap("with it"),
                     s.drawn_inside("with it", "cp.async.wait_group 0"), o.after("with it", "no wait")});
       }},

      {{"2.23", "4.10"},
       "without double buffering copying and computing take turns",
       kOneAndTwo,
       [](O o, S s) {
         return all({s.tiles_take_turns("one place"), s.tiles_take_turns("through registers"),
                     o.takes_times("one place", 1.05, "two places"), s.drawn_inside("one place", "stage 0")});
       }},

      {{"2.29"},
       "double buffering trades shared memory for time",
       R"(
buffer x 256MiB
stream A nonblocking
A: tiles x fma=32 copy=cp.async stages=1 tile=16KiB # less room
A: tiles x fma=32 copy=cp.async stages=2 tile=16KiB # less time
)",
       [](O o, S s) {
         return all({o.takes_less_than("less time", 0.95, "less room"), s.fact("less room", "Shared memory", "16"),
                     s.fact("less time", "Shared memory", "32"), s.fact("less time", "Occupancy", "of the threads")});
       }},

      {{"4.2", "4.11"},
       "cooperative_groups::memcpy_async copies with all threads of a group",
       R"(
buffer x 256MiB
stream A nonblocking
A: tiles x fma=32 copy=sync         # registers
A: tiles x fma=32 copy=cg stages=2  # group
)",
       [](O o, S s) {
         return all({s.tiles_overlap("group"), o.takes_less_than("group", 0.95, "registers"),
                     s.drawn_inside("group", "memcpy_async"), s.in_cuda("cooperative_groups::memcpy_async(")});
       }},

      {{"4.19"},
       "cp.async copies 4, 8 or 16 bytes: the wider, the faster",
       kWidths,
       [](O o, S s) {
         return all({o.takes_less_than("eight", 1, "four"), o.takes_less_than("sixteen", 1, "eight"),
                     s.in_cuda("[%0], [%1], 4"), s.in_cuda("[%0], [%1], 8"), s.in_cuda("[%0], [%1], 16")});
       }},

      {{"4.20"},
       "data that is aligned to 4 bytes only is copied in small pieces; wider ones are refused",
       R"(
buffer x 256MiB
stream A nonblocking
A: tiles x fma=32 copy=cp.async align=4 bytes=16  # here
)",
       [](O, S s) { return s.refuses("align"); }},

      {{"4.21"},
       "with 128 bytes of alignment a copy is as wide as it can be",
       R"(
buffer x 256MiB
stream A nonblocking
A: tiles x fma=32 copy=cg align=128  # wide
A: tiles x fma=32 copy=cg align=4    # narrow
)",
       [](O o, S s) {
         return all({o.takes_less_than("wide", 0.95, "narrow"), s.in_cuda("cuda::aligned_size_t<128>"),
                     s.in_cuda("cuda::aligned_size_t<4>")});
       }},

      {{"4.22"},
       "what cudaMalloc gives is aligned enough; at an offset it may not be",
       R"(
stream A nonblocking
host: malloc t 512MiB
A: memset t 0
A: tiles t[0:256MiB] fma=32 copy=cg align=128  # as allocated
A: tiles t[4:256MiB] fma=32 copy=cg align=4    # at an offset
)",
       [](O o, S s) {
         return all({o.takes_less_than("as allocated", 0.95, "at an offset"), s.in_cuda("cuda::aligned_size_t<128>"),
                     s.fact("at an offset", "Text", "t[4:256MiB]")});
       }},

      {{"4.23"},
       "shared memory is to be aligned, too: __align__(128)",
       R"(
buffer x 256MiB
stream A nonblocking
A: tiles x fma=32 copy=cp.async smem-align=128 # aligned
A: tiles x fma=32 copy=cp.async smem-align=4   # not
)",
       [](O o, S s) {
         return all({o.takes_less_than("aligned", 1, "not"), s.in_cuda("__align__(128)")});
       }},
  };
}

}  // namespace streamscope::ideas
