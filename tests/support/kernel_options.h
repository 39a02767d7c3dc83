// Kernels of an experiment and of a program by the words that people write.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string_view>
#include <utility>

#include "engine/experiment/experiment.h"
#include "engine/program/program.h"
#include "kernels/registry.h"

namespace streamscope::test_support {

inline void set_option(kernels::Choice& choice, std::string_view key, std::int64_t value) {
  ASSERT_NE(choice.kernel, nullptr) << key;
  const std::size_t at = choice.kernel->find(key);
  ASSERT_LT(at, choice.kernel->options.size()) << key;
  choice.values[at] = value;
}

// Of an experiment; the other options as it has them by default.
inline void set_kernel(experiment::Experiment& experiment, std::string_view word,
                       std::initializer_list<std::pair<std::string_view, std::int64_t>> options = {}) {
  const kernels::Kernel* const kernel = kernels::find(word);
  ASSERT_NE(kernel, nullptr) << word;
  experiment.kernel = {kernel, kernels::experiment_values(*kernel)};
  for (const auto& [key, value] : options) set_option(experiment.kernel, key, value);
}

// The value of an operation's kernel; -1 where it is another kernel, or none.
inline std::int64_t option_of(const program::Program& program, const program::Work& work, std::string_view word,
                              std::string_view key) {
  const kernels::Choice* const choice = program::kernel_of(program, work);
  if (choice == nullptr || choice->kernel->word != word) return -1;
  const std::size_t at = choice->kernel->find(key);
  return at < choice->kernel->options.size() ? choice->values[at] : -1;
}

}  // namespace streamscope::test_support
