#include <algorithm>

#include "engine/calibration/program_writer.h"

namespace streamscope::calibration {
namespace {

constexpr std::uint64_t kLongestKernels = 20'000;  // microseconds

// A spin of many blocks, and about how long it holds the device. 132 multiprocessors are assumed; on a smaller device
// the same program takes longer.
struct Grid {
  std::uint64_t blocks, threads, shared_kib, microseconds;
  std::string text() const {
    return fmt::format("spin {}us blocks={} threads={}{}", microseconds, blocks, threads,
                       shared_kib == 0 ? "" : fmt::format(" smem={}KiB", shared_kib));
  }
  std::uint64_t takes() const {
    const std::uint64_t resident = std::min({std::uint64_t{32}, 2048 / threads, 228 / (shared_kib + 1)});
    return (blocks + resident * 132 - 1) / (resident * 132) * (microseconds + 1);
  }
};

Grid large_grid(Draw& draw) {
  Grid grid{};
  if (draw.chance(40)) {
    grid.blocks = 132 * draw.between(1, 12);
    grid.blocks += draw.one_of({0, 0, 1, 66});
  } else {
    grid.blocks = draw.spread(100, 6000);
  }
  grid.threads = draw.one_of({64, 128, 256, 512, 768, 1024});
  grid.shared_kib = draw.chance(60) ? 0 : draw.one_of({16, 32, 48, 64, 100, 200});
  grid.microseconds = draw.spread(2, 80);
  return grid;
}

}  // namespace

void concurrent_kernels(Sheet& sheet, std::uint64_t) {
  Draw& draw = sheet.draw;
  const std::uint64_t streams = draw.one_of({2, 2, 3, 4, 4, 6, 8});
  const std::uint64_t kernels = streams * draw.spread(1, 10);
  const std::uint64_t all = 32 << 10;
  sheet.buffer("x", all);
  sheet.streams("S", streams, draw.chance(70));
  const std::uint64_t spins = draw.one_of({0, 50, 100});  // per cent
  const bool in_turn = draw.chance(60);
  for (std::uint64_t i = 0; i < kernels && sheet.microseconds() < kLongestKernels * streams / 2; ++i) {
    const std::uint64_t s = in_turn ? i % streams : draw.below(streams);
    const std::uint64_t blocks = draw.spread(1, 64);
    if (draw.chance(static_cast<unsigned>(spins))) {
      const std::uint64_t us = draw.spread(4, 500);
      sheet.line("S{}: spin {}us blocks={} threads={}", s, us, blocks, draw.one_of({32, 128, 256, 1024}));
      sheet.add_us(us);
    } else {
      // The time is that with so many blocks; few of them are slow to read memory, too.
      const std::uint64_t kib = draw.kib(64, 8 << 10), us = draw.spread(4, 400);
      const int threads = draw.one_of({64, 256, 256, 512});
      sheet.line("S{}: axpb {} fma={} blocks={} threads={}", s, sheet.piece("x", all, kib),
                 Sheet::fma_for(kib, us * blocks / 132), blocks, threads);
      sheet.add_us(us + kib / (6 * blocks));
    }
  }
}

void oversubscribed(Sheet& sheet, std::uint64_t) {
  Draw& draw = sheet.draw;
  const std::uint64_t streams = draw.one_of({1, 1, 2, 3, 4}), kernels = draw.spread(1, 16);
  const std::uint64_t all = 128 << 10;
  const bool spins = draw.chance(65);
  if (!spins) sheet.buffer("x", all);
  sheet.streams("S", streams, draw.chance(70));
  for (std::uint64_t i = 0; i < kernels && sheet.microseconds() < kLongestKernels; ++i) {
    if (spins) {
      Grid grid = large_grid(draw);
      while (grid.takes() > 6'000) grid.blocks = (grid.blocks + 1) / 2;
      sheet.line("S{}: {}", i % streams, grid.text());
      sheet.add_us(grid.takes());
    } else {
      const std::uint64_t kib = draw.kib(256, all), us = draw.spread(4, 800);
      const int threads = draw.one_of({64, 128, 256, 512, 1024});
      const std::uint64_t blocks = draw.spread(100, 20'000);
      sheet.line("S{}: axpb {} fma={} blocks={} threads={}", i % streams, sheet.piece("x", all, kib),
                 Sheet::fma_for(kib, us), blocks, threads);
      sheet.add_us(us);
    }
  }
}

void priorities(Sheet& sheet, std::uint64_t) {
  Draw& draw = sheet.draw;
  const std::uint64_t streams = draw.between(2, 5), all = 32 << 10;
  const bool copies = draw.chance(40);
  sheet.buffer("x", all);
  for (std::uint64_t s = 0; s < streams; ++s) {
    const std::uint64_t urgency = draw.below(6);
    sheet.line("stream S{}{}{}", s, draw.chance(80) ? " nonblocking" : "",
               urgency == 0 ? "" : fmt::format(" priority=-{}", urgency));
  }
  const std::uint64_t kernels = draw.spread(2, 24);
  for (std::uint64_t i = 0; i < kernels && sheet.microseconds() < kLongestKernels; ++i) {
    Grid grid = large_grid(draw);
    while (grid.takes() > 2'500) grid.blocks = (grid.blocks + 1) / 2;
    sheet.line("S{}: {}", draw.below(streams), grid.text());
    sheet.add_us(grid.takes());
    if (copies && draw.chance(30)) {
      const std::uint64_t kib = draw.kib(16, 4 << 10);
      const std::string piece = sheet.piece("x", all, kib);
      const char* const direction = draw.one_of({"h2d", "d2h"});
      sheet.line("S{}: {} {}", draw.below(streams), direction, piece);
    }
  }
}

void many_streams(Sheet& sheet, std::uint64_t) {
  Draw& draw = sheet.draw;
  const std::uint64_t streams = draw.one_of({9, 12, 16, 24, 32, 33, 40, 64, 96, 128, 160});
  const std::uint64_t rounds = std::max<std::uint64_t>(1, draw.spread(1, 256) / streams);
  const std::uint64_t kib = draw.kib(4, 256), all = 64 << 10;
  const bool breadth = draw.chance(60);
  sheet.buffer("x", all);
  sheet.streams("S", streams, draw.chance(75));
  const std::string part = fmt::format("x[{{(i*{}+k)%{}*{}}}KiB:{}KiB]", rounds, all / kib, kib, kib);
  sheet.line("repeat {} as {} {{", breadth ? rounds : streams, breadth ? 'k' : 'i');
  sheet.line("repeat {} as {} {{", breadth ? streams : rounds, breadth ? 'i' : 'k');
  const std::uint64_t blocks = draw.one_of({1, 1, 2, 4, 16});
  switch (draw.below(4)) {
    case 0: sheet.line("  S{{i}}: spin {}us blocks={}", draw.spread(2, 400), blocks); break;
    case 1:
      sheet.line("  S{{i}}: spin {}us blocks={}", draw.spread(2, 200), blocks);
      sheet.line("  S{{i}}: spin {}us blocks={}", draw.spread(2, 60), blocks);
      break;
    case 2:
      sheet.line("  S{{i}}: h2d {}", part);
      sheet.line("  S{{i}}: spin {}us blocks={}", draw.spread(2, 60), blocks);
      sheet.line("  S{{i}}: d2h {}", part);
      break;
    default: sheet.line("  S{{i}}: axpb {} fma={}", part, draw.spread(1, 512)); break;
  }
  sheet.line("}}");
  sheet.line("}}");
}

void long_queues(Sheet& sheet, std::uint64_t) {
  Draw& draw = sheet.draw;
  const std::uint64_t streams = draw.one_of({1, 1, 2, 4}), count = draw.spread(150, 3000);
  sheet.buffer("x", 4 << 10);
  sheet.streams("S", streams, draw.chance(70));
  if (draw.chance(60)) sheet.line("S0: spin {}us", draw.spread(200, 8000));
  const std::string on = fmt::format("S{{i%{}}}: ", streams);
  switch (draw.below(6)) {
    case 0: return sheet.repeat(count, {on + "spin 0us"});
    case 1: return sheet.repeat(count, {fmt::format("{}spin {}us", on, draw.between(1, 8))});
    case 2: return sheet.repeat(count, {on + "spin 1us", on + "record e"});
    case 3: return sheet.repeat(count, {on + "h2d x[{i%64*4}KiB:4KiB]"});
    case 4: return sheet.repeat(count, {on + "memset x[{i%64*4}KiB:4KiB] 3"});
    default: return sheet.repeat(count, {fmt::format("{}axpb x[{{i%16*64}}KiB:64KiB] fma={}", on, draw.spread(1, 64))});
  }
}

}  // namespace streamscope::calibration
