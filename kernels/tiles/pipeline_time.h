// How a block of `tiles` goes through its tiles on a modelled GPU.
//
// A copy takes memory's latency plus the time its bytes take while every multiprocessor copies as much; where memory is
// busy, requests queue. The work on a tile takes the multiply-adds of the busiest scheduler or the dependent chain of
// one warp, whichever is longer, plus what the way of copying costs. With one stage a tile takes its copy and then its
// work; with more, the copies of up to `stages` - 1 further tiles overlap the work. A warp-specialised kernel refills a
// place as soon as it is free. Blocks on one multiprocessor share its instruction issue, and each waits for its own
// copies.
//
// What each way of copying costs on a multiprocessor, besides moving the bytes, is in clocks of the multiprocessor; all
// but `registers` are fitted to one H200's sweep of the kernels in this folder (tests/bench/tile_sweep.cpp: 1,611 of
// them, 8 ways, 1 to 8 stages, 1 and 2 blocks per multiprocessor, 1, 32 and 128 multiply-adds per element, tiles of 16
// and 32 KiB, 256 to 1024 threads; tests/recordings/h200-tiles.csv).
#pragma once

#include <array>

#include "kernels/model_time.h"
#include "kernels/tiles/choice.h"

namespace streamscope::kernels {

struct TileCopyCost {
  std::uint32_t registers;  // of a thread, as compiled for compute capability 9.0
  // Instruction issue, which the blocks of a multiprocessor share. For every tile: the instructions of each warp that
  // do not depend on the tile's size (barriers, counters, addresses); and one warp's copy instruction, whatever its
  // width: none where one thread issues the whole copy.
  std::uint32_t per_warp, per_instruction;
  // What a block waits for on its own, for every tile: barriers, the completion of the copy, results in flight.
  std::uint32_t alone;
  // From the request for a tile until its threads see it, beyond what a load of the same size takes.
  std::uint32_t arrival;
};

inline constexpr std::array<TileCopyCost, kTileCopies> kTileCopyCosts{{
    {.registers = 25, .per_warp = 27, .per_instruction = 26, .alone = 4, .arrival = 183},    // sync
    {.registers = 31, .per_warp = 23, .per_instruction = 10, .alone = 660, .arrival = 268},  // cp.async
    {.registers = 26, .per_warp = 29, .per_instruction = 3, .alone = 609, .arrival = 441},   // primitives
    {.registers = 29, .per_warp = 33, .per_instruction = 1, .alone = 613, .arrival = 500},   // cg
    {.registers = 23, .per_warp = 32, .per_instruction = 3, .alone = 407, .arrival = 670},   // barrier
    {.registers = 27, .per_warp = 30, .per_instruction = 2, .alone = 668, .arrival = 441},   // pipeline
    {.registers = 32, .per_warp = 23, .per_instruction = 1, .alone = 292, .arrival = 538},   // warp-specialised
    {.registers = 23, .per_warp = 26, .per_instruction = 0, .alone = 301, .arrival = 634},   // bulk
}};
constexpr const TileCopyCost& tile_copy_cost(TileCopy copy) { return kTileCopyCosts[static_cast<std::size_t>(copy)]; }

// The same for all ways.
namespace tile_cost {

inline constexpr std::uint32_t kWord = 2;          // one warp loads a word per thread from shared memory and stores it
inline constexpr std::uint32_t kRound = 157;       // from that load to the store, where a thread has several words
inline constexpr std::uint32_t kCommit = 4;        // a further commit of a warp that has diverged
inline constexpr std::uint32_t kContention = 537;  // what two blocks lose to each other at a unit both want
// Warp-specialised: a copy instruction of a producer warp. Consumer warps do their multiply-adds at 93 % of the rate,
// and a single warp at half of its own: as measured, not explained.
inline constexpr std::uint32_t kProduced = 38;
inline constexpr std::uint32_t kSpecialisedTurn = 107, kSpecialisedAlone = 198;  // hundredths

}  // namespace tile_cost

BlockPipeline tiles_pipeline(const Hardware& hardware, const TilesOptions& options, std::uint64_t bytes,
                             const Costs& costs, Int128 resident);
// Of a tile; of the only one, where the data is smaller.
std::uint32_t elements_of_tile(const TilesOptions& options, std::uint64_t bytes);

}  // namespace streamscope::kernels
