// The nodes of a graph's launches: when each was ready, and when those ended whose end nothing tells.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "engine/reconstruct/late_events.h"
#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {

class GraphNodes {
 public:
  GraphNodes(Reconstruction& run, const Limits& limits) : run_(run), limits_(limits) {
    engine_free_.fill(std::numeric_limits<Nanoseconds>::min() / 2);
  }
  // The nodes of a launch, launches in the order of their issue. The launch has been made ready.
  void go_through(OperationIndex launch);

 private:
  bool is_awaited(OperationIndex i) const;
  void infer_end(OperationIndex i);
  void end_launch(OperationIndex launch, std::size_t nodes);
  const std::vector<std::vector<std::uint32_t>>& followers(GraphId graph);

  Reconstruction& run_;
  const Limits& limits_;
  std::array<Nanoseconds, kEngines> engine_free_;
  std::vector<std::vector<std::vector<std::uint32_t>>> followers_;  // by graph, by node
};

}  // namespace streamscope::reconstruct
