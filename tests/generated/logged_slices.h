// The slices that the simulator's own log of a run gives, by the rule of engine/verdict/slices.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/device/model/hold_log.h"
#include "engine/verdict/slices.h"

namespace streamscope::generated {

// By operation: what held it, in slices that compare with those of `comparable()`.
class LoggedSlices {
 public:
  LoggedSlices(const verdict::History& history, const std::vector<model::Hold>& holds);
  std::vector<verdict::Slice> of(OperationIndex i) const;

 private:
  const std::vector<model::Hold>& holds(OperationIndex i) const { return of_[i]; }
  std::optional<verdict::Holder> last_dependency(OperationIndex i) const;
  std::optional<verdict::Holder> find_last_dependency(OperationIndex i) const;

  const verdict::History& history_;
  std::vector<std::vector<model::Hold>> of_;
  // Found once: many ways may lead through records, waits and allocations to the same one.
  mutable std::map<OperationIndex, std::optional<verdict::Holder>> last_;
};

// Without hand-overs and what is unexplained, all that occupies an engine called the same: the log knows no more.
std::vector<verdict::Slice> comparable(const std::vector<verdict::Slice>& slices);
std::string text(const std::vector<verdict::Slice>& slices);

}  // namespace streamscope::generated
