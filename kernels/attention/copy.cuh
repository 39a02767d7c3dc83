// Tiles into shared memory by cp.async (PTX ISA), in groups.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/attention/piece.cuh"

namespace streamscope::kernels {

// Writes zeros if the source does not exist; its address must still be in global memory.
__device__ inline void copy_piece(void* to, const void* from, bool exists) {
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(to))),
      "l"(from), "r"(exists ? 16 : 0)
      : "memory");
}
__device__ inline void commit_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }
// Waits until at most kGroups of this thread's newest groups are in flight.
template <int kGroups>
__device__ inline void wait_group() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kGroups) : "memory");
}

// This thread's share, as one of kThreads, of kRows rows from row `first` on; those from `rows` on are zeros. In shared
// memory they are kRowBytes apart.
template <class T, int kHead, int kRows, int kThreads, std::size_t kRowBytes>
__device__ inline void copy_rows(unsigned char* to, const T* from, std::uint32_t first, std::uint32_t rows,
                                 std::uint32_t thread) {
  constexpr int kElements = Piece<T>::elements, kPieces = kHead / kElements;
  static_assert(kRows * kPieces % kThreads == 0, "all threads copy as much");
#pragma unroll
  for (int i = 0; i < kRows * kPieces / kThreads; ++i) {
    const std::uint32_t piece = thread + i * kThreads, row = piece / kPieces, column = piece % kPieces;
    const std::uint64_t source_row = std::uint64_t{first} + row;
    const bool exists = source_row < rows;
    const T* const source = exists ? from + source_row * kHead + column * kElements : from;
    copy_piece(to + row * kRowBytes + column * sizeof(uint4), source, exists);
  }
}

}  // namespace streamscope::kernels
