// The keys of an experiment file and how each is read. Internal to this room.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/experiment/experiment.h"
#include "engine/experiment/read_value.h"

namespace streamscope::experiment::keys {

// What has been read so far. `chunk` and `chunks` set the same value, so the one given last counts.
struct Draft {
  Experiment experiment;                                      // its kernel's values: see choose_kernel()
  std::map<std::string, std::int64_t, std::less<>> kernel;    // those given of any kernel's options, by key
  std::map<std::string, std::string, std::less<>> locations;  // of each key given
};

// In the order of a file; last those of [kernel], a key for each option of a kernel, which several may have.
std::span<const std::string> all();
std::span<const std::string> of_options();
const std::string* find(std::string_view key);
Problem read(Draft& draft, const Given& given);  // of a key that there is

// "kernel.per_sm" for `per-sm`.
std::string key_of(const kernels::Option& option);
// The kernel's option behind a key; options.size(): it has none.
std::size_t option_behind(const kernels::Kernel& kernel, std::string_view key);
// Of the first kernel that has it; null: none has.
const kernels::Option* any_option_behind(std::string_view key);
// "spin", "axpb or tiles": the kernels that have the option behind the key.
std::string kernels_with(std::string_view key);
// Gives the chosen kernel the values that were given.
void choose_kernel(Draft& draft);
// Within the limits of an experiment, where 0 may stand for what the kernel chooses.
bool in_range(const kernels::Option& option, std::int64_t value);

// "unknown key 'strems'; did you mean 'streams'?"
std::string unknown(std::string_view name);

}  // namespace streamscope::experiment::keys
