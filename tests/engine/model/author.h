// Writes programs at random, the same ones from the same seeds.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <random>
#include <string>

namespace streamscope::model {

// A program's text from a seed. Only the generator's own numbers are used, which are the same on every machine.
class Author {
 public:
  explicit Author(std::uint32_t seed) : random_(seed) {}

  std::string write(int lines) {
    text_ =
        "buffer x 8MiB\nbuffer p 8MiB host=pageable\nbuffer w 8MiB host=write-combined\n"
        "stream A\nstream B\nstream C priority=-5\nstream N nonblocking\nstream M nonblocking priority=-2\n"
        "event e\nevent f\nevent g\n";
    for (int i = 0; i < lines; ++i) line(i);
    return text_;
  }

 private:
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  std::string stream() {
    constexpr std::array kStreams{"A", "B", "C", "N", "M", "default", "per-thread"};
    return kStreams[below(kStreams.size())];
  }
  std::string event() { return std::string(1, "efg"[below(3)]); }
  std::string range() {
    const std::uint64_t bytes = std::uint64_t{4} << below(21);
    return fmt::format("{}[{}:{}]", "xpw"[below(3)], 4 * below(1 << 10), bytes);
  }
  std::string device_work() {
    switch (below(10)) {
      case 0:
      case 1: return "h2d " + range();
      case 2: return "d2h " + range();
      case 3: return fmt::format("d2d x[0:{0}] p[0:{0}]", 4 << below(20));
      case 4: return "memset " + range() + " 7";
      case 5:
        return fmt::format("spin {}us blocks={} threads={} smem={}", below(200), 1 + below(600), 32 + below(993),
                           below(200'000));
      case 6:
        return fmt::format("axpb {} fma={} blocks={} threads={}", range(), 1 + below(200), 1 + below(400),
                           32 * (1 + below(32)));
      case 7: return "record " + event();
      case 8: return "wait " + event();
      default: return fmt::format("hostfn {}us", below(50));
    }
  }
  std::string host_work(int number) {
    switch (below(9)) {
      case 0: return fmt::format("work {}us", below(100));
      case 1: return "sync " + stream();
      case 2: return "sync " + event();
      case 3: return fmt::format("poll {} every={}us", stream(), 1 + below(20));
      case 4: return fmt::format("poll {} every={}us", event(), 1 + below(20));
      case 5: return "memcpy h2d " + range();
      case 6: return "memcpy d2h " + range();
      case 7: return fmt::format("malloc t{0} 1MiB\nhost: free t{0}", number);
      default: return "touch " + range();
    }
  }
  void line(int number) {
    const bool host = below(12) == 0;
    text_ += (host ? "host: " + host_work(number) : stream() + ": " + device_work()) + "\n";
  }

  std::mt19937 random_;
  std::string text_;
};

}  // namespace streamscope::model
