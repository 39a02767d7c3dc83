#include "tests/ideas/idea.h"

namespace streamscope::ideas {

std::vector<NotApplicable> not_applicable() {
  return {
      {"1.1", "there are a driver API and a runtime API", "it is about names"},
      {"2.11", "why DMA needs pages that stay", "it is below what CUDA's calls show"},
      {"2.28", "an overview of techniques", "it is a table of other ideas"},
      {"4.18", "cuda::pipeline taken for streams", "it is a mistake in words"},
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
