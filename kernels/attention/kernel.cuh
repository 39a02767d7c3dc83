// The kernel, for one type of elements and one head size.
//
// A warp has 16 of the block's query rows to itself, so that their softmax weights need no other warp. Of the 8 lanes
// that share a row each has every eighth key of a tile, then every eighth piece of an output row; a lane has 4 rows.
#pragma once

#include <cuda_bf16.h>
#include <math_constants.h>

#include <cstdint>

#include "kernels/attention/copy.cuh"
#include "kernels/attention/launch.h"
#include "kernels/attention/piece.cuh"
#include "kernels/staged.cuh"

namespace streamscope::kernels {

// The kernel's argument.
struct AttentionWork : AttentionMatrices {
  std::uint32_t query_tiles;  // a head
  std::uint32_t buffers;
  std::uint32_t waits;
};

// The rows of a warp, and how its lanes share them and the columns.
inline constexpr int kWarpRows = 16, kLaneRows = 4, kRowGroups = kWarpRows / kLaneRows, kColumnGroups = 8;
inline constexpr int kTileKeys = static_cast<int>(kAttentionKeys), kLaneKeys = kTileKeys / kColumnGroups;
inline constexpr int kWeightsRow = static_cast<int>(kAttentionWeightsRow);
static_assert(kWarpRows * kAttentionThreads / 32 == kAttentionQueries, "a warp for each so many rows");

// Rows by bits 1 and 4 of the lane, columns by 0, 2 and 3: each row and each column is then read by neighbours, which a
// read of 16 bytes a lane serves at once.
struct Lane {
  __device__ explicit Lane(std::uint32_t lane)
      : row(((lane >> 1) & 1) | ((lane >> 3) & 2)), column((lane & 1) | ((lane >> 1) & 6)) {}
  std::uint32_t row, column;
};
// Reduces over the lanes that share a row.
template <class Join>
__device__ inline float join_columns(float value, const Join& join) {
  for (const unsigned bit : {1u, 4u, 8u}) value = join(value, __shfl_xor_sync(0xFFFFFFFFu, value, bit));
  return value;
}

// The state of a lane: for each of its rows the running maximum of the scores, its share of the sum of the weights, and
// its pieces of the output. Scores are exponents of two.
template <class T, int kHead>
struct AttentionRows {
  static constexpr int kElements = Piece<T>::elements, kPieces = kHead / kElements;
  static constexpr int kLanePieces = kPieces / kColumnGroups;
  static constexpr int kQueryRow = kHead + static_cast<int>(kAttentionPad / sizeof(float));  // floats
  static constexpr std::size_t kTileRow = kHead * sizeof(T) + kAttentionPad;  // bytes, of keys and values
  static_assert(kAttentionQueries * (kQueryRow + kWeightsRow) * sizeof(float) + 4 * kAttentionKeys * kTileRow ==
                attention_shared_bytes(kHead, sizeof(T) == 2, 2));

  float highest[kLaneRows], sum[kLaneRows];
  float output[kLaneRows][kLanePieces][kElements];

  __device__ AttentionRows() {
#pragma unroll
    for (int i = 0; i < kLaneRows; ++i) {
      highest[i] = -CUDART_INF_F;
      sum[i] = 0;
#pragma unroll
      for (int m = 0; m < kLanePieces; ++m) {
#pragma unroll
        for (int e = 0; e < kElements; ++e) output[i][m][e] = 0;
      }
    }
  }

  // Scores of the lane's rows and its keys of a tile.
  __device__ static void multiply(const float* queries, const unsigned char* keys, const Lane& lane,
                                  float (&scores)[kLaneRows][kLaneKeys]) {
#pragma unroll(16 / kElements)
    for (int piece = 0; piece < kPieces; ++piece) {
      float key[kLaneKeys][kElements];
#pragma unroll
      for (int n = 0; n < kLaneKeys; ++n) {
        const unsigned char* const row = keys + (lane.column + n * kColumnGroups) * kTileRow;
        Piece<T>::unpack(reinterpret_cast<const uint4*>(row)[piece], key[n]);
      }
#pragma unroll
      for (int i = 0; i < kLaneRows; ++i) {
        const float* const row = queries + (lane.row + i * kRowGroups) * kQueryRow + piece * kElements;
        float query[kElements];
#pragma unroll
        for (int e = 0; e < kElements; e += 4) {
          const float4 four = *reinterpret_cast<const float4*>(row + e);
          query[e] = four.x;
          query[e + 1] = four.y;
          query[e + 2] = four.z;
          query[e + 3] = four.w;
        }
#pragma unroll
        for (int e = 0; e < kElements; ++e) {
#pragma unroll
          for (int n = 0; n < kLaneKeys; ++n) scores[i][n] = fmaf(query[e], key[n][e], scores[i][n]);
        }
      }
    }
  }

  // The weights of a tile with `left` keys; what there is already is taken down to the new maximum. A tile has one key
  // at least, so that the maximum is finite.
  __device__ void weigh(const float* queries, const unsigned char* keys, std::uint32_t left, const Lane& lane,
                        float* weights) {
    float scores[kLaneRows][kLaneKeys] = {};
    multiply(queries, keys, lane, scores);
    if (left < kAttentionKeys) {
#pragma unroll
      for (int n = 0; n < kLaneKeys; ++n) {
        if (lane.column + n * kColumnGroups < left) continue;
#pragma unroll
        for (int i = 0; i < kLaneRows; ++i) scores[i][n] = -CUDART_INF_F;
      }
    }
#pragma unroll
    for (int i = 0; i < kLaneRows; ++i) {
      float now = highest[i];
#pragma unroll
      for (int n = 0; n < kLaneKeys; ++n) now = fmaxf(now, scores[i][n]);
      now = join_columns(now, [](float a, float b) { return fmaxf(a, b); });
      const float down = exp2f(highest[i] - now);
      highest[i] = now;
#pragma unroll
      for (int m = 0; m < kLanePieces; ++m) {
#pragma unroll
        for (int e = 0; e < kElements; ++e) output[i][m][e] *= down;
      }
      float* const row = weights + (lane.row + i * kRowGroups) * kWeightsRow;
      float added = 0;
#pragma unroll
      for (int n = 0; n < kLaneKeys; ++n) {
        const float weight = exp2f(scores[i][n] - now);
        added += weight;
        row[lane.column + n * kColumnGroups] = weight;
      }
      sum[i] = fmaf(sum[i], down, added);
    }
  }

  __device__ void add(const float* weights, const unsigned char* values, const Lane& lane) {
#pragma unroll 2
    for (int four = 0; four < kTileKeys; four += 4) {
      float weight[kLaneRows][4];
#pragma unroll
      for (int i = 0; i < kLaneRows; ++i) {
        const float* const row = weights + (lane.row + i * kRowGroups) * kWeightsRow + four;
        Piece<float>::unpack(*reinterpret_cast<const uint4*>(row), weight[i]);
      }
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const auto* const row = reinterpret_cast<const uint4*>(values + (four + k) * kTileRow);
#pragma unroll
        for (int m = 0; m < kLanePieces; ++m) {
          float value[kElements];
          Piece<T>::unpack(row[lane.column + m * kColumnGroups], value);
#pragma unroll
          for (int i = 0; i < kLaneRows; ++i) {
#pragma unroll
            for (int e = 0; e < kElements; ++e) {
              output[i][m][e] = fmaf(weight[i][k], value[e], output[i][m][e]);
            }
          }
        }
      }
    }
  }

  // The rows from `first` on, as far as there are any.
  __device__ void write(T* to, std::uint64_t first, std::uint32_t rows, const Lane& lane) {
#pragma unroll
    for (int i = 0; i < kLaneRows; ++i) {
      const float share = 1.0f / join_columns(sum[i], [](float a, float b) { return a + b; });
      const std::uint64_t row = first + lane.row + i * kRowGroups;
      if (row >= rows) continue;
      auto* const pieces = reinterpret_cast<uint4*>(to + row * kHead);
#pragma unroll
      for (int m = 0; m < kLanePieces; ++m) {
#pragma unroll
        for (int e = 0; e < kElements; ++e) output[i][m][e] *= share;
        pieces[lane.column + m * kColumnGroups] = Piece<T>::pack(output[i][m]);
      }
    }
  }
};

// A warp's queries, from where they were copied to into floats there, times what makes e^(Q K^T / sqrt(d)) a power of
// two. A lane takes the pieces that it copied itself; rows of bfloat16 grow over each other's.
template <class T, int kHead>
__device__ inline void scale_queries(float* queries, std::uint32_t lane) {
  using Rows = AttentionRows<T, kHead>;
  constexpr int kLanePieces = kWarpRows * Rows::kPieces / 32;
  constexpr float kScale = 1.4426950408889634f * (kHead == 64 ? 0.125f : 0.08838834764831845f);
  uint4 copied[kLanePieces];
#pragma unroll
  for (int i = 0; i < kLanePieces; ++i) {
    const std::uint32_t piece = lane + i * 32;
    const float* const row = queries + piece / Rows::kPieces * Rows::kQueryRow;
    copied[i] = reinterpret_cast<const uint4*>(row)[piece % Rows::kPieces];
  }
  __syncwarp();
#pragma unroll
  for (int i = 0; i < kLanePieces; ++i) {
    const std::uint32_t piece = lane + i * 32;
    float* const to = queries + piece / Rows::kPieces * Rows::kQueryRow + piece % Rows::kPieces * Rows::kElements;
    float elements[Rows::kElements];
    Piece<T>::unpack(copied[i], elements);
#pragma unroll
    for (int e = 0; e < Rows::kElements; ++e) to[e] = elements[e] * kScale;
  }
}

extern __shared__ __align__(128) unsigned char attention_memory[];

// Shared memory: queries, weights, then for each buffer one tile of keys and one of values.
//
// Copy 2j is the keys of tile j and copy 2j + 1 its values. With two buffers they are issued in that order, each after
// the barrier at which all threads have finished with the tile that was in its place; at most three are in flight. An
// empty group stands for each copy that does not exist, so that it is always the newest two groups that need not be
// waited for. With one wait for both tiles of a pair, the next pair is asked for behind it.
//
// Not inlined, so that blocks that do not record have the same code as in the kernel without recording. Inlined it was
// 2 % slower (H200).
template <class T, int kHead, bool kRecords>
__device__ __noinline__ void attend(AttentionWork work, StagesTo stages) {
  using Rows = AttentionRows<T, kHead>;
  constexpr std::size_t kPlace = kAttentionKeys * Rows::kTileRow;
  StageRecorder<kRecords> notes(stages, threadIdx.x == 0);
  notes.begin();

  const std::uint32_t warp = threadIdx.x / 32;
  const Lane lane(threadIdx.x % 32);
  const std::uint64_t head = blockIdx.x / work.query_tiles;
  const std::uint32_t first = blockIdx.x % work.query_tiles * kAttentionQueries + warp * kWarpRows;
  const std::uint32_t tiles = (work.keys - 1) / kAttentionKeys + 1;
  const T* const all_keys = static_cast<const T*>(work.k) + head * work.keys * kHead;
  const T* const all_values = static_cast<const T*>(work.v) + head * work.keys * kHead;

  auto* const floats = reinterpret_cast<float*>(attention_memory);
  float* const queries = floats + warp * kWarpRows * Rows::kQueryRow;
  float* const weights = floats + kAttentionQueries * Rows::kQueryRow + warp * kWarpRows * kWeightsRow;
  unsigned char* const places = attention_memory + kAttentionQueries * (Rows::kQueryRow + kWeightsRow) * sizeof(float);
  const auto place_of = [&](std::uint32_t copy) {
    return places + ((copy / 2 & (work.buffers - 1)) * 2 + copy % 2) * kPlace;
  };
  // Uses the time of the last reading: nothing happens in between.
  const auto begin_copy = [&](std::uint32_t copy) {
    if (copy / 2 < tiles) {
      notes.load_issued(copy);
      copy_rows<T, kHead, kTileKeys, kAttentionThreads, Rows::kTileRow>(
          place_of(copy), copy % 2 == 0 ? all_keys : all_values, copy / 2 * kAttentionKeys, work.keys, threadIdx.x);
    }
    commit_group();
  };

  const bool ahead = work.buffers == 2, one_wait = work.waits == 1;
  copy_rows<T, kHead, kWarpRows, 32, Rows::kQueryRow * sizeof(float)>(
      reinterpret_cast<unsigned char*>(queries), static_cast<const T*>(work.q) + head * work.queries * kHead, first,
      work.queries, threadIdx.x % 32);
  commit_group();
  if (ahead) {
    for (std::uint32_t copy = 0; copy < 3; ++copy) {
      if (copy < 2 || !one_wait) begin_copy(copy);
    }
    if (one_wait) {
      wait_group<2>();
    } else {
      wait_group<3>();
    }
  } else {
    wait_group<0>();
  }
  scale_queries<T, kHead>(queries, threadIdx.x % 32);

  Rows rows;
  for (std::uint32_t tile = 0; tile < tiles; ++tile) {
    const std::uint32_t keys = 2 * tile, values = keys + 1;
    if (!ahead) {
      __syncthreads();
      notes.look();
      begin_copy(keys);
      begin_copy(values);
    } else if (tile == 0) {
      notes.look();  // the queries were waited for and scaled
    }
    notes.wait_begun(keys);
    if (one_wait) {
      wait_group<0>();
    } else if (ahead) {
      wait_group<2>();
    } else {
      wait_group<1>();
    }
    __syncthreads();
    notes.wait_over();
    if (ahead && one_wait) begin_copy(keys + 2);
    if (ahead) begin_copy(values + 2);
    rows.weigh(queries, place_of(keys), work.keys - tile * kAttentionKeys, lane, weights);
    notes.compute_over();

    notes.wait_begun(values);
    if (one_wait) {
      __syncwarp();  // the weights are its own
    } else {
      if (ahead) {
        wait_group<2>();
      } else {
        wait_group<0>();
      }
      __syncthreads();
    }
    notes.wait_over();
    if (ahead && !one_wait) begin_copy(keys + 4);
    rows.add(weights, place_of(values), lane);
    notes.compute_over();
  }
  rows.write(static_cast<T*>(work.o) + head * work.queries * kHead, first, work.queries, lane);
  notes.compute_over();  // what is written belongs to the last work
  notes.end(2 * tiles);
}

template <class T, int kHead>
struct AttentionBlock {
  static constexpr int kThreads = kAttentionThreads, kResident = 1, kArchitecture = 800;
  template <bool kRecords>
  __device__ static void run(AttentionWork work, StagesTo stages) {
    attend<T, kHead, kRecords>(work, stages);
  }
};

using AttentionForms = StagedForms<AttentionWork>;
template <class T>
AttentionForms attention_forms(std::uint32_t head_size) {
  return head_size == 128 ? staged_forms<AttentionBlock<T, 128>, AttentionWork>()
                          : staged_forms<AttentionBlock<T, 64>, AttentionWork>();
}

// Each in the file of its type.
AttentionForms fp32_attention(std::uint32_t head_size);
AttentionForms bf16_attention(std::uint32_t head_size);

}  // namespace streamscope::kernels
