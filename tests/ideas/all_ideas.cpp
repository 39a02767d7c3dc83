#include <iterator>
#include <set>

#include "tests/ideas/idea.h"

namespace streamscope::ideas {
namespace {

// The comments of the program's lines, which name its operations.
std::set<std::string> labels(const std::string& program) {
  std::set<std::string> out;
  for (std::size_t at = program.find("# "); at != program.npos; at = program.find("# ", at + 1))
    out.insert(program.substr(at + 2, program.find('\n', at) - at - 2));
  return out;
}

}  // namespace

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

std::string lie_seen(const Idea& idea, const Shown& shown) {
  using What = conformance::Lie::What;
  for (const std::string& label : labels(idea.program)) {
    if (shown.observation().count(label) == 0) continue;
    for (const What what : {What::early, What::late, What::returned, What::held, What::brief, What::asked_once}) {
      const Observation lying = shown.observation().with_lie({what, label});
      if (!idea.holds(lying, shown).holds()) return label;
    }
  }
  return {};
}

}  // namespace streamscope::ideas
