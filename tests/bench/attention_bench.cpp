// What bringing tiles of keys and values ahead is worth to attention: one buffer against two, on a GPU.
//
//   bench_attention [--heads N] [--queries N] [--keys N] [--csv F]
//
// Of both types and head sizes. Medians of passes in which both take turns, and the time with one buffer by that with
// two; exit code 3 without a GPU, 4 where a call failed, 5 where an output is wrong.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "engine/base/files.h"
#include "kernels/attention/launch.h"
#include "kernels/attention/reference.h"
#include "tests/bench/on_gpu.h"

namespace {

using namespace streamscope;
using namespace streamscope::bench;

constexpr int kTurns = 9;

struct Setting {
  std::unique_ptr<kernels::AttentionLauncher> launcher;
  kernels::AttentionMatrices on;
  std::vector<float> milliseconds;
  double error;
  double microseconds() const {
    std::vector<float> sorted = milliseconds;
    std::sort(sorted.begin(), sorted.end());
    return 1e3 * static_cast<double>(sorted[sorted.size() / 2]);
  }
  double teraflops() const {
    const double flop = 4.0 * launcher->options.heads * on.queries * on.keys * launcher->options.head_size;
    return 1e-6 * flop / microseconds();
  }
};

// Normal ones, on both sides.
struct Numbers {
  Numbers(std::size_t count, bool bf16, unsigned seed) : host(count * (bf16 ? 2 : 4)) {
    std::mt19937 random(seed);
    std::normal_distribution<float> any;
    for (std::size_t i = 0; i < count; ++i) {
      const float value = any(random);
      const std::uint16_t half = kernels::to_bf16(value);
      if (bf16) {
        std::memcpy(&host[2 * i], &half, sizeof half);
      } else {
        std::memcpy(&host[4 * i], &value, sizeof value);
      }
    }
    MUST(cudaMalloc(&device, host.size()));
    MUST(cudaMemcpy(device, host.data(), host.size(), cudaMemcpyHostToDevice));
  }
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;
  ~Numbers() { cudaFree(device); }
  std::vector<unsigned char> host;
  void* device = nullptr;
};

}  // namespace

int main(int count, char** arguments) {
  CLI::App app{"Attention with one buffer for tiles of keys and values, and with two."};
  std::uint32_t heads = 16, queries = 2048, keys = 2048;
  std::string csv;
  app.add_option("--heads", heads, "batch times heads")->check(CLI::Range(1, 4096));
  app.add_option("--queries", queries, "a head")->check(CLI::Range(1, 1 << 20));
  app.add_option("--keys", keys, "a head")->check(CLI::Range(1, 1 << 20));
  app.add_option("--csv", csv, "write them, a line each");
  CLI11_PARSE(app, count, arguments);
  cudaDeviceProp device{};
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess || device.major < 8) {
    std::fprintf(stderr, "no GPU of compute capability 8.0 or later\n");
    return 3;
  }
  cudaEvent_t begin = nullptr, end = nullptr;
  MUST(cudaEventCreate(&begin));
  MUST(cudaEventCreate(&end));
  std::string out =
      "type,head_size,heads,queries,keys,buffers,blocks_per_multiprocessor,registers,shared_bytes,microseconds,"
      "teraflops,error\n";
  bool right = true;
  fmt::print("{} heads, {} queries, {} keys; {} threads a block\n", heads, queries, keys, kernels::kAttentionThreads);
  for (const bool bf16 : {false, true}) {
    for (const std::uint32_t size : {64u, 128u}) {
      const std::size_t of_head = std::size_t{queries} * size, keys_of_head = std::size_t{keys} * size;
      const Numbers q(heads * of_head, bf16, 1), k(heads * keys_of_head, bf16, 2), v(heads * keys_of_head, bf16, 3);
      void* o = nullptr;
      MUST(cudaMalloc(&o, q.host.size()));
      // The last head: whatever lies wrong between heads is seen there.
      const std::size_t bytes = q.host.size() / heads, key_bytes = k.host.size() / heads;
      const auto expected =
          kernels::attention_reference({&q.host[bytes * (heads - 1)], &k.host[key_bytes * (heads - 1)],
                                        &v.host[key_bytes * (heads - 1)], 1, queries, keys, size, bf16});
      std::vector<Setting> settings;
      for (const std::uint32_t buffers : {1u, 2u}) {
        Setting one{std::make_unique<kernels::AttentionLauncher>(kernels::AttentionOptions{heads, size, bf16, buffers}),
                    {q.device, k.device, v.device, o, queries, keys},
                    {},
                    0};
        MUST(one.launcher->prepare(device.sharedMemPerBlockOptin));
        if (one.launcher->found.blocks == 0) continue;
        MUST(cudaMemset(o, 0xFF, q.host.size()));
        MUST(one.launcher->launch(one.on, nullptr, {}, nullptr));
        std::vector<unsigned char> found(bytes);
        MUST(cudaMemcpy(found.data(), static_cast<unsigned char*>(o) + bytes * (heads - 1), bytes,
                        cudaMemcpyDeviceToHost));
        one.error = kernels::attention_error(found.data(), bf16, expected, size);
        right = right && one.error <= (bf16 ? kernels::kAttentionToleranceBf16 : kernels::kAttentionTolerance);
        settings.push_back(std::move(one));
      }
      for (int turn = -1; turn < kTurns; ++turn) {
        for (Setting& one : settings) {
          MUST(cudaEventRecord(begin));
          MUST(one.launcher->launch(one.on, nullptr, {}, nullptr));
          MUST(cudaEventRecord(end));
          MUST(cudaEventSynchronize(end));
          float milliseconds = 0;
          MUST(cudaEventElapsedTime(&milliseconds, begin, end));
          if (turn >= 0) one.milliseconds.push_back(milliseconds);
        }
      }
      MUST(cudaFree(o));
      const char* const type = bf16 ? "bf16" : "fp32";
      fmt::print("\n{}, head size {}\n{:>8}{:>11}{:>12}{:>10}{:>10}{:>10}{:>12}\n", type, size, "buffers", "registers",
                 "shared KiB", "us", "TFLOP/s", "error", "one by two");
      for (const Setting& one : settings) {
        fmt::print("{:>8}{:>11}{:>12.1f}{:>10.1f}{:>10.2f}{:>10.1e}", one.launcher->options.buffers,
                   one.launcher->found.registers, static_cast<double>(one.launcher->found.shared_bytes) / 1024,
                   one.microseconds(), one.teraflops(), one.error);
        if (one.launcher->options.buffers == 2)
          fmt::print("{:>12.3f}", settings[0].microseconds() / one.microseconds());
        fmt::print("\n");
        out += fmt::format("{},{},{},{},{},{},{},{},{},{:.2f},{:.3f},{:.3e}\n", type, size, heads, queries, keys,
                           one.launcher->options.buffers, one.launcher->found.blocks, one.launcher->found.registers,
                           one.launcher->found.shared_bytes, one.microseconds(), one.teraflops(), one.error);
      }
    }
  }
  if (!csv.empty()) {
    const auto written = write_text(csv, out);
    if (!written) {
      std::fprintf(stderr, "%s\n", written.error().message.c_str());
      return 2;
    }
  }
  return right ? 0 : 5;
}
