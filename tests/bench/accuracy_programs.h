// Stream programs to measure the instrument with: generated, the same ones every time.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <utility>

namespace streamscope::bench {

struct GeneratedProgram {
  std::string family;
  int streams = 1;
  std::string text;
};

class ProgramGenerator {
 public:
  // Seven families at eight counts of streams: no two of the first 56 programs are of the same sort.
  static GeneratedProgram make(std::uint32_t index) {
    constexpr std::array kStreams = {1, 2, 4, 8, 16, 3, 6, 12};
    using Family = std::pair<const char*, void (ProgramGenerator::*)()>;
    const std::array<Family, 7> families = {{
        {"depth first", &ProgramGenerator::depth_first},
        {"breadth first", &ProgramGenerator::breadth_first},
        {"concurrent kernels", &ProgramGenerator::concurrent_kernels},
        {"memory", &ProgramGenerator::memory},
        {"event chain", &ProgramGenerator::event_chain},
        {"legacy barriers", &ProgramGenerator::legacy_barriers},
        {"mixed", &ProgramGenerator::mixed},
    }};
    ProgramGenerator generator(20261121 + index, kStreams[index % kStreams.size()]);
    const Family& family = families[index % families.size()];
    (generator.*family.second)();
    return {family.first, generator.streams_, std::move(generator.text_)};
  }

 private:
  static constexpr int kBufferKib = 32 * 1024;

  ProgramGenerator(std::uint32_t seed, int streams) : random_(seed), streams_(streams) {
    text_ = fmt::format("buffer x {0}KiB\nbuffer y {0}KiB\nstreams S {1} nonblocking\n", kBufferKib, streams);
  }

  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint32_t>(limit)); }
  template <std::size_t kCount>
  int one_of(const int (&choices)[kCount]) {
    return choices[static_cast<std::size_t>(below(kCount))];
  }
  std::string stream() { return fmt::format("S{}", below(streams_)); }
  void line(const std::string& words) { text_ += words + "\n"; }

  // A piece of a buffer, of 4 KiB or more.
  std::string piece(int kib) { return fmt::format("[{}KiB:{}KiB]", 4 * below((kBufferKib - kib) / 4 + 1), kib); }
  int some_kib() { return one_of({4, 64, 256, 1024, 2048, 4096}); }

  void depth_first() {
    const int chunk = one_of({256, 1024, 2048}), fma = one_of({16, 200, 1000});
    for (int c = 0; c < std::max(6, 2 * streams_); ++c) {
      const std::string on = fmt::format("S{}: ", c % streams_);
      const std::string part = fmt::format("x[{}KiB:{}KiB]", c * chunk % kBufferKib, chunk);
      line(on + "h2d " + part);
      line(fmt::format("{}axpb {} fma={}", on, part, fma));
      line(on + "d2h " + part);
    }
  }
  void breadth_first() {
    const int chunk = one_of({512, 1024, 2048}), fma = one_of({16, 200, 1000}), chunks = std::max(4, streams_);
    for (const char* const what : {"h2d", "axpb", "d2h"}) {
      for (int c = 0; c < chunks; ++c) {
        line(fmt::format("S{}: {} x[{}KiB:{}KiB]{}", c % streams_, what, c * chunk % kBufferKib, chunk,
                         std::string(what) == "axpb" ? fmt::format(" fma={}", fma) : ""));
      }
    }
  }
  void concurrent_kernels() {
    for (int i = 0; i < 5 * streams_ + 5; ++i) {
      line(fmt::format("S{}: spin {}us blocks={}", i % streams_, 10 + below(250), 1 + below(8)));
      if (below(4) == 0) line(fmt::format("S{}: h2d x{}", i % streams_, piece(some_kib())));
    }
  }
  void memory() {
    for (int i = 0; i < 20 + 4 * streams_; ++i) {
      const int kib = some_kib();
      switch (below(4)) {
        case 0: line(stream() + ": memset x" + piece(kib) + fmt::format(" {}", below(256))); break;
        case 1: line(stream() + ": d2d x" + piece(kib) + " y" + piece(kib)); break;
        case 2: line(stream() + ": h2d x" + piece(kib)); break;
        default: line(stream() + ": d2h y" + piece(kib)); break;
      }
    }
  }
  void event_chain() {
    for (int i = 0; i < 10; ++i) {
      for (int s = 0; s < streams_; ++s) {
        if (s > 0) line(fmt::format("S{}: wait e{}", s, s - 1));
        switch (s == 0 ? 0 : below(4)) {
          case 0: line(fmt::format("S{}: h2d x{}", s, piece(some_kib()))); break;
          case 1: line(fmt::format("S{}: d2h x{}", s, piece(some_kib()))); break;
          case 2: line(fmt::format("S{}: spin {}us blocks={}", s, 5 + below(60), 1 + below(16))); break;
          default: line(fmt::format("S{}: axpb x{} fma={}", s, piece(some_kib()), 1 + below(300))); break;
        }
        line(fmt::format("S{0}: record e{0}", s));
      }
    }
  }
  void legacy_barriers() {
    line("streams B 3");
    for (int i = 0; i < 40; ++i) {
      const std::string on = below(5) == 0 ? "default" : below(3) == 0 ? stream() : fmt::format("B{}", below(3));
      any(on);
    }
  }
  void mixed() {
    line("streams B 2");
    line("S0: record e");
    for (int i = 0; i < 60; ++i) {
      const std::string on = below(12) == 0 ? "default" : below(4) == 0 ? fmt::format("B{}", below(2)) : stream();
      switch (below(8)) {
        case 0: line(on + ": record e"); break;
        case 1: line(on + ": wait e"); break;
        default: any(on); break;
      }
    }
  }
  void any(const std::string& on) {
    const int kib = some_kib();
    switch (below(6)) {
      case 0: line(on + ": h2d x" + piece(kib)); break;
      case 1: line(on + ": d2h x" + piece(kib)); break;
      case 2: line(fmt::format("{}: spin {}us blocks={}", on, 5 + below(120), 1 + below(200))); break;
      case 3: line(fmt::format("{}: axpb x{} fma={}", on, piece(kib), 1 + below(500))); break;
      case 4: line(on + ": memset y" + piece(kib) + " 7"); break;
      default: line(on + ": d2d x" + piece(kib) + " y" + piece(kib)); break;
    }
  }

  std::mt19937 random_;
  int streams_;
  std::string text_;
};

}  // namespace streamscope::bench
