// What all ways of copying have in common: which tiles a block processes, when it waits, and the work itself.
#pragma once

#include <cstdint>

#include "kernels/staged.cuh"
#include "kernels/tiles/choice.h"

namespace streamscope::kernels {

// The kernels' argument.
struct TileWork {
  float* data;
  std::uint64_t count;
  std::uint32_t tile;  // floats
  std::uint32_t stages, fma, copy_bytes, through_l1, align, diverge, producers;
  float a, b;
  std::uint32_t shift, later, leave_out;  // bytes; groups not waited for; LeaveOut
};

// The tiles of this block.
struct BlockTiles {
  __device__ explicit BlockTiles(const TileWork& work)
      : work(work),
        all((work.count + work.tile - 1) / work.tile),
        mine(all > blockIdx.x ? (all - blockIdx.x + gridDim.x - 1) / gridDim.x : 0) {}
  // The block's kth tile. Tiles of different blocks are adjacent, so that all blocks read the same pages of memory.
  __device__ float* at(std::uint64_t k) const { return work.data + index(k) * work.tile; }
  __device__ std::uint64_t index(std::uint64_t k) const {
    return blockIdx.x + static_cast<std::uint64_t>(k) * gridDim.x;
  }
  // Floats in it.
  __device__ std::uint32_t size(std::uint64_t k) const {
    const std::uint64_t begin = index(k) * work.tile;
    const std::uint64_t left = work.count - begin;
    return left < work.tile ? static_cast<std::uint32_t>(left) : work.tile;
  }
  const TileWork& work;
  std::uint64_t all, mine;
};

template <int kBytes>
struct Word;
template <>
struct Word<4> {
  using type = float;
};
template <>
struct Word<8> {
  using type = float2;
};
template <>
struct Word<16> {
  using type = float4;
};

// The work on an element: v*a + b, `fma` times.
struct Chains {
  std::uint32_t fma;
  float a, b;
  __device__ float4 operator()(float4 v) const {
#pragma unroll 8
    for (std::uint32_t k = 0; k < fma; ++k) {
      v.x = fmaf(v.x, a, b);
      v.y = fmaf(v.y, a, b);
      v.z = fmaf(v.z, a, b);
      v.w = fmaf(v.w, a, b);
    }
    return v;
  }
  __device__ float operator()(float v) const {
#pragma unroll 8
    for (std::uint32_t k = 0; k < fma; ++k) v = fmaf(v, a, b);
    return v;
  }
};

// Works on a tile in shared memory and writes it back, by `threads` threads of which this is number `thread`. kAlign: 4
// or 16, of the global side. Not inlined, so that all ways of copying, and blocks that record, run the same code:
// inlined it was up to 14 % faster or slower, depending on the surrounding code (H200).
template <int kAlign>
__device__ __noinline__ void work_on(const float* tile, float* to, std::uint32_t size, std::uint32_t thread,
                                     std::uint32_t threads, std::uint32_t fma, float a, float b) {
  __builtin_assume(__isShared(tile));
  __builtin_assume(__isGlobal(to));
  using W = typename Word<kAlign>::type;
  constexpr std::uint32_t kFloats = kAlign / 4;
  const Chains chains{fma, a, b};
  const auto* const from_words = reinterpret_cast<const W*>(tile);
  auto* const to_words = reinterpret_cast<W*>(to);
  const std::uint32_t words = size / kFloats;
#pragma unroll 1
  for (std::uint32_t i = thread; i < words; i += threads) to_words[i] = chains(from_words[i]);
  for (std::uint32_t i = words * kFloats + thread; i < size; i += threads) to[i] = chains(tile[i]);
}

// Calls one(to, from) for this thread's share of the words of a tile; the floats behind the last word are loaded and
// stored.
template <int kBytes, class One>
__device__ inline void by_words(float* to, const float* from, std::uint32_t size, std::uint32_t thread,
                                std::uint32_t threads, const One& one) {
  using W = typename Word<kBytes>::type;
  constexpr std::uint32_t kFloats = kBytes / 4;
  const std::uint32_t words = size / kFloats;
  for (std::uint32_t i = thread; i < words; i += threads) {
    one(reinterpret_cast<W*>(to) + i, reinterpret_cast<const W*>(from) + i);
  }
  for (std::uint32_t i = words * kFloats + thread; i < size; i += threads) to[i] = from[i];
}

// Calls each(Width<4>{}), or 8 or 16: the width of a copy is part of its instruction.
template <int kBytes>
struct Width {
  static constexpr int bytes = kBytes;
};
template <class Each>
__device__ inline void of_width(std::uint32_t bytes, const Each& each) {
  if (bytes == 16) return each(Width<16>{});
  if (bytes == 8) return each(Width<8>{});
  each(Width<4>{});
}

// Commits in `parts` parts of each warp, one after the other, as a diverged warp does.
template <class Commit>
__device__ inline void diverged(std::uint32_t parts, const Commit& commit) {
  if (parts <= 1) return commit();
  const std::uint32_t lane = threadIdx.x % 32;
  for (std::uint32_t part = 0; part < parts; ++part) {
    if (lane % parts == part) commit();
  }
}

// Cycles through the places. `round` alternates between 0 and 1: the phase of a place's barrier.
struct Turn {
  std::uint32_t place = 0, round = 0;
  __device__ void next(std::uint32_t stages) {
    if (++place < stages) return;
    place = 0;
    round ^= 1;
  }
};

// Way, a way of copying: load(turn, to, from, size) begins to copy a tile, called by all threads; wait(turn, later)
// waits for this thread's part of it, where `later` tiles were begun since; done() is called after the work on it.
//
// The copy of tile k + stages - 1 goes where tile k - 1 was: all threads have finished with that when they have passed
// the barrier after the wait for tile k. So a tile costs one barrier, and stages - 1 copies overlap the work.
template <int kAlign, class Way, class Notes>
__device__ inline void tile_loop(const TileWork& work, float* places, Way& way, Notes& notes) {
  const BlockTiles tiles(work);
  const std::uint32_t stages = work.stages;
  std::uint64_t begun = 0;
  Turn copied, worked;
  const auto begin_next = [&] {
    way.load(copied, places + copied.place * work.tile, tiles.at(begun), tiles.size(begun));
    copied.next(stages);
    ++begun;
  };
  while (begun + 1 < stages && begun < tiles.mine) {
    notes.load_issued(begun);
    begin_next();
  }
  for (std::uint64_t k = 0; k < tiles.mine; ++k) {
    if (stages == 1) {
      __syncthreads();
      notes.look();
      notes.load_issued(k);
      begin_next();
    }
    notes.wait_begun(k);
    way.wait(worked, static_cast<std::uint32_t>(begun - (k + 1)));
    __syncthreads();
    notes.wait_over();
    if (stages > 1 && begun < tiles.mine) {
      notes.load_issued(begun);
      begin_next();
    }
    work_on<kAlign>(places + worked.place * work.tile, tiles.at(k), tiles.size(k), threadIdx.x, blockDim.x, work.fma,
                    work.a, work.b);
    notes.compute_over();
    way.done();
    worked.next(stages);
  }
  notes.end(tiles.mine);
}

// The same with any number of groups not waited for, or with a mistake. What is in shared memory before is not a
// number, so that what is read too early shows; and an empty group stands for each tile that does not exist, so that
// the number means the same for the last tiles. Where the barrier is left out a thread works on what one of another
// warp has copied. Beyond Way, it has commit(), and wait(turn, later) for any `later`.
template <int kAlign, class Way, class Notes>
__device__ inline void deviating_tile_loop(const TileWork& work, float* places, Way& way, Notes& notes) {
  const BlockTiles tiles(work);
  const std::uint32_t stages = work.stages;
  const bool waits = work.leave_out != static_cast<std::uint32_t>(LeaveOut::wait);
  const bool meets = work.leave_out != static_cast<std::uint32_t>(LeaveOut::barrier);
  const std::uint32_t worker = meets ? threadIdx.x : (threadIdx.x + blockDim.x / 2) % blockDim.x;
  for (std::uint32_t i = threadIdx.x; i < stages * work.tile; i += blockDim.x) places[i] = __int_as_float(-1);
  __syncthreads();
  std::uint64_t begun = 0;
  Turn copied, worked;
  const auto begin_next = [&] {
    if (begun < tiles.mine) {
      notes.load_issued(begun);
      way.load(copied, places + copied.place * work.tile, tiles.at(begun), tiles.size(begun));
    } else {
      way.commit();
    }
    copied.next(stages);
    ++begun;
  };
  while (begun + 1 < stages) begin_next();
  for (std::uint64_t k = 0; k < tiles.mine; ++k) {
    if (stages == 1) {
      if (meets) __syncthreads();
      notes.look();
      begin_next();
    }
    notes.wait_begun(k);
    if (waits) way.wait(worked, work.later);
    if (meets) __syncthreads();
    notes.wait_over();
    if (stages > 1) begin_next();
    work_on<kAlign>(places + worked.place * work.tile, tiles.at(k), tiles.size(k), worker, blockDim.x, work.fma, work.a,
                    work.b);
    notes.compute_over();
    worked.next(stages);
  }
  notes.end(tiles.mine);
}

// The places for tiles, and behind them barriers or pipeline state, in bytes.
extern __shared__ __align__(128) unsigned char tile_memory[];

// What a block does in all ways of copying but the warp-specialised one.
template <class Way, int kAlign, bool kDeviates = false>
struct TileBlock {
  static constexpr int kThreads = 1024, kResident = 0, kArchitecture = 0;
  template <bool kRecords>
  __device__ static void run(const TileWork& work, const StagesTo& stages) {
    StageRecorder<kRecords> notes(stages, threadIdx.x == 0);
    notes.begin();
    auto* const places = reinterpret_cast<float*>(tile_memory + work.shift);
    // Barriers need their own alignment.
    Way way(work, tile_memory + (work.shift + 15) / 16 * 16 +
                      static_cast<std::size_t>(work.stages) * work.tile * sizeof(float));
    if constexpr (kDeviates) {
      deviating_tile_loop<kAlign>(work, places, way, notes);
    } else {
      tile_loop<kAlign>(work, places, way, notes);
    }
  }
};

// The kernels of a way of copying, for data aligned to 4 bytes or to 16 and more.
using TileForms = StagedForms<TileWork>;
template <class Way>
TileForms deviating_forms(std::uint32_t align) {
  return align >= 16 ? staged_forms<TileBlock<Way, 16, true>, TileWork>()
                     : staged_forms<TileBlock<Way, 4, true>, TileWork>();
}
template <class Way>
TileForms tile_forms(std::uint32_t align) {
  return align >= 16 ? staged_forms<TileBlock<Way, 16>, TileWork>() : staged_forms<TileBlock<Way, 4>, TileWork>();
}

// Each in the file of its way of copying.
TileForms sync_tiles(std::uint32_t align);
TileForms cp_async_tiles(std::uint32_t align, bool deviates);
TileForms primitives_tiles(std::uint32_t align, bool deviates);
TileForms cg_tiles(std::uint32_t align);
TileForms barrier_tiles(std::uint32_t align);
TileForms pipeline_tiles(std::uint32_t align);
TileForms specialised_tiles(std::uint32_t align, std::uint32_t stages);
TileForms bulk_tiles(std::uint32_t align);

}  // namespace streamscope::kernels
