#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/experiment/experiment.h"

namespace streamscope::experiment {

// A key without effect, whatever its value, because of the value of another one.
struct UnusedKey {
  std::string_view key, because;  // "kernel.": some option of the kernel
  std::string why;                // "the kernel spin has no such option; set ..."
};
std::vector<UnusedKey> unused_keys(const Experiment& experiment);

}  // namespace streamscope::experiment
