#include "tests/generated/spelling.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace streamscope::generated {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t of;
};

// In one of the units that give a whole number or one half.
template <std::size_t kCount>
std::string in_units(Random& random, std::int64_t value, const std::array<Unit, kCount>& units) {
  const Unit unit = random.one_of(units);
  if (value % unit.of == 0) return integer(random, value / unit.of) + std::string(unit.name);
  if (unit.of % 2 == 0 && value % (unit.of / 2) == 0) return fmt::format("{}.5{}", value / unit.of, unit.name);
  return fmt::format("{}{}", value, units.front().name);
}

}  // namespace

std::string integer(Random& random, std::int64_t value) {
  if (!random.once_in(12)) return std::to_string(value);
  const std::int64_t part = random.between(1, 9);
  switch (random.below(5)) {
    case 0: return fmt::format("{{{}+{}}}", value - part, part);
    case 1: return fmt::format("{{{}-{}}}", value + part, part);
    case 2: return fmt::format("{{({}*{}+1)/{}}}", value, part + 1, part + 1);
    case 3: return fmt::format("{{-{}+{}}}", part, value + part);
    default: return fmt::format("{{{}%{}+{}}}", part, part + 1, value - part);
  }
}

std::string size(Random& random, std::uint64_t bytes) {
  constexpr std::array<Unit, 6> kUnits{
      {{"", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"KB", 1'000}, {"MB", 1'000'000}}};
  return in_units(random, static_cast<std::int64_t>(bytes), kUnits);
}

std::string duration(Random& random, Nanoseconds time) {
  constexpr std::array<Unit, 4> kUnits{{{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}}};
  return in_units(random, time, kUnits);
}

}  // namespace streamscope::generated
