// The options of tiles: what they are called, may be and mean. tiles.cpp says what they do beside each other.
#pragma once

#include <array>

#include "engine/base/translate.h"
#include "kernels/option_values.h"
#include "kernels/tiles/choice.h"

namespace streamscope::kernels::tile_options {

inline constexpr std::array<std::string_view, kTileCopies> kCopies{"sync",    "cp.async", "primitives",       "cg",
                                                                   "barrier", "pipeline", "warp-specialised", "bulk"};
inline constexpr std::array<std::string_view, kTileCopies> kCopiesShown{tr_later("through registers"),
                                                                        "cp.async",
                                                                        tr_later("pipeline primitives"),
                                                                        tr_later("cooperative groups"),
                                                                        "cuda::barrier",
                                                                        "cuda::pipeline",
                                                                        "warp-specialised",
                                                                        "cp.async.bulk"};
inline constexpr std::array<std::int64_t, 12> kOfferedTiles{1 << 10,  2 << 10,  4 << 10,  8 << 10,
                                                            12 << 10, 16 << 10, 24 << 10, 32 << 10,
                                                            48 << 10, 64 << 10, 96 << 10, 112 << 10};
inline constexpr std::array<std::int64_t, 3> kWidths{4, 8, 16}, kAligns{4, 16, 128};
inline constexpr std::array<std::string_view, 10> kWaits{"needed", "all", "0", "1", "2", "3", "4", "5", "6", "7"};
inline constexpr std::array<std::string_view, 10> kWaitsShown{
    tr_later("as needed"), tr_later("for all"), "wait_group 0", "wait_group 1", "wait_group 2",
    "wait_group 3",        "wait_group 4",      "wait_group 5", "wait_group 6", "wait_group 7"};
inline constexpr std::array<std::string_view, 3> kLeftOut{"nothing", "wait", "barrier"};
inline constexpr std::array<std::string_view, 3> kLeftOutShown{tr_later("nothing"), tr_later("the wait"),
                                                               tr_later("the barrier")};
inline constexpr std::array<std::int64_t, 6> kOfferedParts{1, 2, 4, 8, 16, 32};
inline constexpr std::array<std::int64_t, 8> kOfferedPerSm{1, 2, 3, 4, 5, 6, 7, 8};

inline constexpr std::array<Option, 15> kOptions{{
    fma_option(),
    {.key = "copy",
     .kind = OptionKind::choice,
     .most = kTileCopies - 1,
     .standard = 1,
     .example = "cp.async",
     .meaning = tr_later("how a tile gets into shared memory"),
     .label = tr_later("Tile copy"),
     .help =
         tr_later("How a tile gets from global into shared memory: through registers, or by one of CUDA's asynchronous "
                  "copies."),
     .words = kCopies,
     .shown = kCopiesShown,
     .always = true},
    {.key = "stages",
     .least = 1,
     .most = kMostStages,
     .standard = 2,
     .example = "3",
     .meaning = tr_later("tiles in shared memory at once"),
     .label = tr_later("Stages"),
     .help = tr_later("Tiles in shared memory at once. While a block works on one, the others are being copied."),
     .always = true},
    {.key = "tile",
     .kind = OptionKind::bytes,
     .least = 16,
     .most = kMostSharedBytes,
     .standard = 16 << 10,
     .example = "16KiB",
     .meaning = tr_later("bytes"),
     .label = tr_later("Tile"),
     .help = tr_later("The size of a tile. All stages must fit into the shared memory of a block."),
     .offered = kOfferedTiles,
     .always = true},
    {.key = "bytes",
     .least = 4,
     .most = 16,
     .standard = 16,
     .example = "16",
     .meaning = tr_later("of one thread's copy: 4, 8 or 16"),
     .label = tr_later("Copy size"),
     .help = tr_later("What one thread copies at a time: 4, 8 or 16 bytes, no more than the alignment."),
     .unit = "B",
     .few = kWidths},
    {.key = "l1",
     .kind = OptionKind::flag,
     .most = 1,
     .meaning = tr_later("copies go through the L1 cache"),
     .label = tr_later("L1 cache"),
     .help = tr_later("Whether asynchronous copies of 16 bytes go through the L1 cache (cp.async.ca) or past it "
                      "(cp.async.cg). Smaller "
                      "ones always go through."),
     .priced_as = PricedAs{1, "l1", tr_later("copies past the L1 cache")}},
    {.key = "align",
     .least = 4,
     .most = 128,
     .standard = 16,
     .example = "128",
     .meaning = tr_later("bytes that the data is aligned to: 4, 16 or 128"),
     .label = tr_later("Alignment"),
     .help = tr_later(
         "Bytes to which the kernel may assume that the data is aligned. With 4 copies are small and none of them is a "
         "bulk copy, which is what the CUDA C++ Programming Guide warns of."),
     .unit = "B",
     .few = kAligns,
     .priced_as = PricedAs{128, "align=128", "align=16"}},
    {.key = "diverge",
     .least = 1,
     .most = kWarp,
     .standard = 1,
     .example = "2",
     .meaning = tr_later("parts in which a warp commits"),
     .label = tr_later("Divergence"),
     .help = tr_later("In so many parts a warp commits its asynchronous copies, as one does that has diverged: its "
                      "groups of copies are "
                      "then entangled."),
     .unit = tr_later("parts"),
     .offered = kOfferedParts},
    {.key = "producers",
     .least = 1,
     .most = kWarp - 1,
     .standard = 1,
     .experiment = 0,
     .example = "2",
     .meaning = tr_later("warps that copy"),
     .label = tr_later("Producers"),
     .help = tr_later("Warps that only copy; the others only work. Left out, a quarter of the warps."),
     .unit = tr_later("warps"),
     .automatic = tr_later("a quarter")},
    {.key = "per-sm",
     .least = 1,
     .most = 32,
     .standard = 1,
     .example = "1",
     .meaning = tr_later("blocks of each multiprocessor"),
     .label = tr_later("Per SM"),
     .help = tr_later("Blocks for each multiprocessor: one block can work while another waits."),
     .unit = tr_later("blocks"),
     .offered = kOfferedPerSm},
    {.key = "wait",
     .kind = OptionKind::choice,
     .most = kWaits.size() - 1,
     .example = "1",
     .meaning = tr_later("newest groups of copies that are not waited for"),
     .label = tr_later("Wait"),
     .help = tr_later(
         "How many of the newest groups of copies a block does not wait for (cp.async.wait_group N). Needed are two "
         "fewer than there are stages: with a smaller number, or all, fewer copies overlap the work; with a larger one "
         "the block reads data that has not come, and the result is wrong."),
     .words = kWaits,
     .shown = kWaitsShown},
    {.key = "leave-out",
     .kind = OptionKind::choice,
     .most = kLeftOut.size() - 1,
     .example = "wait",
     .meaning = tr_later("a mistake made on purpose"),
     .label = tr_later("Left out"),
     .help = tr_later(
         "Makes a mistake on purpose: without the wait a block reads tiles before they are there, without the barrier "
         "its threads read what other threads have not yet copied. The result is wrong, and the run says so."),
     .words = kLeftOut,
     .shown = kLeftOutShown},
    {.key = "smem-align",
     .least = 4,
     .most = 128,
     .standard = 128,
     .example = "16",
     .meaning = tr_later("bytes that tiles in shared memory are aligned to: 4, 16 or 128"),
     .label = tr_later("Shared alignment"),
     .help = tr_later("Bytes to which tiles in shared memory are aligned, and no more. Copies are no wider than that: "
                      "with 4 they are small and none of them is a bulk copy, however the data in global memory lies."),
     .unit = "B",
     .few = kAligns},
    blocks_option(0, tr_later("as Per SM says")),
    threads_option(256),
}};
enum : std::size_t {
  kFma,
  kCopy,
  kStages,
  kTile,
  kBytes,
  kL1,
  kAlign,
  kDiverge,
  kProducers,
  kPerSm,
  kWait,
  kLeaveOut,
  kSharedAlign,
  kBlocks,
  kThreads
};

}  // namespace streamscope::kernels::tile_options
