// Values that a person types, and sliders over a list of values that takes typed ones, too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/window/panels/panel.h"

namespace streamscope::window {

// What a typed value is: "16", "64MiB" or "64 MiB", "1.5ms"; "2x", twice the present one. Nothing: it is none.
enum class Typed : std::uint8_t { count, bytes, duration };
std::optional<std::uint64_t> read_typed(std::string text, Typed as, std::uint64_t present);
// Of "2x", "2×" or "x2" the 2. Nothing: it is no such factor.
std::optional<double> read_factor(std::string text);
std::string no_such_value(std::string_view typed, std::string_view example);  // and what would be one

// A slider over the values of a list; the text shown is that of the present one. A typed value need not be among them.
// Whether it is another one now.
bool choose(const Panel& panel, const char* id, const std::vector<std::uint64_t>& values, std::uint64_t& value,
            const std::string& shown, Typed as);

}  // namespace streamscope::window
