// FlashAttention's way with its tiles of K and V.
#include "tests/ideas/idea.h"

namespace streamscope::ideas {

namespace {

// One place for a tile of K and one for V, so that the waits can be told apart. What they cost is said of blocks: an
// H200 has others to work on meanwhile, and there the two kernels take the same time.
constexpr const char* kWaits = R"(
buffer x 64MiB
stream A nonblocking
A: attention x heads=16 buffers=1 waits=1  # one wait
A: attention x heads=16 buffers=1 waits=2  # two waits
)";

// Of all tiles of K, or of V, from the first after the first pair on.
Nanoseconds waited(S s, const conformance::Which& which, std::uint32_t key_or_value) {
  Nanoseconds sum = 0;
  for (const trace::StageBlock& block : s.run().trace.stages.blocks)
    for (const trace::Stage& tile : block.stages)
      if (block.operation == s.span(which).operation && tile.tile > 1 && tile.tile % 2 == key_or_value)
        sum += tile.wait_over - tile.wait_begun;
  return sum;
}

}  // namespace

std::vector<Idea> attention() {
  return {
      {{"2.25"},
       "the next tiles of K and V are copied while these are worked on",
       R"(
buffer x 64MiB
stream A nonblocking
A: attention x heads=16 buffers=1  # in place
A: attention x heads=16 buffers=2  # prefetch
)",
       [](O o, S s) {
         return all({s.tiles_overlap("prefetch"), o.takes_less_than("prefetch", 1, "in place"),
                     that(s.share_waited("prefetch") < s.share_waited("in place"), "blocks wait less"),
                     s.drawn_inside("prefetch", "K 1"), s.drawn_inside("prefetch", "V 1"),
                     s.drawn_inside("prefetch", "cp.async.commit_group")});
       }},

      {{"2.26"},
       "one wait at the end of a pass, for K and V at once",
       kWaits,
       [](O o, S s) {
         return all({that(waited(s, "one wait", 0) > waited(s, "two waits", 0), "it waits for V where it needs only K"),
                     o.takes_times("one wait", 0.95, "two waits"),
                     s.drawn_inside("one wait", "cp.async.wait_group 0")});
       }},

      {{"2.27"},
       "two waits: for K before the product with Q, for V only behind the softmax",
       kWaits,
       [](O o, S s) {
         return all(
             {that(waited(s, "two waits", 1) < waited(s, "two waits", 0), "the work with K hides the wait for V"),
              o.takes_less_than("two waits", 1.05, "one wait"),
              s.drawn_inside("two waits", "cp.async.wait_group 1, 0")});
       }},
  };
}

}  // namespace streamscope::ideas
