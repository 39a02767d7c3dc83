#include <utility>

#include "kernels/attention/attention.h"
#include "kernels/axpb/axpb.h"
#include "kernels/cuda_kernel.h"
#include "kernels/reduce/reduce.h"
#include "kernels/registry.h"
#include "kernels/spin/spin.h"
#include "kernels/tiles/tiles.h"

namespace streamscope::kernels {

std::unique_ptr<Launcher> launcher(const Choice& choice, std::uint32_t multiprocessors) {
  using Make = std::unique_ptr<Launcher> (*)(const Values&, std::uint32_t);
  // A line for each.
  // clang-format off
  static const std::pair<const Kernel*, Make> kAll[] = {
      {&axpb_kernel(), [](const Values& of, std::uint32_t on) { return axpb_launcher(axpb_options(of, on)); }},
      {&spin_kernel(), [](const Values& of, std::uint32_t) { return spin_launcher(spin_options(of)); }},
      {&tiles_kernel(), [](const Values& of, std::uint32_t on) { return tiles_launcher(tiles_options(of, on)); }},
      {&attention_kernel(), [](const Values& of, std::uint32_t) { return attention_launcher(attention_options(of)); }},
      {&reduce_kernel(), [](const Values& of, std::uint32_t) { return reduce_launcher(reduce_options(of)); }},
  };
  // clang-format on
  for (const auto& [kernel, make] : kAll) {
    if (kernel == choice.kernel) return make(choice.values, multiprocessors);
  }
  return nullptr;
}

}  // namespace streamscope::kernels
