// Copies between two GPUs, and into both at once: the engine's spans against the same calls written by hand.
//
//   bench_peers [--runs N]
//
// Each chain of a case is eight copies of 256 MiB in a stream of its own, all chains at the same time. What a copy
// takes is the time from the end of a chain's first copy to that of its last, by seven: of the engine's spans, and by
// hand between two events. Runs take turns, medians of N (15). Exit code 0 where all ratios are within 3 % of 1, 1
// where not, 3 without two GPUs, 4 where a run failed.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "engine/device/cuda/loaded_program.h"
#include "engine/program/program.h"
#include "engine/program/read_program.h"
#include "tests/bench/on_gpu.h"

namespace {

using namespace streamscope;
using bench::median;

constexpr std::size_t kBytes = 256ull << 20;
constexpr int kCopies = 8, kHost = -1;
constexpr double kBound = 0.03;

// A chain of copies to device `to` from device `from`, or from pinned memory of the host.
struct Chain {
  int from = 0, to = 0;
};
struct Case {
  std::string_view name;
  std::vector<Chain> chains;
  bool access = false;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    const std::vector<Chain> one{{0, 1}}, both{{0, 1}, {1, 0}}, same{{0, 1}, {0, 1}};
    std::vector<Case> list;
    for (const bool access : {true, false}) {
      list.push_back({"one way", one, access});
      list.push_back({"both ways at once", both, access});
      list.push_back({"two the same way", same, access});
    }
    list.push_back({"in on both", {{kHost, 0}, {kHost, 1}}, false});
    list.push_back({"in on both beside a copy across", {{kHost, 0}, {kHost, 1}, {0, 1}}, true});
    return list;
  }();
  return all;
}

// The stream of a chain belongs to the device that it copies from, or to the one that it copies into from the host.
int device_of(const Chain& chain) { return chain.from == kHost ? chain.to : chain.from; }

// Each chain has a buffer of its own on both devices and on the host.
std::string text_of(const Case& one) {
  std::string text, copies;
  for (std::size_t i = 0; i < one.chains.size(); ++i) {
    const Chain& chain = one.chains[i];
    text += fmt::format("buffer x{} 256MiB device=0,1\nstream S{} device={} nonblocking\n", i, i, device_of(chain));
    copies += chain.from == kHost ? fmt::format("  S{0}: h2d x{0}\n", i)
                                  : fmt::format("  S{0}: peer x{0}@{1} x{0}@{2}\n", i, chain.to, chain.from);
  }
  if (one.access) text += "host: peer 0 1 on\n";
  return text + fmt::format("repeat {} {{\n{}}}\n", kCopies, copies);
}

class ByHand {
 public:
  explicit ByHand(const std::vector<Chain>& chains) {
    for (const Chain& chain : chains) {
      Made made{chain};
      for (int device : {0, 1}) {
        MUST(cudaSetDevice(device));
        MUST(cudaMalloc(&made.on[device], kBytes));
      }
      MUST(cudaHostAlloc(&made.host, kBytes, cudaHostAllocDefault));
      MUST(cudaSetDevice(device_of(chain)));
      MUST(cudaStreamCreateWithFlags(&made.stream, cudaStreamNonBlocking));
      for (cudaEvent_t* event : {&made.first, &made.last}) MUST(cudaEventCreate(event));
      made_.push_back(made);
    }
  }
  // Errors here would hide the message of the one that led here.
  ~ByHand() {
    for (const Made& made : made_) {
      cudaSetDevice(device_of(made.chain));
      for (cudaEvent_t event : {made.first, made.last}) cudaEventDestroy(event);
      cudaStreamDestroy(made.stream);
      for (void* memory : made.on) cudaFree(memory);
      cudaFreeHost(made.host);
    }
    cudaSetDevice(0);
  }
  ByHand(const ByHand&) = delete;

  // Nanoseconds a copy, of each chain.
  std::vector<double> run(bool access) const {
    if (access) reach(true);
    for (int k = 0; k < kCopies; ++k) {
      for (const Made& made : made_) {
        copy(made);
        if (k != 0 && k != kCopies - 1) continue;
        MUST(cudaSetDevice(device_of(made.chain)));
        MUST(cudaEventRecord(k == 0 ? made.first : made.last, made.stream));
      }
    }
    std::vector<double> times;
    for (const Made& made : made_) {
      MUST(cudaStreamSynchronize(made.stream));
      float milliseconds = 0;
      MUST(cudaEventElapsedTime(&milliseconds, made.first, made.last));
      times.push_back(1e6 * static_cast<double>(milliseconds) / (kCopies - 1));
    }
    if (access) reach(false);
    MUST(cudaSetDevice(0));
    return times;
  }

 private:
  struct Made {
    Chain chain;
    void* on[2] = {nullptr, nullptr};
    void* host = nullptr;
    cudaStream_t stream = nullptr;
    cudaEvent_t first = nullptr, last = nullptr;
  };
  static void copy(const Made& made) {
    MUST(cudaSetDevice(device_of(made.chain)));
    const Chain& chain = made.chain;
    if (chain.from == kHost) {
      MUST(cudaMemcpyAsync(made.on[chain.to], made.host, kBytes, cudaMemcpyHostToDevice, made.stream));
    } else {
      MUST(cudaMemcpyPeerAsync(made.on[chain.to], chain.to, made.on[chain.from], chain.from, kBytes, made.stream));
    }
  }
  static void reach(bool on) {
    for (const int device : {0, 1}) {
      MUST(cudaSetDevice(device));
      MUST(on ? cudaDeviceEnablePeerAccess(1 - device, 0) : cudaDeviceDisablePeerAccess(1 - device));
    }
  }
  std::vector<Made> made_;
};

// As ByHand::run, of the engine's spans. Error: they are not all there.
Result<std::vector<double>> of_spans(const trace::Trace& frame, const device::Pass& pass, std::size_t chains) {
  std::vector<Nanoseconds> first(chains, 0), last(chains, 0);
  std::vector<int> seen(chains, 0);
  for (const trace::Span& span : pass.spans) {
    if (span.bytes != kBytes || !known(span.end)) continue;
    std::size_t chain = 0;
    while (chain < chains && frame.streams[span.stream].name != fmt::format("S{}", chain)) ++chain;
    if (chain == chains) continue;
    if (seen[chain]++ == 0) first[chain] = span.end;
    last[chain] = std::max(last[chain], span.end);
  }
  std::vector<double> times;
  for (std::size_t i = 0; i < chains; ++i) {
    if (seen[i] != kCopies)
      return fail(ErrorKind::device_failed,
                  fmt::format("Of the {} copies of stream S{} a pass has the ends of {}.", kCopies, i, seen[i]));
    times.push_back(static_cast<double>(last[i] - first[i]) / (kCopies - 1));
  }
  return times;
}

Result<bool> compare(int runs) {
  cuda::Gpus gpus(TRY(cuda::open_context(0)));
  gpus.add(TRY(cuda::open_context(1)));
  bool good = true;
  for (const Case& one : cases()) {
    auto read = program::read_program(text_of(one), "peers");
    if (!read) return fail(read.error());
    const auto loaded = TRY(cuda::CudaProgram::load(gpus, read->program, {}));
    const ByHand plain(one.chains);
    std::vector<std::vector<double>> ours(one.chains.size()), theirs(one.chains.size());
    const auto keep = [](std::vector<std::vector<double>>& all, const std::vector<double>& times) {
      for (std::size_t i = 0; i < times.size(); ++i) all[i].push_back(times[i]);
    };
    for (int i = -1; i < runs; ++i) {
      std::vector<double> by_hand = plain.run(one.access);
      const auto pass = TRY(loaded->run(device::Instrument::full, {}));
      if (i < 0) continue;
      keep(theirs, by_hand);
      keep(ours, TRY(of_spans(loaded->frame(), pass, one.chains.size())));
    }
    for (std::size_t i = 0; i < one.chains.size(); ++i) {
      const double mine = median(ours[i]), hand = median(theirs[i]), ratio = mine / hand;
      good = good && std::abs(ratio - 1) <= kBound;
      const std::string from = one.chains[i].from == kHost ? "host" : fmt::format("GPU {}", one.chains[i].from);
      fmt::print("{:<32} {:<10} {} to GPU {}: engine {:8.1f} us, by hand {:8.1f} us ({:5.1f} GB/s), ratio {:.4f}\n",
                 one.name, one.access ? "access" : "no access", from, one.chains[i].to, mine / 1e3, hand / 1e3,
                 static_cast<double>(kBytes) / hand, ratio);
    }
  }
  fmt::print("{}: all ratios within {:.0f} % of 1\n", good ? "PASS" : "FAIL", 100 * kBound);
  return good;
}

}  // namespace

int main(int count, char** arguments) { return bench::run_comparison("bench_peers", count, arguments, 15, compare); }
