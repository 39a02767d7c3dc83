#include "tests/ideas/idea.h"

namespace streamscope::ideas {
namespace {

constexpr const char* kFaults = "a fault ends its process; it needs an engine of its own to be made on purpose";
constexpr const char* kCapture = "graphs are captured before the run, in thread-local mode";

}  // namespace

std::vector<NotYet> not_yet() {
  return {
      {"0.30", "cudaDeviceReset", kFaults, "host: reset\n"},
      {"0.31", "a context destroyed while it has work", kFaults, "stream A\nA: spin 1ms\nhost: reset\n"},
      {"1.29", "cudaStreamGetCaptureInfo", kCapture, "stream A\nhost: capture-info A\n"},
      {"1.35", "capture inside the run, in one of three modes", kCapture,
       "stream A\ngraph G on A mode=relaxed {\n  A: spin 1ms\n}\nA: launch G\n"},
      {"1.42", "cudaMallocHost and cudaFreeHost inside the run, which wait for the device",
       "host memory is allocated before the run", "host: malloc-host h 1MiB\n"},
      {"1.47", "cudaEventRecordWithFlags: a record that stays one in a graph", kCapture,
       "stream A\nevent e\ngraph G on A {\n  A: record e external\n}\nA: launch G\n"},
      {"3.34", "errors that come later, and stay", kFaults, "stream A\nA: fault illegal-address\n"},
  };
}

std::vector<NotYet> not_applicable() {
  return {
      {"1.1", "there are a driver API and a runtime API", "it is about names", ""},
      {"2.11", "why DMA needs pages that stay", "it is below what CUDA's calls show", ""},
      {"2.28", "an overview of techniques", "it is a table of other ideas", ""},
      {"4.18", "cuda::pipeline taken for streams", "it is a mistake in words", ""},
  };
}

std::vector<Idea> all_ideas() {
  std::vector<Idea> all;
  for (const auto theme : {asynchrony, order, waiting, memory, overlap, default_streams, hidden_waits, events, graphs,
                           lifetimes, resources, tile_copies, tile_pipelines, attention, devices}) {
    std::vector<Idea> its = theme();
    std::move(its.begin(), its.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace streamscope::ideas
