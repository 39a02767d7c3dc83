#include "engine/experiment/experiment.h"

#include "kernels/registry.h"

namespace streamscope::experiment {

kernels::Choice standard_kernel() {
  const kernels::Kernel& first = *kernels::all().front();
  return {&first, kernels::experiment_values(first)};
}

}  // namespace streamscope::experiment
