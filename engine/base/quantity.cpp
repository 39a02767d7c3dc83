#include "engine/base/quantity.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "engine/base/translate.h"

namespace streamscope {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

constexpr std::array<Unit, 6> kSizes{{{"KiB", 1ull << 10},
                                      {"MiB", 1ull << 20},
                                      {"GiB", 1ull << 30},
                                      {"KB", 1'000},
                                      {"MB", 1'000'000},
                                      {"GB", 1'000'000'000}}};
constexpr std::array<Unit, 4> kTimes{{{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Splits "1.5ms" into digits before and after the point and the unit. Empty unit for a plain number.
struct Number {
  std::string_view whole, fraction, unit;
};

std::optional<Number> split(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_digit(text[at])) ++at;
  Number number{text.substr(0, at), {}, {}};
  if (number.whole.empty()) return std::nullopt;
  if (at < text.size() && text[at] == '.') {
    const std::size_t from = ++at;
    while (at < text.size() && is_digit(text[at])) ++at;
    number.fraction = text.substr(from, at - from);
    if (number.fraction.empty()) return std::nullopt;
  }
  const std::size_t end = at;
  while (at < text.size() && text[at] == ' ') ++at;
  number.unit = text.substr(at);
  if (number.unit.empty() && at != end) return std::nullopt;
  return number;
}

// whole.fraction * factor as an integer; nothing when it overflows or is not whole.
std::optional<std::uint64_t> scaled(const Number& number, std::uint64_t factor) {
  std::uint64_t whole = 0;
  const char* end = number.whole.data() + number.whole.size();
  if (std::from_chars(number.whole.data(), end, whole).ec != std::errc{}) return std::nullopt;
  std::uint64_t value = 0;
  if (__builtin_mul_overflow(whole, factor, &value)) return std::nullopt;
  if (number.fraction.empty()) return value;
  if (number.fraction.size() > 18) return std::nullopt;
  std::uint64_t digits = 0, denominator = 1;
  for (const char digit : number.fraction) {
    digits = digits * 10 + static_cast<std::uint64_t>(digit - '0');
    denominator *= 10;
  }
  const auto part = static_cast<unsigned __int128>(digits) * factor;
  if (part % denominator != 0) return std::nullopt;
  if (__builtin_add_overflow(value, static_cast<std::uint64_t>(part / denominator), &value)) return std::nullopt;
  return value;
}

// In the largest of the units, which ascend, that divides it; empty where none does.
std::string exact(std::uint64_t value, std::span<const Unit> units) {
  if (value == 0) return {};
  for (std::size_t i = units.size(); i-- > 0;) {
    if (value % units[i].factor == 0) return fmt::format("{}{}", value / units[i].factor, units[i].name);
  }
  return {};
}

// Four significant digits at most, without trailing zeros.
std::string short_number(double value) {
  const int decimals = value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3;
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

// From which value on short_number() would round up to a whole one of the next unit: "1 ms" reads better than "1000
// us".
double next_unit_from(std::uint64_t next, std::uint64_t unit) {
  const double half_a_digit = next / unit > 1000 ? 0.5 : 0.05;
  return static_cast<double>(next) - half_a_digit * static_cast<double>(unit);
}

}  // namespace

Result<std::uint64_t> parse_bytes(std::string_view text) {
  const auto number = split(text);
  if (!number) return fail(ErrorKind::bad_input, tr("'{}' is not a size; write for example 64MiB", text));
  if (number->unit.empty()) {
    if (!number->fraction.empty()) {
      return fail(ErrorKind::bad_input, tr("'{}': a number of bytes has no fraction; add a unit such as KiB", text));
    }
    if (const auto value = scaled(*number, 1)) return *value;
    return fail(ErrorKind::bad_input, tr("'{}' is too large for a size", text));
  }
  for (const Unit& unit : kSizes) {
    if (number->unit != unit.name) continue;
    if (const auto value = scaled(*number, unit.factor)) return *value;
    return fail(ErrorKind::bad_input, tr("'{}' is too large or not a whole number of bytes; use a smaller unit", text));
  }
  return fail(ErrorKind::bad_input,
              tr("'{}' has an unknown unit '{}'; use KiB MiB GiB or KB MB GB, or none for bytes", text, number->unit));
}

Result<Nanoseconds> parse_duration(std::string_view text) {
  const auto number = split(text);
  if (!number) return fail(ErrorKind::bad_input, tr("'{}' is not a duration; write for example 300us", text));
  for (const Unit& unit : kTimes) {
    if (number->unit != unit.name) continue;
    const auto value = scaled(*number, unit.factor);
    if (value && *value <= static_cast<std::uint64_t>(std::numeric_limits<Nanoseconds>::max())) {
      return static_cast<Nanoseconds>(*value);
    }
    return fail(ErrorKind::bad_input, tr("'{}' is too long, or not a whole number of nanoseconds", text));
  }
  return fail(ErrorKind::bad_input, tr("'{}' needs a unit of time: ns us ms s", text));
}

std::string exact_bytes(std::uint64_t bytes) {
  const std::string text = exact(bytes, std::span(kSizes).first<3>());
  return text.empty() ? fmt::format("{}", bytes) : text;
}

std::string exact_duration(Nanoseconds duration) {
  const std::string text = duration < 0 ? "" : exact(static_cast<std::uint64_t>(duration), kTimes);
  return text.empty() ? fmt::format("{}ns", duration) : text;
}

std::string display_bytes(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  std::size_t unit = 0;
  while (unit + 1 < 3 && static_cast<double>(bytes) >= next_unit_from(kSizes[unit + 1].factor, kSizes[unit].factor))
    ++unit;
  return fmt::format("{} {}", short_number(static_cast<double>(bytes) / static_cast<double>(kSizes[unit].factor)),
                     kSizes[unit].name);
}

std::string display_duration(Nanoseconds duration) {
  if (!known(duration)) return "–";
  const double magnitude = std::abs(static_cast<double>(duration));
  std::size_t unit = 0;
  while (unit + 1 < kTimes.size() && magnitude >= next_unit_from(kTimes[unit + 1].factor, kTimes[unit].factor)) ++unit;
  return fmt::format("{}{} {}", duration < 0 ? "-" : "",
                     short_number(magnitude / static_cast<double>(kTimes[unit].factor)), kTimes[unit].name);
}

std::string display_bandwidth(std::uint64_t bytes, Nanoseconds duration) {
  if (!known(duration) || duration <= 0) return "–";
  return fmt::format("{} GB/s", short_number(static_cast<double>(bytes) / static_cast<double>(duration)));
}

}  // namespace streamscope
