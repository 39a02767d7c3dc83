#include "tests/ideas/idea.h"

namespace streamscope::ideas {
namespace {

constexpr const char* kCapture = "graphs are captured before the run, in thread-local mode";

}  // namespace

std::vector<NotYet> not_yet() {
  return {
      {"1.29", "cudaStreamGetCaptureInfo", kCapture, "stream A\nhost: capture-info A\n"},
      {"1.35", "capture inside the run, in one of three modes", kCapture,
       "stream A\ngraph G on A mode=relaxed {\n  A: spin 1ms\n}\nA: launch G\n"},
      {"1.47", "cudaEventRecordWithFlags: a record that stays one in a graph", kCapture,
       "stream A\nevent e\ngraph G on A {\n  A: record e external\n}\nA: launch G\n"},
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
                           lifetimes, faults, resources, tile_copies, tile_pipelines, attention, devices}) {
    std::vector<Idea> its = theme();
    std::move(its.begin(), its.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace streamscope::ideas
