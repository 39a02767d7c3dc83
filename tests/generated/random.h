// Numbers at random, the same ones from the same seed on every machine: the standard's distributions are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace streamscope::generated {

class Random {
 public:
  explicit Random(std::uint64_t seed) : numbers_(seed) {}

  // From 0 to `limit` - 1.
  std::uint64_t below(std::uint64_t limit) { return numbers_() % limit; }
  // Once in so many times.
  bool once_in(std::uint64_t times) { return below(times) == 0; }
  // From `least` to `most`.
  std::int64_t between(std::int64_t least, std::int64_t most) {
    const auto from = static_cast<std::uint64_t>(least), count = static_cast<std::uint64_t>(most) - from + 1;
    return static_cast<std::int64_t>(from + (count == 0 ? numbers_() : below(count)));
  }
  // The same, each doubling above `least` as likely as the next.
  std::int64_t doubling(std::int64_t least, std::int64_t most) {
    const auto range = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least);
    std::uint64_t bits = 0;
    while (bits < 63 && range >> bits != 0) ++bits;
    const std::uint64_t size = std::uint64_t{1} << below(bits + 1);  // 1, 2, 4, ... up to above the range
    const std::uint64_t up = size == 1 ? 0 : size / 2 + below(size / 2);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(least) + (up > range ? range : up));
  }
  template <class List>
  decltype(auto) one_of(const List& list) {
    return list[static_cast<std::size_t>(below(std::size(list)))];
  }

 private:
  std::mt19937_64 numbers_;
};

}  // namespace streamscope::generated
