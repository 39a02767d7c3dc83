#include <algorithm>
#include <vector>

#include "engine/calibration/program_writer.h"

namespace streamscope::calibration {
namespace {

constexpr std::uint64_t kOrderBuffer = 32 << 10;  // KiB of each buffer
constexpr std::uint64_t kLongestOrder = 15'000;   // microseconds

void spin(Sheet& sheet, const std::string& on, std::uint64_t longest, std::uint64_t most_blocks) {
  const std::uint64_t us = sheet.draw.spread(2, longest);
  sheet.line("{}: spin {}us blocks={}", on, us, sheet.draw.spread(1, most_blocks));
  sheet.add_us(us);
}

// Any one operation of a stream that moves or computes.
void any_work(Sheet& sheet, const std::string& on) {
  Draw& draw = sheet.draw;
  const std::uint64_t kib = draw.kib(4, 4 << 10);
  switch (draw.below(8)) {
    case 0:
    case 1: sheet.line("{}: h2d {}", on, sheet.piece("x", kOrderBuffer, kib)); break;
    case 2: sheet.line("{}: d2h {}", on, sheet.piece("x", kOrderBuffer, kib)); break;
    case 3: {
      const std::uint64_t value = draw.below(256);
      sheet.line("{}: memset {} {}", on, sheet.piece("y", kOrderBuffer, kib), value);
      break;
    }
    case 4: {
      const std::string from = sheet.piece("y", kOrderBuffer, kib);
      sheet.line("{}: d2d {} {}", on, sheet.piece("x", kOrderBuffer, kib), from);
      break;
    }
    case 5: {
      const std::uint64_t us = draw.spread(2, 100);
      sheet.line("{}: axpb {} fma={}", on, sheet.piece("x", kOrderBuffer, kib), Sheet::fma_for(kib, us));
      sheet.add_us(us);
      return;
    }
    default: return spin(sheet, on, 250, 132);
  }
  sheet.add_us(Sheet::copy_us(kib, Host::pinned));
}

}  // namespace

void event_graph(Sheet& sheet, std::uint64_t) {
  Draw& draw = sheet.draw;
  const std::uint64_t streams = draw.between(2, 8), nodes = draw.spread(4, 80), links = draw.between(20, 90);
  const bool kernels_only = draw.chance(30);
  sheet.buffer("x", kOrderBuffer);
  sheet.buffer("y", kOrderBuffer);
  sheet.streams("S", streams, draw.chance(75));
  for (std::uint64_t i = 0; i < nodes && sheet.microseconds() < kLongestOrder; ++i) {
    const std::string on = fmt::format("S{}", draw.below(streams));
    while (i > 0 && draw.chance(static_cast<unsigned>(links / 2 + 10))) {
      sheet.line("{}: wait e{}", on, i - 1 - draw.below(std::min<std::uint64_t>(i, 2 * streams)));
    }
    if (kernels_only) {
      spin(sheet, on, 120, 132);
    } else {
      any_work(sheet, on);
    }
    sheet.line("{}: record e{}", on, i);
  }
}

void legacy_barriers(Sheet& sheet, std::uint64_t) {
  Draw& draw = sheet.draw;
  const std::uint64_t blocking = draw.between(1, 4), free = draw.below(3), operations = draw.spread(4, 80);
  const std::uint64_t barriers = draw.one_of({10, 20, 35, 50});  // per cent
  const bool kernels_only = draw.chance(30);
  sheet.buffer("x", kOrderBuffer);
  sheet.buffer("y", kOrderBuffer);
  sheet.streams("B", blocking, false);
  if (free > 0) sheet.streams("N", free, true);
  for (std::uint64_t i = 0; i < operations && sheet.microseconds() < kLongestOrder; ++i) {
    const std::string on = draw.chance(static_cast<unsigned>(barriers)) ? "default"
                           : free > 0 && draw.chance(25)                ? fmt::format("N{}", draw.below(free))
                                                                        : fmt::format("B{}", draw.below(blocking));
    if (kernels_only) {
      spin(sheet, on, 200, 66);
    } else {
      any_work(sheet, on);
    }
  }
}

void host_interplay(Sheet& sheet, std::uint64_t) {
  Draw& draw = sheet.draw;
  const std::uint64_t streams = draw.between(1, 4), steps = draw.spread(3, 40);
  sheet.buffer("x", kOrderBuffer);
  sheet.buffer("y", kOrderBuffer);
  sheet.buffer("h", 16 << 10, sheet.host());
  sheet.streams("S", streams, draw.chance(75));
  std::vector<std::uint64_t> allocated;
  const bool allocates = draw.chance(50);
  for (std::uint64_t i = 0; i < steps && sheet.microseconds() < kLongestOrder; ++i) {
    const std::string on = fmt::format("S{}", draw.below(streams));
    for (std::uint64_t k = draw.between(1, 3); k > 0; --k) any_work(sheet, on);
    switch (draw.below(allocates ? 12 : 9)) {
      case 0: sheet.line("host: sync device"); break;
      case 1: sheet.line("host: sync {}", on); break;
      case 2:
        sheet.line("{}: record e{}", on, i);
        sheet.line("host: sync e{}", i);
        break;
      case 3: sheet.line("host: poll {} every={}us", on, draw.one_of({1, 2, 5, 10, 20, 50})); break;
      case 4:
        sheet.line("{}: record e{}", on, i);
        sheet.line("host: poll e{} every={}us", i, draw.one_of({1, 5, 10, 50}));
        break;
      case 5:
      case 6:
      case 7: {
        const std::uint64_t us = draw.spread(2, 300);
        sheet.line("host: work {}us", us);
        sheet.add_us(us);
        break;
      }
      case 8: {
        // Reads of write-combined memory are slow, so the piece stays small.
        const std::uint64_t kib = draw.kib(4, 128);
        sheet.line("host: touch {}", sheet.piece("h", 16 << 10, kib));
        break;
      }
      case 9:
      case 10:
        sheet.line("host: malloc t{} {}KiB", i, draw.kib(4, 64 << 10));
        allocated.push_back(i);
        sheet.add_us(100);
        break;
      default:
        if (allocated.empty()) break;
        sheet.line("host: free t{}", allocated.back());
        allocated.pop_back();
        sheet.add_us(100);
        break;
    }
  }
}

void host_functions(Sheet& sheet, std::uint64_t) {
  Draw& draw = sheet.draw;
  const std::uint64_t streams = draw.between(1, 4), steps = draw.spread(1, 32);
  const bool far_apart = draw.chance(40);
  sheet.buffer("x", kOrderBuffer);
  sheet.buffer("y", kOrderBuffer);
  sheet.streams("S", streams, draw.chance(75));
  for (std::uint64_t i = 0; i < steps && sheet.microseconds() < kLongestOrder; ++i) {
    const std::string on = fmt::format("S{}", draw.below(streams));
    for (std::uint64_t k = draw.below(far_apart ? 6 : 3); k > 0; --k) any_work(sheet, on);
    const std::uint64_t us = draw.spread(1, 200);
    sheet.line("{}: hostfn {}us", on, us);
    sheet.add_us(us);
  }
}

void mixed(Sheet& sheet, std::uint64_t) {
  Draw& draw = sheet.draw;
  const std::uint64_t blocking = draw.between(1, 4), free = draw.between(1, 4), operations = draw.spread(10, 120);
  sheet.buffer("x", kOrderBuffer);
  sheet.buffer("y", kOrderBuffer);
  sheet.buffer("p", 8 << 10, Host::pageable);
  sheet.streams("B", blocking, false);
  sheet.streams("N", free, true);
  sheet.line("N0: record e");
  for (std::uint64_t i = 0; i < operations && sheet.microseconds() < kLongestOrder; ++i) {
    const std::string on = draw.chance(6)    ? "default"
                           : draw.chance(5)  ? "per-thread"
                           : draw.chance(40) ? fmt::format("B{}", draw.below(blocking))
                                             : fmt::format("N{}", draw.below(free));
    switch (draw.below(16)) {
      case 0: sheet.line("{}: record e", on); break;
      case 1: sheet.line("{}: wait e", on); break;
      case 2: sheet.line("{}: memset {} 0", on, sheet.piece("y", kOrderBuffer, 4)); break;
      case 3: {
        const std::string piece = sheet.piece("p", 8 << 10, draw.kib(4, 1 << 10));
        sheet.line("{}: {} {}", on, draw.one_of({"h2d", "d2h"}), piece);
        break;
      }
      case 4: sheet.line("host: sync {}", on); break;
      case 5: sheet.line("host: work {}us", draw.spread(1, 100)); break;
      default: any_work(sheet, on); break;
    }
  }
}

}  // namespace streamscope::calibration
