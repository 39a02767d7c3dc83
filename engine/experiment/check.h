// What is wrong with the values of an experiment together, chunks that do not divide or tiles that do not fit, and what
// does nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/experiment/experiment.h"

namespace streamscope::experiment {

struct Violation {
  std::string_view key;  // the one to change
  std::string message;
  bool of_size = false;     // of an option that does not go with the size of a chunk
  bool of_devices = false;  // it does not go with several devices
};
// Where the person counted chunks, messages are about their number, not their size.
std::vector<Violation> violations(const Experiment& experiment);

// A key without effect, whatever its value, because of the value of another one.
struct UnusedKey {
  std::string_view key, because;  // "kernel.": some option of the kernel
  std::string why;                // "the kernel spin has no such option; set ..."
};
std::vector<UnusedKey> unused_keys(const Experiment& experiment);

// The violations, and every value within its limits, for callers that filled the struct by hand.
Result<void> check(const Experiment& experiment);

}  // namespace streamscope::experiment
