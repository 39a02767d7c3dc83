// What the engine costs against code written by hand, and what it says of copies against the usual way to measure them.
//
//   bench_plain [--runs N]
//
// First the pipeline of the default experiment (256 MiB, four streams, in, kernel, out) at four chunk sizes: bare
// passes of the engine in turn with plain CUDA calls in a loop. Then isolated copies of 256 MiB pinned memory: the
// engine's spans against many copies back to back between two events (the method of NVIDIA's nvbandwidth). Ratios of
// one run; exit code 0 where all are within 1 % of 1, 1 where not, 3 without a GPU, 4 where a run failed.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "engine/base/time.h"
#include "engine/device/cuda/loaded_program.h"
#include "engine/experiment/build.h"
#include "engine/experiment/experiment.h"
#include "engine/program/program.h"
#include "engine/program/read_program.h"
#include "kernels/axpb/axpb.h"
#include "kernels/cuda_kernel.h"
#include "tests/bench/on_gpu.h"

namespace {

using namespace streamscope;
using bench::median;

constexpr std::uint64_t kBytes = 256ull << 20;
constexpr int kStreams = 4, kCopies = 16;
constexpr double kBound = 0.01;

struct ByHand {
  char *host = nullptr, *device = nullptr;
  cudaStream_t streams[kStreams] = {};
  cudaEvent_t begin = nullptr, end = nullptr;
  std::uint32_t blocks = 0;

  ByHand() {
    MUST(cudaHostAlloc(reinterpret_cast<void**>(&host), kBytes, cudaHostAllocDefault));
    MUST(cudaMalloc(reinterpret_cast<void**>(&device), kBytes));
    for (cudaStream_t& stream : streams) MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    MUST(cudaEventCreate(&begin));
    MUST(cudaEventCreate(&end));
    cudaDeviceProp properties{};
    MUST(cudaGetDeviceProperties(&properties, 0));
    blocks = 2 * static_cast<std::uint32_t>(properties.multiProcessorCount);
    MUST(kernels::fill(device, kBytes, 1, nullptr));
    MUST(cudaMemcpy(host, device, kBytes, cudaMemcpyDeviceToHost));
  }

  Nanoseconds pipeline(std::uint64_t chunk, std::uint32_t fma) const {
    const auto axpb = kernels::axpb_launcher({fma, blocks, 256});
    MUST(axpb->prepare(0));
    MUST(cudaDeviceSynchronize());
    const Nanoseconds began = host_now();
    for (std::uint64_t at = 0; at < kBytes; at += chunk) {
      const cudaStream_t stream = streams[at / chunk % kStreams];
      MUST(cudaMemcpyAsync(device + at, host + at, chunk, cudaMemcpyHostToDevice, stream));
      MUST(axpb->launch({device + at, nullptr, chunk}, nullptr, {}, stream));
      MUST(cudaMemcpyAsync(host + at, device + at, chunk, cudaMemcpyDeviceToHost, stream));
    }
    MUST(cudaDeviceSynchronize());
    return host_now() - began;
  }

  // Bytes a nanosecond.
  double bandwidth(bool in) const {
    MUST(cudaEventRecord(begin, streams[0]));
    for (int i = 0; i < kCopies; ++i) {
      MUST(in ? cudaMemcpyAsync(device, host, kBytes, cudaMemcpyHostToDevice, streams[0])
              : cudaMemcpyAsync(host, device, kBytes, cudaMemcpyDeviceToHost, streams[0]));
    }
    MUST(cudaEventRecord(end, streams[0]));
    MUST(cudaStreamSynchronize(streams[0]));
    float milliseconds = 0;
    MUST(cudaEventElapsedTime(&milliseconds, begin, end));
    return kCopies * static_cast<double>(kBytes) / (1e6 * static_cast<double>(milliseconds));
  }
};

Result<double> pipeline_ratio(const std::shared_ptr<cuda::CudaContext>& context, const ByHand& plain,
                              std::uint64_t chunk, int runs) {
  experiment::Experiment experiment;
  experiment.chunk = chunk;
  auto read = program::read_program(experiment::build(experiment), "four-streams");
  if (!read) return fail(read.error());
  const kernels::Choice& axpb = read->program.kernels.front();
  const auto fma = static_cast<std::uint32_t>(axpb.values[axpb.kernel->find("fma")]);
  auto loaded = cuda::CudaProgram::load(context, read->program, {});
  if (!loaded) return fail(loaded.error());
  std::vector<double> ours, theirs, ratios;
  for (int i = -2; i < runs; ++i) {
    Nanoseconds by_hand = i % 2 == 0 ? plain.pipeline(chunk, fma) : 0;
    const auto pass = (*loaded)->run(device::Instrument::bare, {});
    if (!pass) return fail(pass.error());
    if (i % 2 != 0) by_hand = plain.pipeline(chunk, fma);
    if (i < 0) continue;
    ours.push_back(static_cast<double>(pass->wall));
    theirs.push_back(static_cast<double>(by_hand));
    ratios.push_back(ours.back() / theirs.back());
  }
  const double ratio = median(ratios);
  fmt::print("{:>6} KiB chunks: engine {:9.1f} us, by hand {:9.1f} us, ratio {:.4f}\n", chunk >> 10, median(ours) / 1e3,
             median(theirs) / 1e3, ratio);
  return ratio;
}

Result<double> bandwidth_ratio(const std::shared_ptr<cuda::CudaContext>& context, const ByHand& plain, bool in,
                               int runs) {
  auto read = program::read_program(fmt::format("buffer x 256MiB\nstream A nonblocking\nA: {} x\n", in ? "h2d" : "d2h"),
                                    "copy");
  if (!read) return fail(read.error());
  auto loaded = cuda::CudaProgram::load(context, read->program, {});
  if (!loaded) return fail(loaded.error());
  std::vector<double> ours, theirs;
  for (int i = -1; i < runs; ++i) {
    const auto pass = (*loaded)->run(device::Instrument::full, {});
    if (!pass) return fail(pass.error());
    const trace::Span& copy = pass->spans.front();
    const double by_hand = plain.bandwidth(in);
    if (i < 0) continue;
    ours.push_back(static_cast<double>(copy.bytes) / static_cast<double>(copy.end - copy.start));
    theirs.push_back(by_hand);
  }
  const double ratio = median(ours) / median(theirs);
  fmt::print("256 MiB {}: engine {:.2f} GB/s, {} copies between two events {:.2f} GB/s, ratio {:.4f}\n",
             in ? "H2D" : "D2H", median(ours), kCopies, median(theirs), ratio);
  return ratio;
}

Result<bool> compare(int runs) {
  auto context = cuda::open_context(0);
  if (!context) return fail(context.error());
  const ByHand plain;
  bool good = true;
  const auto judge = [&](const Result<double>& ratio) -> Result<void> {
    if (!ratio) return fail(ratio.error());
    good = good && std::abs(*ratio - 1) <= kBound;
    return {};
  };
  for (const std::uint64_t chunk : {16ull << 20, 4ull << 20, 1ull << 20, 256ull << 10}) {
    if (auto done = judge(pipeline_ratio(*context, plain, chunk, runs)); !done) return fail(done.error());
  }
  for (const bool in : {true, false}) {
    if (auto done = judge(bandwidth_ratio(*context, plain, in, runs)); !done) return fail(done.error());
  }
  fmt::print("{}: all ratios within {:.0f} % of 1\n", good ? "PASS" : "FAIL", 100 * kBound);
  return good;
}

}  // namespace

int main(int count, char** arguments) { return bench::run_comparison("bench_plain", count, arguments, 25, compare); }
