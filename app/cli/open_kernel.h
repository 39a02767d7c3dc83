// `--open LINE|first[:SM]`: the kernel whose inside the picture shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "app/timeline/kernel_inside.h"
#include "engine/base/result.h"

namespace streamscope::cli {

struct KernelToOpen {
  std::uint32_t line = 0;                       // of the program; 0: the first kernel that recorded stages
  std::optional<std::uint32_t> multiprocessor;  // nothing: the first that recorded any
  friend bool operator==(const KernelToOpen&, const KernelToOpen&) = default;
};

// Nothing where the text means none.
std::optional<KernelToOpen> kernel_to_open(std::string_view text);

// In a run that was made, or why it cannot be opened there.
Result<timeline::OpenKernel> opening_in(const trace::Trace& trace, const KernelToOpen& kernel);

}  // namespace streamscope::cli
