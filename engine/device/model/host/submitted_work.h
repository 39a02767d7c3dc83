// The device's work in the order in which it was submitted, and how far it is over. A host call waits for what was
// submitted before it, whatever another thread submits meanwhile.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/base/id.h"

namespace streamscope::model {

class SubmittedWork {
 public:
  void add(OperationIndex operation) { work_.push_back(operation); }
  std::size_t count() const { return work_.size(); }
  const std::vector<OperationIndex>& all() const { return work_; }
  // Of the first `count`, the first that is not over, as `ended(operation)` says; kNoOperation where all are. What is
  // over stays so.
  template <class Ended>
  OperationIndex first_pending(std::size_t count, const Ended& ended) {
    while (over_ < work_.size() && ended(work_[over_])) ++over_;
    return over_ < std::min(count, work_.size()) ? work_[over_] : kNoOperation;
  }

 private:
  std::vector<OperationIndex> work_;
  std::size_t over_ = 0;
};

}  // namespace streamscope::model
