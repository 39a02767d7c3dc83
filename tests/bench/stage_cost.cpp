// What recording stages costs on a GPU: the same kernel with stamps alone, and with one block in 100,
// in 10 and every block recording; and whether the stages add up.
//
//   bench_stages [--blocks N,...] [--fma N,...] [--csv F]
//
// Medians of passes that take turns, as ratios to the kernel that records nothing. `off`: the most by which a block's
// waiting and working, added up, differ from its own end less its begin. Exit code 3 without a GPU, 4 where a call
// failed.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/files.h"
#include "tests/bench/on_gpu.h"

namespace {

using namespace streamscope;
using namespace streamscope::bench;
using kernels::TileCopy;

constexpr std::uint64_t kBytes = 1ull << 30;
constexpr int kPasses = 15;
constexpr std::uint32_t kRing = 1024;
constexpr std::array<std::uint32_t, 4> kEvery{0, 100, 10, 1};

float median(std::vector<float> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Nanoseconds: the clock's cycles converted by the two readings of %globaltimer at the block's begin and end.
double off(const kernels::BlockClocks& block, const kernels::StageClocks* ring) {
  const double cycle =
      static_cast<double>(block.time_end - block.time_begin) / static_cast<double>(block.clock_end - block.clock_begin);
  double sum = 0;
  std::int64_t from = block.clock_begin;
  for (std::uint32_t k = 0; k < block.tiles; ++k) {
    const kernels::StageClocks& stage = ring[k % kRing];
    sum += static_cast<double>(stage.wait_over - from) + static_cast<double>(stage.compute_over - stage.wait_over);
    from = stage.compute_over;
  }
  return std::abs(sum * cycle - static_cast<double>(block.time_end - block.time_begin));
}

}  // namespace

int main(int count, char** arguments) {
  CLI::App app{"What recording stages costs."};
  std::vector<std::uint32_t> blocks{1, 2}, fmas{1, 32};
  std::string csv;
  app.add_option("--blocks", blocks, "a multiprocessor")->delimiter(',');
  app.add_option("--fma", fmas, "an element")->delimiter(',');
  app.add_option("--csv", csv, "write them, a line each");
  CLI11_PARSE(app, count, arguments);
  cudaDeviceProp device{};
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) {
    std::fprintf(stderr, "no GPU\n");
    return 3;
  }
  const auto sms = static_cast<std::uint32_t>(device.multiProcessorCount);
  const std::uint32_t most_blocks = sms * *std::max_element(blocks.begin(), blocks.end());
  char* data = nullptr;
  kernels::Stamp* stamp = nullptr;
  kernels::BlockClocks* records = nullptr;
  kernels::StageClocks* stages = nullptr;
  MUST(cudaMalloc(reinterpret_cast<void**>(&data), kBytes));
  MUST(cudaMalloc(reinterpret_cast<void**>(&stamp), sizeof *stamp));
  MUST(cudaMalloc(reinterpret_cast<void**>(&records), most_blocks * sizeof *records));
  MUST(cudaMalloc(reinterpret_cast<void**>(&stages), std::size_t{most_blocks} * kRing * sizeof *stages));
  MUST(cudaMemset(data, 0, kBytes));
  cudaEvent_t begin = nullptr, end = nullptr;
  MUST(cudaEventCreate(&begin));
  MUST(cudaEventCreate(&end));
  std::string out = "blocks_per_multiprocessor,fma,copy,stages,one_in_100,one_in_10,all,off_ns\n";
  fmt::print("{:>6} {:>4} {:>17} {:>6} {:>9} {:>9} {:>9} {:>7}\n", "blocks", "fma", "copy", "stages", "1 in 100",
             "1 in 10", "all", "off ns");
  for (const std::uint32_t blocks_per_sm : blocks) {
    for (const std::uint32_t fma : fmas) {
      for (int copy = 0; copy < kernels::kTileCopies; ++copy) {
        for (const std::uint32_t of : {1u, 2u, 4u}) {
          if (static_cast<TileCopy>(copy) == TileCopy::sync && of > 1) continue;
          if (static_cast<TileCopy>(copy) == TileCopy::bulk && device.major < 9) continue;
          const kernels::TilesOptions one{
              fma, blocks_per_sm * sms, 512, static_cast<TileCopy>(copy), of, 16384, 16, false, 128, 1, 4};
          const auto tiles = kernels::tiles_launcher(one);
          const kernels::LaunchData on{data, nullptr, kBytes};
          MUST(tiles->prepare(device.sharedMemPerBlockOptin));
          std::array<std::vector<float>, kEvery.size()> times;
          for (int pass = -2; pass < kPasses; ++pass) {
            for (std::size_t i = 0; i < kEvery.size(); ++i) {
              // Whoever comes first finds other things in the caches than who comes last.
              const std::size_t which = (i + static_cast<std::size_t>(pass + 2)) % kEvery.size();
              kernels::StagesTo to;
              if (kEvery[which] != 0) to = {records, stages, kRing, kEvery[which]};
              MUST(kernels::reset_stamps(stamp, 1, nullptr));
              MUST(cudaEventRecord(begin));
              MUST(tiles->launch(on, stamp, to, nullptr));
              MUST(cudaEventRecord(end));
              MUST(cudaEventSynchronize(end));
              float milliseconds = 0;
              MUST(cudaEventElapsedTime(&milliseconds, begin, end));
              if (pass >= 0) times[which].push_back(milliseconds);
            }
          }
          MUST(kernels::reset_stamps(stamp, 1, nullptr));
          MUST(tiles->launch(on, stamp, {records, stages, kRing, 1}, nullptr));
          std::vector<kernels::BlockClocks> blocks_read(one.blocks);
          std::vector<kernels::StageClocks> stages_read(std::size_t{one.blocks} * kRing);
          MUST(cudaMemcpy(blocks_read.data(), records, one.blocks * sizeof *records, cudaMemcpyDeviceToHost));
          MUST(cudaMemcpy(stages_read.data(), stages, stages_read.size() * sizeof *stages, cudaMemcpyDeviceToHost));
          double most_off = 0;
          for (std::uint32_t b = 0; b < one.blocks; ++b) {
            most_off = std::max(most_off, off(blocks_read[b], stages_read.data() + std::size_t{b} * kRing));
          }
          const float untold = median(times[0]);
          fmt::print("{:>6} {:>4} {:>17} {:>6} {:>9.4f} {:>9.4f} {:>9.4f} {:>7.0f}\n", blocks_per_sm, fma,
                     bench::kCopyNames[static_cast<std::size_t>(copy)], of, median(times[1]) / untold,
                     median(times[2]) / untold, median(times[3]) / untold, most_off);
          out += fmt::format("{},{},{},{},{:.5f},{:.5f},{:.5f},{:.0f}\n", blocks_per_sm, fma,
                             bench::kCopyNames[static_cast<std::size_t>(copy)], of, median(times[1]) / untold,
                             median(times[2]) / untold, median(times[3]) / untold, most_off);
        }
      }
    }
  }
  if (csv.empty()) return 0;
  const auto written = write_text(csv, out);
  if (!written) std::fprintf(stderr, "%s\n", written.error().message.c_str());
  return written ? 0 : 2;
}
