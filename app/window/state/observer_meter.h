// What the observer-effect meter shows of a state: figure, level and, where it is not known, why. Pure.
#pragma once

#include <optional>
#include <string>

#include "app/window/state/state.h"

namespace streamscope::window {

struct Meter {
  enum class Level : std::uint8_t { unknown, small, notable, large };
  Level level = Level::unknown;
  std::optional<trace::ObserverEffect> effect;
  std::string figure;   // "1.015 ×  (1.012 to 1.019)", "not known"
  std::string meaning;  // whole sentences for the tooltip
};
// Over these the figure is marked.
inline constexpr double kNotable = 1.05, kLarge = 1.2;
Meter meter(const State& state);

}  // namespace streamscope::window
