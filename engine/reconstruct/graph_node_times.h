// When the nodes of a launched graph were ready, and an estimate of the end of each one whose end was not observed.
#pragma once

#include <limits>
#include <vector>

#include "engine/reconstruct/reconstruction.h"

namespace streamscope::reconstruct {

class GraphNodeTimes {
 public:
  GraphNodeTimes(Reconstruction& run, const EndBounds& bounds)
      : run_(run),
        bounds_(bounds),
        engine_free_(kEngines * program::device_count(run.program), std::numeric_limits<Nanoseconds>::min() / 2) {}
  // The nodes of one launch, whose own ready time is set; launches in the order of their issue.
  void set_times(OperationIndex launch);

 private:
  bool released_a_kernel(OperationIndex i) const;
  Nanoseconds earliest(OperationIndex i) const;
  void estimate_end(OperationIndex i);
  void end_launch(OperationIndex launch, std::size_t nodes);
  const std::vector<std::vector<std::uint32_t>>& followers(GraphId graph);

  Reconstruction& run_;
  const EndBounds& bounds_;
  std::vector<Nanoseconds> engine_free_;                            // when the last node on each ended; by number()
  std::vector<std::vector<std::vector<std::uint32_t>>> followers_;  // by graph and node: the nodes right after it
};

}  // namespace streamscope::reconstruct
