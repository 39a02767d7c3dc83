// Kernels that copy global memory into shared memory tile by tile, one for each way that CUDA has for it.
//
// All do the same work, axpb's (launch.h), and leave the same bits: a block takes every gridDim-th tile, copies it into
// one of `stages` places in shared memory, works on it and writes it back. With more than one stage the copies of the
// next tiles overlap the work. Like everything behind launch.h: an int is a cudaError_t, pointers are device pointers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/launch.h"
#include "kernels/stages.h"
#include "kernels/tiles/options.h"

namespace streamscope::kernels {

struct Tiles {
  float* data;          // aligned to `align`
  std::uint64_t count;  // floats; the last tile may be incomplete
  std::uint32_t fma;
  std::uint32_t blocks, threads;
  TileCopy copy;
  std::uint32_t stages;      // 1 to kMostStages
  std::uint32_t tile_bytes;  // a multiple of 16 and of `align`
  std::uint32_t copy_bytes;  // of one thread's copy: 4, 8 or 16, no more than `align`; for cp_async, primitives,
                             // pipeline and specialised
  bool through_l1;           // cp_async of 16 bytes: .ca and not .cg
  std::uint32_t align;       // of the data, in bytes: 4, 16 or 128; at least 16 for bulk
  std::uint32_t diverge;     // 1 to 32: a warp commits in so many parts (cp_async, primitives, pipeline)
  std::uint32_t producers;   // specialised: warps that copy, fewer than there are
};
// Blocks record their stages if `stages` has blocks. The launch must then have a stamp of its own: one with tickets,
// for graphs, is refused.
int tiles(const Tiles& launch, const StampTo& stamp, const StagesTo& stages, Stream stream);

// Registers of a thread, and how many blocks are resident on a multiprocessor.
struct TilesFit {
  int blocks, registers;
};
int tiles_fit(const Tiles& launch, TilesFit* fit);

// Loads that kernel before the first launch, and allows it as much dynamic shared memory as a block can have on this
// device.
int prepare_tiles(TileCopy copy, std::uint32_t stages, std::size_t shared_bytes_limit);

}  // namespace streamscope::kernels
