#include <algorithm>

#include "engine/calibration/program_writer.h"

namespace streamscope::calibration {
namespace {

// What stands behind `axpb RANGE`: work of about the time given, sometimes with a grid of its own.
std::string axpb_options(Sheet& sheet, std::uint64_t kib, std::uint64_t microseconds) {
  std::string options = fmt::format(" fma={}", Sheet::fma_for(kib, microseconds));
  if (sheet.draw.chance(25)) {
    const int threads = sheet.draw.one_of({128, 256, 512, 1024});
    options += fmt::format(" blocks={} threads={}", sheet.draw.one_of({66, 132, 264, 528, 1056}), threads);
  }
  return options;
}

}  // namespace

void pipeline(Sheet& sheet, std::uint64_t) {
  Draw& draw = sheet.draw;
  const std::uint64_t streams = draw.one_of({1, 2, 2, 3, 4, 4, 5, 6, 8, 8});
  const std::uint64_t chunk = draw.kib(64, 16 << 10);
  const Host host = sheet.host();
  const std::uint64_t most_kib = (host == Host::pageable ? 64 : 192) << 10;
  const std::uint64_t chunks = std::clamp<std::uint64_t>(draw.spread(streams, 16 * streams), 1, most_kib / chunk);
  const std::uint64_t way = draw.below(5);  // 0 to 2: in and out, 3: in only, 4: out only
  const bool in = way != 4, out = way != 3;
  const bool depth = draw.chance(50);
  sheet.buffer("x", chunk * chunks, host);
  sheet.streams("S", streams, draw.chance(70));

  std::string kernel;
  // A kernel between a fifth and twice the time of its copy: either may be what holds the pipeline up.
  const std::uint64_t kernel_us =
      std::max<std::uint64_t>(2, Sheet::copy_us(chunk, Host::pinned) * draw.spread(2, 20) / 10);
  const std::string part = fmt::format("x[{{i*{}}}KiB:{}KiB]", chunk, chunk);
  switch (draw.below(5)) {
    case 0: break;
    case 1: kernel = fmt::format("spin {}us blocks={}", kernel_us, draw.one_of({1, 8, 33, 132})); break;
    default: kernel = fmt::format("axpb {}{}", part, axpb_options(sheet, chunk, kernel_us)); break;
  }
  const std::string on = fmt::format("S{{i%{}}}: ", streams);
  std::vector<std::string> steps;
  if (in) steps.push_back(on + "h2d " + part);
  if (!kernel.empty()) steps.push_back(on + kernel);
  if (out) steps.push_back(on + "d2h " + part);
  if (depth) return sheet.repeat(chunks, steps);
  for (const std::string& step : steps) sheet.repeat(chunks, {step});
}

void tiny_chunks(Sheet& sheet, std::uint64_t) {
  Draw& draw = sheet.draw;
  const std::uint64_t streams = draw.one_of({1, 1, 2, 3, 4, 8});
  const std::uint64_t count = draw.spread(8, 500);
  const Host host = draw.chance(75) ? Host::pinned : draw.one_of({Host::pageable, Host::write_combined});
  // Now and then of less than a page.
  const std::uint64_t bytes = draw.chance(15) ? 4 * draw.spread(1, 512) : 1024 * draw.kib(4, 64);
  const std::uint64_t places = std::min<std::uint64_t>(count, (16 << 20) / bytes);
  sheet.buffer("x", 16 << 10, host);
  sheet.streams("S", streams, draw.chance(70));
  const std::string range = fmt::format("x[{{i%{}*{}}}:{}]", places, bytes, bytes);
  const std::string on = fmt::format("S{{i%{}}}: ", streams), in = on + "h2d " + range, out = on + "d2h " + range;
  switch (draw.below(6)) {
    case 0: return sheet.repeat(count, {in});
    case 1: return sheet.repeat(count, {out});
    case 2: return sheet.repeat(count, {in, out});
    case 3: return sheet.repeat(count, {in, fmt::format("{}axpb {} fma={}", on, range, draw.spread(1, 256)), out});
    case 4: return sheet.repeat(count, {fmt::format("{}memset {} 1", on, range), out});
    default: return sheet.repeat(count, {in, fmt::format("{}spin {}us", on, draw.spread(1, 12))});
  }
}

void isolated_pinned(Sheet& sheet, std::uint64_t which) {
  Draw& draw = sheet.draw;
  // Three of four are of 1 MiB or more.
  const std::uint64_t kib = which % 4 == 3 ? draw.kib(4, 1023) : draw.kib(1 << 10, 256 << 10);
  const bool in = which / 4 % 2 == 0 ? which % 2 == 0 : which % 2 != 0;
  sheet.buffer("x", kib);
  sheet.line("stream A{}", draw.chance(70) ? " nonblocking" : "");
  sheet.line("A: {} x[0:{}KiB]", in ? "h2d" : "d2h", kib);
  if (draw.chance(30)) sheet.line("host: sync A");
}

void isolated_other(Sheet& sheet, std::uint64_t which) {
  Draw& draw = sheet.draw;
  const bool in = draw.chance(50);
  const std::uint64_t sort = which % 6;
  const Host host = sort < 2 ? Host::pageable : sort == 2 ? Host::write_combined : Host::pinned;
  const std::uint64_t kib = draw.kib(4, sort < 2 ? 128 << 10 : 256 << 10);
  sheet.buffer("x", kib, sort == 3 ? draw.one_of({Host::pinned, Host::pageable}) : host);
  if (sort == 5) sheet.buffer("y", kib);
  if (sort == 1 || sort == 3) {
    sheet.line("host: memcpy {} x[0:{}KiB]", in ? "h2d" : "d2h", kib);
    return;
  }
  sheet.line("stream A nonblocking");
  if (sort == 4) {
    sheet.line("A: memset x[0:{}KiB] {}", kib, draw.below(256));
  } else if (sort == 5) {
    sheet.line("A: d2d x[0:{}KiB] y[0:{}KiB]", kib, kib);
  } else {
    sheet.line("A: {} x[0:{}KiB]", in ? "h2d" : "d2h", kib);
  }
}

void blocking_copies(Sheet& sheet, std::uint64_t) {
  Draw& draw = sheet.draw;
  const Host host = draw.one_of({Host::pinned, Host::pageable, Host::pageable});
  const std::uint64_t chunk = draw.kib(4, 8 << 10);
  const std::uint64_t chunks =
      std::clamp<std::uint64_t>(draw.spread(2, 48), 1, (host == Host::pageable ? 48u << 10 : 96u << 10) / chunk);
  const bool out = draw.chance(75), overlapped = draw.chance(30);
  const std::uint64_t kernel_us = draw.spread(2, 200);
  sheet.buffer("x", chunk * chunks, host);
  if (overlapped) sheet.line("stream A nonblocking");
  const std::string part = fmt::format("x[{{i*{}}}KiB:{}KiB]", chunk, chunk), on = overlapped ? "A: " : "default: ";
  const std::string kernel = draw.chance(60) ? fmt::format("axpb {}{}", part, axpb_options(sheet, chunk, kernel_us))
                                             : fmt::format("spin {}us", kernel_us);
  std::vector<std::string> steps{"host: memcpy h2d " + part, on + kernel};
  if (out) steps.push_back("host: memcpy d2h " + part);
  sheet.repeat(chunks, steps);
}

}  // namespace streamscope::calibration
