#include "kernels/cuda_registry.h"

#include <utility>

#include "kernels/attention/attention.h"
#include "kernels/attention/launcher.h"
#include "kernels/axpb/axpb.h"
#include "kernels/axpb/launcher.h"
#include "kernels/reduce/launcher.h"
#include "kernels/reduce/reduce.h"
#include "kernels/spin/launcher.h"
#include "kernels/spin/spin.h"
#include "kernels/tiles/launcher.h"
#include "kernels/tiles/tiles.h"

namespace streamscope::kernels {

std::unique_ptr<Launcher> launcher(const Choice& choice, std::uint32_t multiprocessors) {
  // A line for each.
  // clang-format off
  static const std::pair<const Kernel*, std::unique_ptr<Launcher> (*)(const Values&, std::uint32_t)> kAll[] = {
      {&axpb_kernel(), axpb_launcher},
      {&spin_kernel(), spin_launcher},
      {&tiles_kernel(), tiles_launcher},
      {&attention_kernel(), attention_launcher},
      {&reduce_kernel(), reduce_launcher},
  };
  // clang-format on
  for (const auto& [kernel, make] : kAll) {
    if (kernel == choice.kernel) return make(choice.values, multiprocessors);
  }
  return nullptr;
}

}  // namespace streamscope::kernels
