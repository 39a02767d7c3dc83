#include "kernels/tiles/tiles.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/axpb/axpb.h"
#include "kernels/textbook.h"

namespace streamscope::kernels {
namespace {

// A way of copying, as pieces of the kernel. `$` stands as in filled_in().
struct Way {
  std::vector<std::string_view> headers = {};
  std::string_view helper = {};
  std::string_view set_up = {};   // before the first copy
  std::string_view acquire = {};  // of a place, before the copy into it
  std::string_view copy = {};     // of a tile: `from`, `to`, `floats`
  std::string_view commit = {};
  std::string_view wait = {};     // for the tile k
  std::string_view release = {};  // of its place, after the work
};

// A copy of words by all threads, `one` of each; the floats behind the last word are loaded and stored.
constexpr std::string_view kByWords = R"(for (int i = $first$; i < floats / $width$; i += $step$) {
        $one$
      }
      for (int i = floats / $width$ * $width$ + $first$; i < floats; i += $step$) to[i] = from[i];)";
// One call for the block; what is no multiple of the alignment is loaded and stored.
constexpr std::string_view kByBlock = R"(const int whole = floats / $floats_aligned$ * $floats_aligned$;
      $one$
      for (int i = whole + threadIdx.x; i < floats; i += blockDim.x) to[i] = from[i];)";

constexpr std::string_view kCpAsync = R"(// Copies $bytes$ bytes from global to shared memory, past the registers.
__device__ void cp_async_$cache$_$bytes$(float* to, const float* from) {
  const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.$cache$.shared.global [%0], [%1], $bytes$;" : : "r"(place), "l"(from) : "memory");
}
)";

constexpr std::string_view kBarriers = R"(  __shared__ cuda::barrier<cuda::thread_scope_block> arrived[kStages];
  for (int i = threadIdx.x; i < kStages; i += blockDim.x) init(&arrived[i], $arrivals$);
  __syncthreads();
)";

bool starts_new_line(std::string_view text) { return !text.empty(); }
std::string indented(std::string_view statement, int by) {
  return starts_new_line(statement) ? std::string(static_cast<std::size_t>(by), ' ') + std::string(statement) + "\n"
                                    : std::string();
}

Way way_of(const TilesOptions& of) {
  switch (of.copy) {
    case TileCopy::sync: return {.copy = kByWords};
    case TileCopy::cp_async:
      return {.helper = kCpAsync,
              .copy = kByWords,
              .commit = R"(asm volatile("cp.async.commit_group;" : : : "memory");)",
              .wait = R"(asm volatile("cp.async.wait_group %0;" : : "n"($later$) : "memory");)"};
    case TileCopy::primitives:
      return {.headers = {"<cuda_pipeline_primitives.h>"},
              .copy = kByWords,
              .commit = "__pipeline_commit();",
              .wait = "__pipeline_wait_prior($later$);"};
    case TileCopy::cg:
      return {.headers = {"<cooperative_groups.h>", "<cooperative_groups/memcpy_async.h>", "<cuda/barrier>"},
              .set_up = "  const auto block = cooperative_groups::this_thread_block();\n",
              .copy = kByBlock,
              .wait = R"(if (k + kStages - 1 <= mine) {
      cooperative_groups::wait_prior<$later$>(block);
    } else {
      cooperative_groups::wait(block);
    })"};
    case TileCopy::barrier:
      return {.headers = {"<cooperative_groups.h>", "<cuda/barrier>"},
              .set_up = kBarriers,
              .copy = kByBlock,
              .commit = "(void)arrived[k % kStages].arrive();",
              .wait = "arrived[k % kStages].wait_parity(k / kStages % 2 != 0);"};
    case TileCopy::pipeline:
      return {.headers = {"<cuda/pipeline>"},
              .set_up = "  cuda::pipeline<cuda::thread_scope_thread> pipeline = cuda::make_pipeline();\n",
              .acquire = "pipeline.producer_acquire();",
              .copy = kByWords,
              .commit = "pipeline.producer_commit();",
              .wait = "pipeline.consumer_wait();",
              .release = "pipeline.consumer_release();"};
    case TileCopy::specialised:
      return {.headers = {"<cooperative_groups.h>", "<cuda/pipeline>"},
              .acquire = "pipeline.producer_acquire();",
              .copy = kByWords,
              .commit = "pipeline.producer_commit();",
              .wait = "pipeline.consumer_wait();",
              .release = "pipeline.consumer_release();"};
    case TileCopy::bulk: break;
  }
  return {.headers = {"<cuda/barrier>"},
          .set_up = kBarriers,
          .copy = kByBlock,
          .wait = "arrived[k % kStages].wait_parity(k / kStages % 2 != 0);"};
}

// The copy of one word, or of what the block copies with one call.
std::string_view one_of(const TilesOptions& of) {
  switch (of.copy) {
    case TileCopy::sync:
      return of.align >= 16
                 ? "reinterpret_cast<float4*>(to)[i] = reinterpret_cast<const float4*>(from)[i];  // through registers"
                 : "to[i] = from[i];  // through registers";
    case TileCopy::cp_async: return "cp_async_$cache$_$bytes$(to + i * $width$, from + i * $width$);";
    case TileCopy::primitives: return "__pipeline_memcpy_async(to + i * $width$, from + i * $width$, $bytes$);";
    case TileCopy::cg:
      return "cooperative_groups::memcpy_async(block, to, from, cuda::aligned_size_t<$align$>(whole * sizeof(float)));";
    case TileCopy::barrier:
      return R"(cuda::memcpy_async(cooperative_groups::this_thread_block(), to, from,
                         cuda::aligned_size_t<$align$>(whole * sizeof(float)), arrived[k % kStages]);)";
    case TileCopy::pipeline:
    case TileCopy::specialised:
      return R"(cuda::memcpy_async(to + i * $width$, from + i * $width$, cuda::aligned_size_t<$bytes$>($bytes$), pipeline);)";
    case TileCopy::bulk: break;
  }
  return R"(if (threadIdx.x == 0) {
        auto& barrier = arrived[k % kStages];
        const auto bytes = static_cast<unsigned>(whole * sizeof(float));
        if (bytes > 0) cuda::device::memcpy_async_tx(to, from, cuda::aligned_size_t<16>(bytes), barrier);
        (void)cuda::device::barrier_arrive_tx(barrier, 1, bytes);
      })";
}

constexpr std::string_view kHead = R"(  extern __shared__ __align__(128) unsigned char shared_memory[];
  float* const places = reinterpret_cast<float*>(shared_memory$shift$);  // kStages tiles
  constexpr unsigned kStages = $stages$, kTile = $tile$;                   // a tile's floats
  const size_t tiles = (count + kTile - 1) / kTile;
  const unsigned mine = tiles > blockIdx.x ? static_cast<unsigned>((tiles - blockIdx.x + gridDim.x - 1) / gridDim.x) : 0;
  // The block's kth tile.
  const auto tile_of = [&](unsigned k) { return data + (blockIdx.x + k * size_t{gridDim.x}) * kTile; };
  const auto floats_of = [&](unsigned k) {
    return static_cast<int>(min(size_t{kTile}, count - (blockIdx.x + k * size_t{gridDim.x}) * kTile));
  };
)";

std::string work_of(const TilesOptions& of, std::string_view thread, std::string_view threads) {
  return filled_in(of.align >= 16 ? R"(    const int floats = floats_of(k), fours = floats / 4;
    const float* const tile = places + k % kStages * kTile;
    float* const to = tile_of(k);
    for (int i = $thread$; i < fours; i += $threads$) {
      reinterpret_cast<float4*>(to)[i] = chain(reinterpret_cast<const float4*>(tile)[i], fma);
    }
    for (int i = fours * 4 + $thread$; i < floats; i += $threads$) to[i] = chain(tile[i], fma);
)"
                                  : R"(    const int floats = floats_of(k);
    const float* const tile = places + k % kStages * kTile;
    float* const to = tile_of(k);
    for (int i = $thread$; i < floats; i += $threads$) to[i] = chain(tile[i], fma);
)",
                   {{"thread", thread}, {"threads", threads}});
}

std::string committed(const TilesOptions& of, std::string_view commit) {
  if (of.diverge <= 1) return indented(commit, 4);
  return fmt::format(R"(    // As a warp that has diverged: its lanes commit in {0} parts, one after the other.
    for (unsigned part = 0; part < {0}; ++part) {{
      if (threadIdx.x % 32 % {0} == part) {1}
    }}
)",
                     of.diverge, commit);
}

}  // namespace

CudaCode tiles_code(const TilesOptions& of, std::string_view name) {
  const Way way = way_of(of);
  const bool groups = of.copy == TileCopy::cp_async || of.copy == TileCopy::primitives;  // empty ones may be committed
  const bool specialised = of.copy == TileCopy::specialised;
  const std::uint32_t bytes = of.copy == TileCopy::sync ? (of.align >= 16 ? 16 : 4) : of.copy_bytes;
  const std::string width = fmt::format("{}", bytes / 4), stages = fmt::format("{}", of.stages);
  const std::string bytes_text = fmt::format("{}", bytes), align = fmt::format("{}", of.align);
  const std::string later = fmt::format("{}", of.wait != kAsNeeded ? of.wait : needed_wait(of.stages));
  const std::string shift = of.shift == 0 ? std::string() : fmt::format(" + {}", of.shift);
  const std::string floats_aligned = fmt::format("{}", of.copy == TileCopy::bulk ? 4 : std::max(1u, of.align / 4));
  const std::string tile = fmt::format("{}", of.tile_bytes / 4), producers = fmt::format("{}", of.producers * 32);
  const auto fill = [&](std::string_view text) {
    const std::string once =
        filled_in(text, {{"one", filled_in(one_of(of), {{"cache", bytes == 16 && !of.through_l1 ? "cg" : "ca"},
                                                        {"bytes", bytes_text},
                                                        {"width", width},
                                                        {"align", align}})},
                         {"cache", bytes == 16 && !of.through_l1 ? "cg" : "ca"},
                         {"bytes", bytes_text},
                         {"width", width},
                         {"floats_aligned", floats_aligned},
                         {"first", "threadIdx.x"},
                         {"step", specialised ? std::string_view("kProducers") : std::string_view("blockDim.x")},
                         {"stages", stages},
                         {"tile", tile},
                         {"later", later},
                         {"shift", shift},
                         {"producers", producers},
                         {"arrivals", of.copy == TileCopy::bulk ? "1" : "blockDim.x"},
                         {"name", name}});
    return once;
  };

  CudaCode code;
  code.headers = way.headers;
  code.helpers.push_back(cuda_chains());
  if (!way.helper.empty()) code.helpers.push_back(fill(way.helper));
  code.architecture = of.copy == TileCopy::bulk ? 90 : of.copy == TileCopy::cp_async ? 80 : 0;

  std::string& text = code.definition;
  const bool barriers = way.set_up == kBarriers;
  if (barriers || specialised) text += "#pragma nv_diag_suppress static_var_with_dynamic_init\n";
  if (specialised) {
    text += fill(
        "// The first $producers$ threads only copy, the others only work; a pipeline of the block hands the tiles "
        "over.\n");
  } else if (of.stages == 1) {
    text += "// Tile by tile through shared memory. With one place for a tile nothing overlaps.\n";
  } else {
    text += fill(
        "// Tile by tile through shared memory, with $stages$ places: the copies of later tiles go on during the "
        "work.\n");
  }
  text += fill("__global__ void __launch_bounds__(1024) $name$(float* data, size_t count, int fma) {\n");
  text += fill(kHead);
  if (specialised) {
    text += fill(R"(  constexpr int kProducers = $producers$;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const bool produces = threadIdx.x < kProducers;
  auto pipeline = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state,
                                      produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  for (unsigned k = 0; k < mine; ++k) {
    if (produces) {
      const int floats = floats_of(k);
      const float* const from = tile_of(k);
      float* const to = places + k % kStages * kTile;
      pipeline.producer_acquire();
)");
    text += "      " + fill(fill(way.copy)) + "\n";
    text += R"(      pipeline.producer_commit();
      continue;
    }
    pipeline.consumer_wait();
)";
    text += work_of(of, "threadIdx.x - kProducers", "blockDim.x - kProducers");
    text += "    pipeline.consumer_release();\n  }\n}\n";
    return code;
  }
  text += fill(way.set_up);
  text += groups ? "  // Begins to copy the block's kth tile; where there is none, an empty group stands for it.\n"
                 : "  // Begins to copy the block's kth tile, if there is one.\n";
  text += "  const auto begin_copy = [&](unsigned k) {\n";
  text += groups ? "    if (k < mine) {\n" : "    if (k >= mine) return;\n    {\n";
  text += R"(      const int floats = floats_of(k);
      const float* const from = tile_of(k);
      float* const to = places + k % kStages * kTile;
)";
  text += indented(way.acquire, 6) + indented(fill(way.copy), 6) + "    }\n";
  if (!way.commit.empty()) text += committed(of, way.commit);
  text += "  };\n";
  if (of.stages > 1) text += "  for (unsigned k = 0; k < kStages - 1; ++k) begin_copy(k);\n";
  text += "  for (unsigned k = 0; k < mine; ++k) {\n";
  const bool meets = of.leave_out != LeaveOut::barrier;
  const std::string_view left_out =
      "    // Left out on purpose: __syncthreads(). What others copy may not have come.\n";
  if (of.stages == 1) {
    text += meets ? "    __syncthreads();  // all are done with the tile before\n" : "";
    text += "    begin_copy(k);\n";
  }
  if (of.leave_out == LeaveOut::wait) {
    text += "    // Left out on purpose: " + fill(way.wait) + " The tile may not have come.\n";
  } else {
    if (reads_too_early(of) && meets) text += "    // Too many on purpose: the tile may not have come.\n";
    text += indented(fill(way.wait), 4);
  }
  if (!meets) {
    text += left_out;
    if (of.stages > 1) text += "    begin_copy(k + kStages - 1);\n";
  } else {
    text += of.stages == 1
                ? "    __syncthreads();\n"
                : "    __syncthreads();  // all have their part of it, and are done with the tile before ...\n"
                  "    begin_copy(k + kStages - 1);  // ... whose place is the next one's\n";
  }
  text += work_of(of, meets ? "threadIdx.x" : "(threadIdx.x + blockDim.x / 2) % blockDim.x", "blockDim.x");
  text += indented(way.release, 4) + "  }\n}\n";
  return code;
}

}  // namespace streamscope::kernels
