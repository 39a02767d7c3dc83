// What each way of copying tiles costs on a multiprocessor, besides the bytes.
//
// Clocks of the multiprocessor; all but `registers` are fitted to one H200's sweep of the kernels in kernels/tiles
// (tests/bench/tile_sweep.cpp: 1,611 of them, 8 ways, 1 to 8 stages, 1 and 2 blocks a multiprocessor, 1, 32 and 128
// multiply-adds an element, tiles of 16 and 32 KiB, 256 to 1024 threads; tests/recordings/h200-tiles.csv).
#pragma once

#include <cstdint>

#include "engine/program/program.h"

namespace streamscope::model {

struct TileWay {
  std::uint32_t registers;  // of a thread, as compiled for compute capability 9.0
  // What the blocks of a multiprocessor take in turn, for every tile: the instructions of each warp that the tile does
  // not grow with (barriers, counting, addresses), and one warp's copy instruction, whatever its width: none
  // where one thread asks for all.
  std::uint32_t a_warp, an_instruction;
  // What a block waits for by itself, for every tile: barriers, the flags of the copy, results on their way.
  std::uint32_t alone;
  // From asking for a tile until its threads see it, beyond a load of as much.
  std::uint32_t arrival;
};
const TileWay& tile_way(program::TileCopy copy);

// Alike for all ways.
namespace tile_cost {

inline constexpr std::uint32_t kWord = 2;      // one warp's load from shared memory and store, of a word a thread
inline constexpr std::uint32_t kRound = 157;   // from that load to the store, where a thread's words take turns
inline constexpr std::uint32_t kCommit = 4;    // a further commit of a warp that has diverged
inline constexpr std::uint32_t kRivals = 537;  // what two blocks lose to each other where they want the same unit
// Where warps have roles: a copy instruction of a producing warp. And consuming warps do their multiply-adds at 93 of
// 100 of the rate, a warp alone at half of its own: as measured, not explained.
inline constexpr std::uint32_t kProduced = 38;
inline constexpr std::uint32_t kRolesTake = 107, kRolesAlone = 198;  // hundredths

// Tiles read and write in long runs, as a large copy within the device does: so many thousandths of its rate are
// reached. Loops over single elements reach compute.memory_rate; what a person makes of that holds for tiles too, so
// that they get no more than so many thousandths of it, or it where the copy is slower.
inline constexpr std::uint32_t kOfCopyRate = 928, kOfMemoryRate = 1200;
// Requests wait for each other where memory is busy: tenths of its latency, at half of its rate.
inline constexpr std::uint32_t kQueue = 4;

}  // namespace tile_cost

}  // namespace streamscope::model
