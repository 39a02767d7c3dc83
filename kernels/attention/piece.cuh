// 16 bytes of a row: what one cp.async brings, what one read of shared memory takes, what one store writes.
#pragma once

#include <cuda_bf16.h>

#include <cstdint>

namespace streamscope::kernels {

template <class T>
struct Piece;

template <>
struct Piece<float> {
  static constexpr int elements = 4;
  __device__ static void unpack(const uint4& piece, float (&to)[elements]) {
    to[0] = __uint_as_float(piece.x);
    to[1] = __uint_as_float(piece.y);
    to[2] = __uint_as_float(piece.z);
    to[3] = __uint_as_float(piece.w);
  }
  __device__ static uint4 pack(const float (&from)[elements]) {
    return {__float_as_uint(from[0]), __float_as_uint(from[1]), __float_as_uint(from[2]), __float_as_uint(from[3])};
  }
};

// A bfloat16 is the upper half of a float.
template <>
struct Piece<__nv_bfloat16> {
  static constexpr int elements = 8;
  __device__ static void unpack(const uint4& piece, float (&to)[elements]) {
    const std::uint32_t words[4]{piece.x, piece.y, piece.z, piece.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      to[2 * i] = __uint_as_float(words[i] << 16);
      to[2 * i + 1] = __uint_as_float(words[i] & 0xFFFF0000u);
    }
  }
  __device__ static uint4 pack(const float (&from)[elements]) {
    return {two(from[0], from[1]), two(from[2], from[3]), two(from[4], from[5]), two(from[6], from[7])};
  }

 private:
  __device__ static std::uint32_t two(float low, float high) {
    return std::uint32_t{__bfloat16_as_ushort(__float2bfloat16_rn(low))} |
           std::uint32_t{__bfloat16_as_ushort(__float2bfloat16_rn(high))} << 16;
  }
};

}  // namespace streamscope::kernels
