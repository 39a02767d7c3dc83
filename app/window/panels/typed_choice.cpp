#include "app/window/panels/typed_choice.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/window/widgets/widgets.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::window {

std::optional<double> read_factor(std::string text) {
  std::erase(text, ' ');
  if (const std::size_t at = text.find("×"); at != std::string::npos)
    text.replace(at, std::string_view("×").size(), "x");
  const bool before = text.starts_with('x');
  if (before == text.ends_with('x')) return std::nullopt;
  const std::string_view number = std::string_view(text).substr(before ? 1 : 0, text.size() - 1);
  double factor = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), factor);
  const bool whole = error == std::errc() && end == number.data() + number.size();
  return whole && std::isfinite(factor) && factor >= 0 ? std::optional(factor) : std::nullopt;
}

std::string no_such_value(std::string_view typed, std::string_view example) {
  return tr("{} is no such value. Write one as {} is written, or 2x for twice as much.", typed, example);
}

std::optional<std::uint64_t> read_typed(std::string text, Typed as, std::uint64_t present) {
  if (const auto factor = read_factor(text)) {
    const double wanted = std::round(*factor * static_cast<double>(present));
    return wanted < 9e18 ? std::optional(static_cast<std::uint64_t>(wanted)) : std::nullopt;
  }
  std::erase(text, ' ');
  if (as == Typed::duration) {
    const auto time = parse_duration(text);
    return time && *time >= 0 ? std::optional(static_cast<std::uint64_t>(*time)) : std::nullopt;
  }
  const auto number = parse_bytes(text);  // without a unit: a plain number
  return number ? std::optional(*number) : std::nullopt;
}

bool choose(const Panel& panel, const char* id, const std::vector<std::uint64_t>& values, std::uint64_t& value,
            const std::string& shown, Typed as) {
  const std::string now = as == Typed::bytes      ? exact_bytes(value)
                          : as == Typed::duration ? exact_duration(static_cast<Nanoseconds>(value))
                                                  : std::to_string(value);
  const int last = static_cast<int>(values.size()) - 1;
  int index = std::min(static_cast<int>(std::lower_bound(values.begin(), values.end(), value) - values.begin()), last);
  const bool moved = slider(panel.look, id, index, 0, std::max(last, 1), shown);
  if (const auto text = typed_value(id, now)) {
    const auto typed = read_typed(*text, as, value);
    if (!typed) panel.emit(command::Say{no_such_value(*text, now), true});
    const bool other = typed && *typed != value;
    if (other) value = *typed;
    return other;
  }
  if (!moved) return false;
  const std::uint64_t next = values[static_cast<std::size_t>(std::clamp(index, 0, last))];
  if (next == value) return false;
  value = next;
  return true;
}

}  // namespace streamscope::window
