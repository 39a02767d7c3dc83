// What can be worked out once for a program on a profile: who waits for whom, and the kernels' grids.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/device/model/kernel_time.h"
#include "engine/program/order.h"
#include "engine/program/program.h"

namespace streamscope {

class Plan {
 public:
  explicit Plan(const Program& program);

  struct Dependent {
    OperationIndex operation;
    DependencyKind kind;
  };
  // Those that wait for this one.
  std::span<const Dependent> dependents(OperationIndex index) const {
    return {dependents_.data() + first_[index], dependents_.data() + first_[index + 1]};
  }
  std::span<const Dependency> dependencies(OperationIndex index) const { return dependencies_.of(index); }

 private:
  Dependencies dependencies_;
  std::vector<std::uint64_t> first_;
  std::vector<Dependent> dependents_;
};

// What the device cannot do, by line: more memory than it has, a block that fits nowhere, a run without end in sight.
// `file` is not known here; places are "line N".
Result<void> check_fits(const Profile& profile, const Program& program);

}  // namespace streamscope
