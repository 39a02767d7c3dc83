// Looks for a case that breaks a property, and for the least one that breaks the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tests/generated/property.h"

namespace streamscope::generated {

// `instead`: what runs it instead of the one that the seed gives; null: none.
Case case_of(std::uint64_t seed, const device::DeviceSpec* instead = nullptr);

struct Found {
  std::uint64_t seed = 0;
  std::string property, what;
  Case least;
};
// In words, with the least case as it can be pasted into a file.
std::string text(const Found& found);

// The case of that seed; nothing where it breaks none.
std::optional<Found> hunt(std::uint64_t seed, Tally& tally, std::string_view only = {},
                          const device::DeviceSpec* instead = nullptr);

// Ends the process with the case in words, if one takes longer than that by the processor's clock: seconds. 0: no more.
void watch(int seconds);

}  // namespace streamscope::generated
