#include "kernels/attention/attention.h"

#include <fmt/format.h>

#include "kernels/textbook.h"

namespace streamscope::kernels {
namespace {

constexpr std::string_view kCpAsync =
    R"(// Copies 16 bytes into shared memory past the registers, or zeros where there is nothing to copy.
__device__ void cp_async_or_zeros(void* to, const void* from, bool exists) {
  const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(place), "l"(from), "r"(exists ? 16 : 0) : "memory");
}
__device__ void cp_async_commit() { asm volatile("cp.async.commit_group;" : : : "memory"); }
// Until at most so many of this thread's newest groups are under way.
template <int kGroups>
__device__ void cp_async_wait() {
  asm volatile("cp.async.wait_group %0;" : : "n"(kGroups) : "memory");
}
)";

constexpr std::string_view kFloats = R"(// 16 bytes of a row.
__device__ void unpack(uint4 piece, float (&to)[4]) {
  to[0] = __uint_as_float(piece.x);
  to[1] = __uint_as_float(piece.y);
  to[2] = __uint_as_float(piece.z);
  to[3] = __uint_as_float(piece.w);
}
__device__ uint4 pack(const float (&from)[4]) {
  return {__float_as_uint(from[0]), __float_as_uint(from[1]), __float_as_uint(from[2]), __float_as_uint(from[3])};
}
)";

constexpr std::string_view kBf16s = R"(// 16 bytes of a row; a bfloat16 is the upper half of a float.
__device__ void unpack(uint4 piece, float (&to)[8]) {
  const unsigned words[4] = {piece.x, piece.y, piece.z, piece.w};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    to[2 * i] = __uint_as_float(words[i] << 16);
    to[2 * i + 1] = __uint_as_float(words[i] & 0xFFFF0000u);
  }
}
__device__ unsigned two(float low, float high) {
  return unsigned{__bfloat16_as_ushort(__float2bfloat16_rn(low))} |
         unsigned{__bfloat16_as_ushort(__float2bfloat16_rn(high))} << 16;
}
__device__ uint4 pack(const float (&from)[8]) {
  return {two(from[0], from[1]), two(from[2], from[3]), two(from[4], from[5]), two(from[6], from[7])};
}
)";

constexpr std::string_view kHead =
    R"(// softmax(Q K^T / sqrt(d)) V of each head, as FlashAttention-2 goes: a block has $queries$ rows of Q and takes the tiles of K
// and V past them, with a running maximum and sum. A warp has 16 rows to itself. Of the 8 lanes that share 4 rows each
// has every eighth key of a tile, then every eighth piece (16 bytes) of a row of the output.
__global__ void __launch_bounds__($threads$, 1)
    $name$(const $T$* q, const $T$* k, const $T$* v, $T$* o, unsigned rows) {
  using T = $T$;
  constexpr int kHead = $head$, kQueries = $queries$, kKeys = $keys$;  // elements of a row, rows of a tile of Q, of K and V
  constexpr int kElements = 16 / sizeof(T), kPieces = kHead / kElements, kLanePieces = kPieces / 8, kLaneKeys = kKeys / 8;
  // Rows in shared memory, padded so that eight after each other lie in different banks: floats, floats, bytes.
  constexpr int kQueryRow = kHead + 4, kWeightRow = kKeys + 8, kTileRow = kHead * sizeof(T) + 16;
  constexpr int kPlace = kKeys * kTileRow;
  extern __shared__ __align__(128) unsigned char shared_memory[];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned lane_row = ((lane >> 1) & 1) | ((lane >> 3) & 2), lane_column = (lane & 1) | ((lane >> 1) & 6);
  float* const queries = reinterpret_cast<float*>(shared_memory) + warp * 16 * kQueryRow;
  float* const weights = reinterpret_cast<float*>(shared_memory) + kQueries * kQueryRow + warp * 16 * kWeightRow;
  unsigned char* const places = shared_memory + kQueries * (kQueryRow + kWeightRow) * sizeof(float);

  const unsigned query_tiles = (rows - 1) / kQueries + 1, tiles = (rows - 1) / kKeys + 1;
  const size_t matrix = size_t{blockIdx.x / query_tiles} * rows * kHead;  // where this head begins
  const unsigned first = blockIdx.x % query_tiles * kQueries + warp * 16;
  // Reduces over the lanes that share rows.
  const auto over_columns = [](float value, auto join) {
    for (const unsigned bit : {1u, 4u, 8u}) value = join(value, __shfl_xor_sync(0xFFFFFFFFu, value, bit));
    return value;
  };
)";

constexpr std::string_view kCopies =
    R"(  // Copy 2j is the keys of tile j, copy 2j + 1 its values; an empty group stands for what does not exist.
  const auto place_of = [&](unsigned copy) { return places + (copy / 2 % $buffers$ * 2 + copy % 2) * kPlace; };
  const auto begin_copy = [&](unsigned copy) {
    if (copy / 2 < tiles) {
      const T* const from = (copy % 2 == 0 ? k : v) + matrix;
#pragma unroll
      for (int i = 0; i < kKeys * kPieces / $threads$; ++i) {
        const unsigned piece = threadIdx.x + i * $threads$, row = piece / kPieces, column = piece % kPieces;
        const size_t source = size_t{copy / 2} * kKeys + row;
        cp_async_or_zeros(place_of(copy) + row * kTileRow + column * 16,
                          source < rows ? from + source * kHead + column * kElements : from, source < rows);
      }
    }
    cp_async_commit();
  };

  // This warp's queries as they are, then as floats, times what makes e^(Q K^T / sqrt(d)) a power of two.
#pragma unroll
  for (int i = 0; i < 16 * kPieces / 32; ++i) {
    const unsigned piece = lane + i * 32, row = piece / kPieces, column = piece % kPieces;
    const size_t source = size_t{first} + row;
    cp_async_or_zeros(reinterpret_cast<unsigned char*>(queries + row * kQueryRow) + column * 16,
                      source < rows ? q + matrix + source * kHead + column * kElements : q + matrix, source < rows);
  }
  cp_async_commit();
$begin$  uint4 copied[kPieces / 2];
#pragma unroll
  for (int i = 0; i < kPieces / 2; ++i) {
    const unsigned piece = lane + i * 32;
    copied[i] = reinterpret_cast<const uint4*>(queries + piece / kPieces * kQueryRow)[piece % kPieces];
  }
  __syncwarp();
#pragma unroll
  for (int i = 0; i < kPieces / 2; ++i) {
    const unsigned piece = lane + i * 32;
    float* const to = queries + piece / kPieces * kQueryRow + piece % kPieces * kElements;
    float elements[kElements];
    unpack(copied[i], elements);
#pragma unroll
    for (int e = 0; e < kElements; ++e) to[e] = elements[e] * (1.4426950408889634f * $scale$f);
  }

  // Of each of the lane's rows: the maximum so far, the lane's share of the sum, its pieces of the output.
  float highest[4], sum[4], output[4][kLanePieces][kElements];
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    highest[r] = -CUDART_INF_F;
    sum[r] = 0;
#pragma unroll
    for (int m = 0; m < kLanePieces; ++m) {
#pragma unroll
      for (int e = 0; e < kElements; ++e) output[r][m][e] = 0;
    }
  }
)";

constexpr std::string_view kLoop = R"(  for (unsigned tile = 0; tile < tiles; ++tile) {
$keys_wait$
    // Scores of the lane's rows and keys.
    const unsigned char* const keys = place_of(2 * tile);
    float scores[4][kLaneKeys] = {};
#pragma unroll(16 / kElements)
    for (int piece = 0; piece < kPieces; ++piece) {
      float key[kLaneKeys][kElements];
#pragma unroll
      for (int n = 0; n < kLaneKeys; ++n) {
        unpack(reinterpret_cast<const uint4*>(keys + (lane_column + n * 8) * kTileRow)[piece], key[n]);
      }
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        const float* const row = queries + (lane_row + r * 4) * kQueryRow + piece * kElements;
        alignas(16) float query[kElements];
#pragma unroll
        for (int e = 0; e < kElements; e += 4) {
          *reinterpret_cast<float4*>(query + e) = *reinterpret_cast<const float4*>(row + e);
        }
#pragma unroll
        for (int e = 0; e < kElements; ++e) {
#pragma unroll
          for (int n = 0; n < kLaneKeys; ++n) scores[r][n] = fmaf(query[e], key[n][e], scores[r][n]);
        }
      }
    }
    // Their weights; what there is already is taken down to the new maximum.
    const unsigned left = rows - tile * kKeys;
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      float now = highest[r];
#pragma unroll
      for (int n = 0; n < kLaneKeys; ++n) {
        if (lane_column + n * 8 >= left) scores[r][n] = -CUDART_INF_F;
        now = fmaxf(now, scores[r][n]);
      }
      now = over_columns(now, [](float a, float b) { return fmaxf(a, b); });
      const float down = exp2f(highest[r] - now);
      highest[r] = now;
#pragma unroll
      for (int m = 0; m < kLanePieces; ++m) {
#pragma unroll
        for (int e = 0; e < kElements; ++e) output[r][m][e] *= down;
      }
      float added = 0;
#pragma unroll
      for (int n = 0; n < kLaneKeys; ++n) {
        const float weight = exp2f(scores[r][n] - now);
        added += weight;
        weights[(lane_row + r * 4) * kWeightRow + lane_column + n * 8] = weight;
      }
      sum[r] = fmaf(sum[r], down, added);
    }

$values_wait$
    const unsigned char* const values = place_of(2 * tile + 1);
#pragma unroll 2
    for (int four = 0; four < kKeys; four += 4) {
      alignas(16) float weight[4][4];
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        *reinterpret_cast<float4*>(weight[r]) =
            *reinterpret_cast<const float4*>(weights + (lane_row + r * 4) * kWeightRow + four);
      }
#pragma unroll
      for (int n = 0; n < 4; ++n) {
        const uint4* const row = reinterpret_cast<const uint4*>(values + (four + n) * kTileRow);
#pragma unroll
        for (int m = 0; m < kLanePieces; ++m) {
          float value[kElements];
          unpack(row[lane_column + m * 8], value);
#pragma unroll
          for (int r = 0; r < 4; ++r) {
#pragma unroll
            for (int e = 0; e < kElements; ++e) output[r][m][e] = fmaf(weight[r][n], value[e], output[r][m][e]);
          }
        }
      }
    }
  }
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    const float share = 1.0f / over_columns(sum[r], [](float a, float b) { return a + b; });
    const size_t row = size_t{first} + lane_row + r * 4;
    if (row >= rows) continue;
#pragma unroll
    for (int m = 0; m < kLanePieces; ++m) {
#pragma unroll
      for (int e = 0; e < kElements; ++e) output[r][m][e] *= share;
      reinterpret_cast<uint4*>(o + matrix + row * kHead)[lane_column + m * 8] = pack(output[r][m]);
    }
  }
}
)";

// With two places for each tile the next copies are begun where the tile before is done with, and only the newest two
// groups need not be waited for; with one, both of a tile are begun when all are done with the tile before.
struct Waiting {
  std::string_view begin, keys, values;
};
constexpr Waiting kAhead{"  for (unsigned copy = 0; copy < 3; ++copy) begin_copy(copy);\n  cp_async_wait<3>();\n",
                         R"(    cp_async_wait<2>();  // the keys of this tile
    __syncthreads();     // all have their part of them, and are done with the values before ...
    begin_copy(2 * tile + 3);  // ... whose place is the next values')",
                         R"(    cp_async_wait<2>();  // the values of this tile, only before they are used
    __syncthreads();     // all are done with its keys, too
    begin_copy(2 * tile + 4);)"};
constexpr Waiting kInPlace{"  cp_async_wait<0>();\n", R"(    __syncthreads();  // all are done with the tile before
    begin_copy(2 * tile);
    begin_copy(2 * tile + 1);
    cp_async_wait<1>();  // the keys
    __syncthreads();)",
                           R"(    cp_async_wait<0>();  // the values, only before they are used
    __syncthreads();)"};
constexpr std::string_view kOwnWeights = "    __syncwarp();  // the weights, which its lanes have for each other";
// The same with one wait for both tiles.
constexpr Waiting kAheadOneWait{"  begin_copy(0);\n  begin_copy(1);\n  cp_async_wait<2>();\n",
                                R"(    cp_async_wait<0>();  // the keys and the values of this tile
    __syncthreads();     // all have their part of them, and are done with the tile before ...
    begin_copy(2 * tile + 2);  // ... whose places are the next ones'
    begin_copy(2 * tile + 3);)",
                                kOwnWeights};
constexpr Waiting kInPlaceOneWait{"  cp_async_wait<0>();\n",
                                  R"(    __syncthreads();  // all are done with the tile before
    begin_copy(2 * tile);
    begin_copy(2 * tile + 1);
    cp_async_wait<0>();  // the keys and the values
    __syncthreads();)",
                                  kOwnWeights};

}  // namespace

CudaCode attention_code(const AttentionOptions& options, std::string_view name) {
  const bool ahead = options.buffers == 2;
  const Waiting& waiting = options.waits == 1 ? (ahead ? kAheadOneWait : kInPlaceOneWait) : ahead ? kAhead : kInPlace;
  const std::string text = fmt::format("{}{}{}", kHead, kCopies, kLoop);
  CudaCode code;
  code.headers = {"<math_constants.h>"};
  if (options.bf16) code.headers.push_back("<cuda_bf16.h>");
  code.helpers = {std::string(kCpAsync), std::string(options.bf16 ? kBf16s : kFloats)};
  code.definition = filled_in(text, {{"name", name},
                                     {"T", options.bf16 ? "__nv_bfloat16" : "float"},
                                     {"head", fmt::format("{}", options.head_size)},
                                     {"scale", options.head_size == 64 ? "0.125" : "0.08838834764831845"},
                                     {"queries", fmt::format("{}", kAttentionQueries)},
                                     {"keys", fmt::format("{}", kAttentionKeys)},
                                     {"threads", fmt::format("{}", kAttentionThreads)},
                                     {"buffers", fmt::format("{}", options.buffers)},
                                     {"begin", waiting.begin},
                                     {"keys_wait", waiting.keys},
                                     {"values_wait", waiting.values}});
  code.architecture = 80;
  return code;
}

}  // namespace streamscope::kernels
