#include "engine/base/place.h"

#include "engine/base/translate.h"

namespace streamscope {
namespace {

constexpr std::string_view kPlace = "\x1e", kWhat = "\x1f";

// `pattern` is made of kPlace and kWhat: what a language puts before, between and behind them is found in the text.
std::optional<PlaceAndWhat> parts(std::string_view text, std::string_view pattern) {
  const std::size_t first = pattern.find(kPlace), second = pattern.find(kWhat);
  if (first == std::string_view::npos || second == std::string_view::npos || second < first) return std::nullopt;
  const std::string_view before = pattern.substr(0, first), between = pattern.substr(first + 1, second - first - 1),
                         behind = pattern.substr(second + 1);
  if (!text.starts_with(before)) return std::nullopt;
  text.remove_prefix(before.size());
  const std::size_t at = text.find(between);
  if (at == std::string_view::npos || between.empty()) return std::nullopt;
  std::string_view what = text.substr(at + between.size());
  if (!what.ends_with(behind)) return std::nullopt;
  what.remove_suffix(behind.size());
  return PlaceAndWhat{text.substr(0, at), what};
}

}  // namespace

std::string error_at(std::string_view place, std::string_view what) { return tr("{}: error: {}", place, what); }
std::string warning_at(std::string_view place, std::string_view what) { return tr("{}: warning: {}", place, what); }

std::optional<PlaceAndWhat> parts_of_error(std::string_view text) { return parts(text, error_at(kPlace, kWhat)); }
std::optional<PlaceAndWhat> parts_of_warning(std::string_view text) { return parts(text, warning_at(kPlace, kWhat)); }

}  // namespace streamscope
