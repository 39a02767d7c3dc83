// Stream programs for judging the instrument's intervals: memory and operations of every kind, generated from a seed.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>

namespace streamscope::bench {

struct IntervalProgram {
  std::string family;
  std::string text;
};

// One program of a family for each index; the same on every platform.
class IntervalPrograms {
  using Family = std::pair<const char*, void (IntervalPrograms::*)()>;

 public:
  static IntervalProgram make(std::uint64_t seed, std::uint32_t index) {
    static constexpr std::array<Family, kFamilies> kAll = {{
        {"pageable", &IntervalPrograms::pageable},
        {"mapped", &IntervalPrograms::mapped},
        {"beside mapped", &IntervalPrograms::beside_mapped},
        {"managed", &IntervalPrograms::managed},
        {"beside migrations", &IntervalPrograms::beside_migrations},
        {"write-combined", &IntervalPrograms::write_combined},
        {"on device", &IntervalPrograms::on_device},
        {"small among large", &IntervalPrograms::small_among_large},
        {"host functions", &IntervalPrograms::host_functions},
        {"stream-ordered", &IntervalPrograms::stream_ordered},
        {"graphs", &IntervalPrograms::graphs},
        {"threads", &IntervalPrograms::threads},
    }};
    return of(kAll[index % kFamilies], seed, index);
  }
  static constexpr std::size_t kFamilies = 12;

  // Of two devices.
  static IntervalProgram make_for_two(std::uint64_t seed, std::uint32_t index) {
    static constexpr std::array<Family, 7> kAll = {{
        {"peer", &IntervalPrograms::peer},
        {"peer both ways", &IntervalPrograms::peer_both_ways},
        {"staged", &IntervalPrograms::staged},
        {"staged both ways", &IntervalPrograms::staged_both_ways},
        {"copies on both", &IntervalPrograms::copies_on_both},
        {"kernels across", &IntervalPrograms::kernels_across},
        {"peer beside kernels", &IntervalPrograms::peer_beside_kernels},
    }};
    return of(kAll[index % kAll.size()], seed, index);
  }

 private:
  static IntervalProgram of(const Family& family, std::uint64_t seed, std::uint32_t index) {
    IntervalPrograms one(seed * 1000003 + index);
    (one.*family.second)();
    return {family.first, std::move(one.text_)};
  }
  explicit IntervalPrograms(std::uint64_t seed) : random_(static_cast<std::uint32_t>(seed ^ (seed >> 32))) {}

  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint32_t>(limit)); }
  template <std::size_t kCount>
  int one_of(const int (&choices)[kCount]) {
    return choices[static_cast<std::size_t>(below(kCount))];
  }
  void line(std::string_view words) { text_.append(words).append("\n"); }
  void buffer(const char* name, int mib, const char* host = "pinned") {
    line(fmt::format("buffer {} {}MiB host={}", name, mib, host));
    mib_[name[0] - 'a'] = mib;
  }
  void streams() {
    streams_ = 1 + below(6);
    line(fmt::format("streams S {} nonblocking", streams_));
  }
  std::string on() { return fmt::format("S{}: ", below(streams_)); }
  std::string piece(char name, int kib) {
    kib = std::min(kib, mib_[name - 'a'] * 1024);
    return fmt::format("{}[{}KiB:{}KiB]", name, 4 * below((mib_[name - 'a'] * 1024 - kib) / 4 + 1), kib);
  }
  // 4 KiB to 64 MiB, each doubling as likely as the next.
  int some_kib(int most_doublings = 15) { return 4 << below(most_doublings); }
  std::string copy(char name, int kib) { return (below(2) ? "h2d " : "d2h ") + piece(name, kib); }
  std::string compute(char name, int kib) { return fmt::format("axpb {} fma={}", piece(name, kib), 1 + below(400)); }
  std::string spin() { return fmt::format("spin {}us blocks={}", 5 + below(200), 1 + below(32)); }

  void pageable() {
    buffer("p", 64, "pageable");
    buffer("x", 64);
    streams();
    for (int i = 0; i < 24; ++i) {
      switch (below(4)) {
        case 0: line(on() + copy('x', some_kib())); break;
        case 1: line(on() + compute('x', some_kib(13))); break;
        default: line(on() + copy('p', some_kib())); break;
      }
    }
  }
  void mapped() {
    buffer("m", 64, "mapped");
    buffer("x", 64);
    streams();
    for (int i = 0; i < 20; ++i) {
      const int kib = some_kib(14);
      switch (below(5)) {
        case 0: line(on() + "memset " + piece('m', kib) + " 7"); break;
        case 1: line(on() + fmt::format("d2d {} {}", piece('m', kib), piece('x', kib))); break;
        case 2: line(on() + fmt::format("d2d {} {}", piece('x', kib), piece('m', kib))); break;
        case 3: line(on() + compute('m', kib)); break;
        default: line(on() + compute('x', kib)); break;
      }
    }
  }
  void beside_mapped() {
    buffer("m", 64, "mapped");
    buffer("x", 64);
    streams();
    line("stream M nonblocking");
    for (int i = 0; i < 24; ++i) {
      if (below(3) == 0) line("M: " + compute('m', some_kib()));
      line(on() + copy('x', some_kib()));
    }
  }
  void managed() {
    buffer("u", 64, "managed");
    buffer("x", 64);
    streams();
    for (int i = 0; i < 16; ++i) {
      const int kib = some_kib(14);
      switch (below(4)) {
        case 0: line(on() + "prefetch " + piece('u', kib) + " to=device"); break;
        case 1: line(on() + "prefetch " + piece('u', kib) + " to=host"); break;
        case 2: line(on() + compute('u', kib)); break;
        default: line(on() + compute('x', kib)); break;
      }
    }
  }
  void beside_migrations() {
    buffer("u", 128, "managed");
    buffer("x", 64);
    streams();
    line("stream M nonblocking");
    for (int i = 0; i < 20; ++i) {
      if (below(4) == 0) line("M: prefetch " + piece('u', some_kib()) + (below(2) ? " to=device" : " to=host"));
      line(on() + copy('x', some_kib()));
    }
  }
  void write_combined() {
    buffer("w", 64, "write-combined");
    buffer("x", 64);
    streams();
    for (int i = 0; i < 24; ++i) {
      switch (below(4)) {
        case 0: line(on() + copy('x', some_kib())); break;
        case 1: line(on() + compute('w', some_kib(13))); break;
        default: line(on() + copy('w', some_kib())); break;
      }
    }
  }
  void on_device() {
    buffer("x", 1024);
    buffer("y", 1024);
    streams();
    for (int i = 0; i < 20; ++i) {
      const int kib = some_kib(19);
      switch (below(5)) {
        case 0:
        case 1: line(on() + fmt::format("d2d {} {}", piece('x', kib), piece('y', kib))); break;
        case 2:
        case 3: line(on() + "memset " + piece('x', kib) + " 3"); break;
        default: line(on() + compute('y', std::min(kib, 1 << 17))); break;
      }
    }
  }
  void small_among_large() {
    buffer("x", 256);
    streams();
    for (int i = 0; i < 30; ++i) {
      const int kib = below(4) == 0 ? 1024 * (16 + below(48)) : 4 << below(5);
      line(on() + (below(5) == 0 ? compute('x', std::min(kib, 4096)) : copy('x', kib)));
    }
  }
  void host_functions() {
    buffer("x", 64);
    streams();
    for (int i = 0; i < 24; ++i) {
      switch (below(4)) {
        case 0: line(on() + fmt::format("hostfn {}us", 1 + below(150))); break;
        case 1: line(on() + spin()); break;
        default: line(on() + copy('x', some_kib(13))); break;
      }
    }
  }
  void stream_ordered() {
    buffer("x", 64);
    streams();
    for (int i = 0; i < 8; ++i) {
      const std::string stream = on();
      const int kib = some_kib(13);
      line(fmt::format("{}malloc t{} 64MiB", stream, i));
      const std::string part = fmt::format("t{}[0:{}KiB]", i, kib);
      line(fmt::format("{}d2d {} {}", stream, part, piece('x', kib)));
      line(fmt::format("{}axpb {} fma={}", stream, part, 1 + below(300)));
      line(stream + copy('x', kib));
      line(fmt::format("{}free t{}", stream, i));
    }
  }
  void graphs() {
    buffer("x", 64);
    line("stream A nonblocking");
    line("stream B nonblocking");
    line("graph G on A {");
    line("A: " + copy('x', some_kib(13)));
    line("A: record f");
    line("B: wait f");
    for (int i = 0; i < 8; ++i) {
      const std::string stream = below(2) ? "A: " : "B: ";
      switch (below(4)) {
        case 0: line(stream + compute('x', some_kib(13))); break;
        case 1: line(stream + spin()); break;
        default: line(stream + copy('x', some_kib(13))); break;
      }
    }
    line("B: record j");
    line("A: wait j");
    line("}");
    for (int i = 0; i < 3; ++i) line(below(2) ? "A: launch G" : "B: launch G");
    line("A: " + copy('x', some_kib(13)));
  }
  void threads() {
    const int count = 1 + below(3);
    for (char name = 'b'; name <= 'b' + count; ++name) buffer(std::string(1, name).c_str(), 32);
    line(fmt::format("streams S {} nonblocking", count + 1));
    for (int t = 0; t <= count; ++t) {
      const char name = static_cast<char>('b' + t);
      if (t < count) line(fmt::format("thread T{} {{", t));
      for (int i = 0; i < 8; ++i) {
        line(fmt::format("S{}: {}", t, below(3) == 0 ? compute(name, some_kib(13)) : copy(name, some_kib(13))));
      }
      line(fmt::format("host: sync S{}", t));
      if (t < count) line("}");
    }
    for (int t = 0; t < count; ++t) line(fmt::format("host: join T{}", t));
  }

  // A buffer on both devices, and one to three streams on each: S of the first, T of the second.
  void on_two_devices(bool access = false) {
    line("buffer x 64MiB device=0,1");
    mib_['x' - 'a'] = 64;
    streams_ = 1 + below(3);
    line(fmt::format("streams S {} nonblocking", streams_));
    line(fmt::format("streams T {} device=1 nonblocking", streams_));
    if (access) line("host: peer 0 1 on");
  }
  std::string on_second() { return fmt::format("T{}: ", below(streams_)); }
  std::string on_either() { return below(2) ? on() : on_second(); }
  std::string across(int from, int kib) {
    const std::string to = piece('x', kib);
    return fmt::format("peer {}@{} {}@{}", to, 1 - from, piece('x', kib), from);
  }
  // Either device may give the copy: its end event is in that one's stream then.
  void copies_between(bool both_ways) {
    for (int i = 0; i < 24; ++i) {
      switch (below(4)) {
        case 0: line(on_either() + copy('x', some_kib(13))); break;
        case 1: line(on_either() + compute('x', some_kib(13))); break;
        default: line(on_either() + across(both_ways ? below(2) : 0, some_kib())); break;
      }
    }
  }
  void peer() {
    on_two_devices(true);
    copies_between(false);
  }
  void peer_both_ways() {
    on_two_devices(true);
    copies_between(true);
  }
  void staged() {
    on_two_devices();
    copies_between(false);
  }
  void staged_both_ways() {
    on_two_devices();
    copies_between(true);
  }
  void copies_on_both() {
    on_two_devices();
    for (int i = 0; i < 30; ++i) line(on_either() + copy('x', some_kib()));
  }
  void kernels_across() {
    on_two_devices();
    line("stream A nonblocking");
    line("stream B device=1 nonblocking");
    for (int i = 0; i < 8; ++i) {
      const char* const first = i % 2 ? "B: " : "A: ";
      const char* const second = i % 2 ? "A: " : "B: ";
      line(first + (below(2) ? spin() : compute('x', some_kib(13))));
      line(fmt::format("{}record e{}", first, i));
      line(fmt::format("{}wait e{}", second, i));
      line(second + (below(2) ? spin() : compute('x', some_kib(13))));
      line(on_either() + compute('x', some_kib(13)));
    }
  }
  void peer_beside_kernels() {
    on_two_devices(true);
    line("stream A nonblocking");
    for (int i = 0; i < 12; ++i) {
      line("A: " + across(below(2), 1024 << below(7)));
      line(on_either() + compute('x', some_kib(14)));
      line(on_either() + compute('x', some_kib(14)));
    }
  }

  std::mt19937 random_;
  std::string text_;
  std::array<int, 26> mib_{};
  int streams_ = 1;
};

}  // namespace streamscope::bench
