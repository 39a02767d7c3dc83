// What each way of copying tiles (program::TileCopy) costs on a multiprocessor, besides moving the bytes.
//
// In clocks of the multiprocessor; all but `registers` are fitted to one H200's sweep of the kernels in kernels/tiles
// (tests/bench/tile_sweep.cpp: 1,611 of them, 8 ways, 1 to 8 stages, 1 and 2 blocks per multiprocessor, 1, 32 and 128
// multiply-adds per element, tiles of 16 and 32 KiB, 256 to 1024 threads; tests/recordings/h200-tiles.csv).
#pragma once

#include <cstdint>

#include "engine/program/program.h"

namespace streamscope::model {

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
const TileCopyCost& tile_copy_cost(program::TileCopy copy);

// The same for all ways.
namespace tile_cost {

inline constexpr std::uint32_t kWord = 2;      // one warp loads a word per thread from shared memory and stores it
inline constexpr std::uint32_t kRound = 157;   // from that load to the store, where a thread has several words
inline constexpr std::uint32_t kCommit = 4;    // a further commit of a warp that has diverged
inline constexpr std::uint32_t kContention = 537;  // what two blocks lose to each other at a unit both want
// Warp-specialised: a copy instruction of a producer warp. Consumer warps do their multiply-adds at 93 % of the rate,
// and a single warp at half of its own: as measured, not explained.
inline constexpr std::uint32_t kProduced = 38;
inline constexpr std::uint32_t kSpecialisedTurn = 107, kSpecialisedAlone = 198;  // hundredths

// Tiles are read and written in long runs and reach this many thousandths of the rate of a large copy within the
// device. Loops over single elements reach compute.memory_rate. So that a change of that number also affects tiles,
// they get at most this many thousandths of it (or the whole of it, where the copy is slower).
inline constexpr std::uint32_t kOfCopyRate = 928, kOfMemoryRate = 1200;
// Queueing at busy memory: tenths of its latency, at half of its rate.
inline constexpr std::uint32_t kQueue = 4;

}  // namespace tile_cost

}  // namespace streamscope::model
