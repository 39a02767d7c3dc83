// Programs of all words of the language, made at random: graphs, host threads, the legacy stream, memory in stream
// order and managed memory, every kernel. The same ones from the same seeds.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace streamscope::tests {

class AnyProgram {
 public:
  explicit AnyProgram(std::uint32_t seed) : random_(seed) {}

  // About so many lines. With host threads nothing is copied from pageable memory but by cudaMemcpy: calls would wait
  // for each other's room in the staging buffer.
  std::string write(int lines, bool threads) {
    threads_ = threads;
    text_ =
        "buffer x 8MiB\nbuffer y 8MiB\nbuffer p 8MiB host=pageable\nbuffer w 8MiB host=write-combined\nbuffer m 8MiB "
        "host=managed\nbuffer a 8MiB host=mapped\nstream A\nstream B\nstream C priority=-3\nstream N nonblocking\n"
        "stream M nonblocking priority=-2\nstream K nonblocking\nevent e\nevent f notiming\n";
    for (const std::string_view of : {"main", "T", "U"}) {
      if (of != "main" && !threads) continue;
      graph(fmt::format("G{}", of), "A", "B");
      graph(fmt::format("H{}", of), "N", "M");
    }
    const int at = lines / 4;
    for (int i = 0; i < lines; ++i) {
      if (threads && i == at) thread("T", lines / 4);
      if (threads && i == 2 * at) thread("U", lines / 4);
      if (threads && i == 3 * at) text_ += "host: join T\n";
      line(streams());
    }
    if (threads) text_ += "host: join U\n";
    return text_;
  }

 private:
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  template <std::size_t count>
  std::string one_of(const std::array<std::string_view, count>& all) {
    return std::string(all[below(count)]);
  }
  std::string streams() {
    return one_of(std::array<std::string_view, 8>{"A", "B", "C", "N", "M", "K", "default", "per-thread"});
  }
  std::string range(std::string_view buffers) {
    const std::uint64_t bytes = std::uint64_t{4} << below(21);
    return fmt::format("{}[{}:{}]", buffers[below(static_cast<std::uint32_t>(buffers.size()))], 4 * below(1 << 10),
                       bytes);
  }

  std::string kernel() {
    switch (below(6)) {
      case 0:
        return fmt::format("spin {}us blocks={} threads={} smem={}", below(200), 1 + below(600), 32 + below(993),
                           below(200'000));
      case 1: return fmt::format("spin {}us blocks={}", 1 + below(100), 1 + below(200));
      case 2: {
        const std::uint32_t blocks = 1 + below(500);
        return fmt::format("reduce y[0:{}] from {} blocks={}", 4 * blocks, range("xa"), blocks);
      }
      case 3: return fmt::format("tiles {} fma={} stages={} align=4", range("xm"), 1 + below(60), 2 + below(3));
      default:
        return fmt::format("axpb {} fma={} blocks={} threads={}", range("xxxma"), 1 + below(100), 1 + below(400),
                           32 * (1 + below(32)));
    }
  }
  std::string copy() {
    switch (below(5)) {
      case 0: return fmt::format("d2d x[0:{0}] y[0:{0}]", 4 << below(20));
      case 1: return "memset " + range("xy") + " 7";
      case 2: return "d2h " + range("xxpw");
      default: return "h2d " + range(threads_ ? "xxyw" : "xxpw");
    }
  }
  // What a graph may capture.
  std::string captured() {
    switch (below(5)) {
      case 0: return fmt::format("hostfn {}us", below(30));
      case 1:
      case 2: return kernel();
      default: return fmt::format("{} {}", below(2) == 0 ? "h2d" : "d2h", range("xy"));
    }
  }
  void graph(const std::string& name, std::string_view origin, std::string_view other) {
    text_ += fmt::format("graph {} on {} {{\n", name, origin);
    const auto some = [&](std::string_view stream, std::uint32_t count) {
      for (; count > 0; --count) text_ += fmt::format("  {}: {}\n", stream, captured());
    };
    some(origin, 1 + below(2));
    if (below(2) == 0) {
      text_ += fmt::format("  {0}: record fork{2}\n  {1}: wait fork{2}\n", origin, other, name);
      some(other, 1 + below(2));
      some(origin, below(3));
      text_ += fmt::format("  {1}: record join{2}\n  {0}: wait join{2}\n", origin, other, name);
    }
    some(origin, below(2));
    text_ += "}\n";
  }

  std::string device_work() {
    switch (below(12)) {
      case 0:
      case 1: return "record " + one_of(std::array<std::string_view, 2>{"e", "f"});
      case 2:
      case 3: return "wait " + one_of(std::array<std::string_view, 2>{"e", "f"});
      case 4: return fmt::format("hostfn {}us", below(50));
      case 5: return fmt::format("prefetch {} to={}", range("m"), below(2) == 0 ? "device" : "host");
      case 6: return fmt::format("launch {}{}", below(2) == 0 ? "G" : "H", thread_);
      case 7:
      case 8:
      case 9: return kernel();
      default: return copy();
    }
  }
  std::string host_work(std::string_view stream) {
    switch (below(8)) {
      case 0: return fmt::format("work {}us", below(100));
      case 1: return fmt::format("sync {}", stream);
      case 2: return "sync " + one_of(std::array<std::string_view, 2>{"e", "f"});
      case 3: return fmt::format("poll {} every={}us", stream, 1 + below(20));
      case 4: return fmt::format("memcpy {} {}", below(2) == 0 ? "h2d" : "d2h", range("xp"));
      case 5: {
        const int number = made_++;
        return fmt::format("malloc t{0} 1MiB\nhost: free t{0}", number);
      }
      case 6: return "touch " + range("xmp");
      default: return "sync device";
    }
  }
  void line(const std::string& stream) {
    if (below(14) == 0) {
      text_ += "host: " + host_work(stream) + "\n";
    } else if (below(16) == 0 && stream != "default") {
      const int number = made_++;
      text_ +=
          fmt::format("{0}: malloc t{1} {2}MiB\n{0}: memset t{1} 0\n{0}: free t{1}\n", stream, number, 1 + below(12));
    } else {
      text_ += stream + ": " + device_work() + "\n";
    }
  }
  void thread(std::string_view name, int lines) {
    text_ += fmt::format("thread {} {{\n", name);
    thread_ = name;
    for (int i = 0; i < lines; ++i) line(streams());
    thread_ = "main";
    text_ += "}\n";
  }

  std::mt19937 random_;
  std::string text_;
  std::string_view thread_ = "main";  // whose line is written: two threads may not launch one graph
  bool threads_ = false;
  int made_ = 0;
};

}  // namespace streamscope::tests
