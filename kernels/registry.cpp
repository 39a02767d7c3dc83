#include "kernels/registry.h"

#include <algorithm>
#include <array>

#include "kernels/attention/attention.h"
#include "kernels/axpb/axpb.h"
#include "kernels/reduce/reduce.h"
#include "kernels/spin/spin.h"
#include "kernels/tiles/tiles.h"

namespace streamscope::kernels {

std::span<const Kernel* const> all() {
  // A line for each.
  // clang-format off
  static const std::array kAll{
      &axpb_kernel(),
      &spin_kernel(),
      &tiles_kernel(),
      &attention_kernel(),
      &reduce_kernel(),
  };
  // clang-format on
  return kAll;
}

const Kernel* find(std::string_view word) {
  const auto at = std::find_if(all().begin(), all().end(), [&](const Kernel* one) { return one->word == word; });
  return at == all().end() ? nullptr : *at;
}

std::size_t index(const Kernel& kernel) {
  return static_cast<std::size_t>(std::find(all().begin(), all().end(), &kernel) - all().begin());
}

}  // namespace streamscope::kernels
