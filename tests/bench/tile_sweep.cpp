// How much the stages of an in-kernel copy pipeline bring: every way of copying tiles, 1 to 8 stages, on a GPU.
//
//   bench_tiles [--blocks N,...] [--fma N,...] [--tile BYTES,...] [--threads N,...] [--csv F]
//
// Gigabytes a second, read and written, beside a device-to-device copy of as much in the same run. Medians of passes
// that take turns; exit code 3 without a GPU, 4 where a call failed.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
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
constexpr int kPasses = 9;

struct Case {
  kernels::TilesOptions options;
  std::unique_ptr<kernels::Launcher> tiles;
  kernels::Fit fit;
  std::vector<float> milliseconds;
  double rate() const {  // GB/s
    std::vector<float> sorted = milliseconds;
    std::sort(sorted.begin(), sorted.end());
    return 2e-6 * static_cast<double>(kBytes) / static_cast<double>(sorted[sorted.size() / 2]);
  }
};

}  // namespace

int main(int count, char** arguments) {
  CLI::App app{"Tiles through shared memory, by way of copying and stages."};
  std::vector<std::uint32_t> blocks{1, 2}, fmas{1, 32, 128}, tiles{16384}, threads{512};
  std::string csv;
  app.add_option("--blocks", blocks, "a multiprocessor")->delimiter(',');
  app.add_option("--fma", fmas, "an element")->delimiter(',');
  app.add_option("--tile", tiles, "bytes")->delimiter(',');
  app.add_option("--threads", threads, "of a block")->delimiter(',');
  app.add_option("--csv", csv, "write them, a line each");
  CLI11_PARSE(app, count, arguments);
  const bool whole_warps = std::all_of(threads.begin(), threads.end(), [](auto n) { return n >= 64 && n % 32 == 0; });
  const bool whole_tiles = std::all_of(tiles.begin(), tiles.end(), [](auto n) { return n > 0 && n % 128 == 0; });
  if (!whole_warps || !whole_tiles) {
    std::fprintf(stderr, "threads are two whole warps or more, tiles multiples of 128 bytes\n");
    return 2;
  }
  cudaDeviceProp device{};
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) {
    std::fprintf(stderr, "no GPU\n");
    return 3;
  }
  char *data = nullptr, *other = nullptr;
  MUST(cudaMalloc(reinterpret_cast<void**>(&data), kBytes));
  MUST(cudaMalloc(reinterpret_cast<void**>(&other), kBytes));
  MUST(cudaMemset(data, 0, kBytes));
  MUST(cudaMemset(other, 0, kBytes));
  cudaEvent_t begin = nullptr, end = nullptr;
  MUST(cudaEventCreate(&begin));
  MUST(cudaEventCreate(&end));
  const auto timed = [&](const auto& work) {
    MUST(cudaEventRecord(begin));
    work();
    MUST(cudaEventRecord(end));
    MUST(cudaEventSynchronize(end));
    float milliseconds = 0;
    MUST(cudaEventElapsedTime(&milliseconds, begin, end));
    return milliseconds;
  };
  const auto sms = static_cast<std::uint32_t>(device.multiProcessorCount);
  std::string out =
      "blocks_per_multiprocessor,fma,tile_bytes,threads,copy,stages,fit,registers,gigabytes_per_second,of_copy\n";
  for (const std::uint32_t blocks_per_sm : blocks) {
    for (const std::uint32_t fma : fmas) {
      for (const std::uint32_t tile : tiles) {
        for (const std::uint32_t of_block : threads) {
          std::vector<Case> cases;
          for (int copy = 0; copy < kernels::kTileCopies; ++copy) {
            for (std::uint32_t stages = 1; stages <= kernels::kMostStages; ++stages) {
              if (static_cast<TileCopy>(copy) == TileCopy::sync && stages > 1) break;
              if (static_cast<TileCopy>(copy) == TileCopy::bulk && device.major < 9) break;
              if (static_cast<TileCopy>(copy) == TileCopy::cp_async && device.major < 8) break;
              const kernels::TilesOptions options{fma,
                                                  blocks_per_sm * sms,
                                                  of_block,
                                                  static_cast<TileCopy>(copy),
                                                  stages,
                                                  tile,
                                                  16,
                                                  false,
                                                  128,
                                                  1,
                                                  std::max(1u, of_block / 32 / 4)};
              Case one{options, kernels::tiles_launcher(options), {}, {}};
              MUST(one.tiles->prepare(device.sharedMemPerBlockOptin));
              if (one.tiles->fit(&one.fit) != cudaSuccess || one.fit.blocks < static_cast<int>(blocks_per_sm)) break;
              cases.push_back(std::move(one));
            }
          }
          std::vector<float> plain;
          for (int pass = -1; pass < kPasses; ++pass) {
            const float copied =
                timed([&] { MUST(cudaMemcpyAsync(other, data, kBytes, cudaMemcpyDeviceToDevice, nullptr)); });
            if (pass >= 0) plain.push_back(copied);
            for (Case& one : cases) {
              const float took = timed([&] { MUST(one.tiles->launch({data, nullptr, kBytes}, nullptr, {}, nullptr)); });
              if (pass >= 0) one.milliseconds.push_back(took);
            }
          }
          std::sort(plain.begin(), plain.end());
          const double copy_rate = 2e-6 * static_cast<double>(kBytes) / static_cast<double>(plain[plain.size() / 2]);
          fmt::print(
              "\n{} block(s) a multiprocessor, {} fma, tiles of {} bytes, {} threads; device to device {:.0f} "
              "GB/s\n{:>17}",
              blocks_per_sm, fma, tile, of_block, copy_rate, "stages");
          for (std::uint32_t stages = 1; stages <= kernels::kMostStages; ++stages) fmt::print("{:>7}", stages);
          int last = -1;
          for (const Case& one : cases) {
            const auto copy = static_cast<int>(one.options.copy);
            if (copy != last) fmt::print("\n{:>17}", bench::kCopyNames[static_cast<std::size_t>(copy)]);
            last = copy;
            fmt::print("{:>7.0f}", one.rate());
            out += fmt::format("{},{},{},{},{},{},{},{},{:.1f},{:.4f}\n", blocks_per_sm, fma, tile, of_block,
                               bench::kCopyNames[static_cast<std::size_t>(copy)], one.options.stages, one.fit.blocks,
                               one.fit.registers, one.rate(), one.rate() / copy_rate);
          }
          fmt::print("\n");
        }
      }
    }
  }
  if (csv.empty()) return 0;
  const auto written = write_text(csv, out);
  if (!written) std::fprintf(stderr, "%s\n", written.error().message.c_str());
  return written ? 0 : 2;
}
