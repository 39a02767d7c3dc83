#include <algorithm>

#include "engine/calibration/program_writer.h"

namespace streamscope::calibration {
namespace {

constexpr std::uint64_t kStructureBuffer = 32 << 10;  // KiB of each buffer
constexpr std::uint64_t kLongestStructure = 12'000;   // microseconds

// One operation that a graph or a thread of its own may hold: no allocation, nothing pageable.
void plain_work(Sheet& sheet, const std::string& on, const std::string& buffer) {
  Draw& draw = sheet.draw;
  const std::uint64_t kib = draw.kib(4, 2 << 10), us = draw.spread(2, 120), sort = draw.below(6);
  const std::string piece = sheet.piece(buffer, kStructureBuffer, kib);
  switch (sort) {
    case 0: sheet.line("  {}: h2d {}", on, piece); break;
    case 1: sheet.line("  {}: d2h {}", on, piece); break;
    case 2: sheet.line("  {}: memset {} 5", on, piece); break;
    case 3: sheet.line("  {}: axpb {} fma={}", on, piece, Sheet::fma_for(kib, us)); break;
    default: sheet.line("  {}: spin {}us blocks={}", on, us, draw.spread(1, 132)); break;
  }
  sheet.add_us(sort < 3 ? Sheet::copy_us(kib, Host::pinned) : us);
}

}  // namespace

void shared_memory(Sheet& sheet, std::uint64_t which) {
  Draw& draw = sheet.draw;
  const bool managed = which % 2 == 0;
  const std::uint64_t streams = draw.one_of({1, 2, 4}), chunk = draw.kib(256, 8 << 10);
  const std::uint64_t chunks = std::clamp<std::uint64_t>(draw.spread(1, 16), 1, (32 << 10) / chunk);
  const std::uint64_t kib = std::bit_ceil((chunk * chunks + 1023) / 1024) * 1024;
  sheet.line("buffer x {}MiB host={}", kib / 1024, managed ? "managed" : "mapped");
  sheet.streams("S", streams, true);
  const std::string part = fmt::format("x[{{i*{}}}KiB:{}KiB]", chunk, chunk);
  const bool ahead = draw.chance(70), back = draw.chance(60), touched = draw.chance(40);
  const std::uint64_t fma = draw.spread(1, 512);
  if (touched) sheet.line("host: touch x[0:{}KiB]", std::min<std::uint64_t>(chunk, 512));
  sheet.line("repeat {} as i {{", chunks);
  if (managed && ahead) sheet.line("  S{{i%{}}}: prefetch {} to=device", streams, part);
  sheet.line("  S{{i%{}}}: axpb {} fma={}", streams, part, fma);
  if (managed && back) sheet.line("  S{{i%{}}}: prefetch {} to=host", streams, part);
  sheet.line("}}");
}

void graphs(Sheet& sheet, std::uint64_t) {
  Draw& draw = sheet.draw;
  const std::uint64_t branches = draw.between(1, 4), nodes = draw.spread(2, 40), launches = draw.spread(1, 10);
  sheet.buffer("x", kStructureBuffer);
  sheet.line("stream A nonblocking");
  if (branches > 1) sheet.streams("B", branches - 1, true);
  sheet.line("graph G on A {{");
  sheet.line("  A: record f");
  for (std::uint64_t b = 0; b + 1 < branches; ++b) sheet.line("  B{}: wait f", b);
  for (std::uint64_t i = 0; i < nodes && sheet.microseconds() * launches < kLongestStructure; ++i) {
    const std::uint64_t branch = draw.below(branches);
    plain_work(sheet, branch == 0 ? std::string("A") : fmt::format("B{}", branch - 1), "x");
  }
  for (std::uint64_t b = 0; b + 1 < branches; ++b) {
    sheet.line("  B{}: record j{}", b, b);
    sheet.line("  A: wait j{}", b);
  }
  sheet.line("  A: spin 2us");
  sheet.line("}}");
  const bool between = draw.chance(40);
  sheet.line("repeat {} {{", launches);
  sheet.line("  A: launch G");
  if (between) sheet.line("  A: spin {}us", draw.spread(2, 60));
  sheet.line("}}");
}

void host_threads(Sheet& sheet, std::uint64_t) {
  Draw& draw = sheet.draw;
  const std::uint64_t threads = draw.between(1, 3);
  for (std::uint64_t t = 0; t <= threads; ++t) {
    sheet.buffer(fmt::format("x{}", t), kStructureBuffer);
    sheet.streams(fmt::format("S{}_", t), 2, true);
  }
  const auto work = [&](std::uint64_t t) {
    for (std::uint64_t i = draw.spread(4, 40); i > 0; --i) {
      const std::uint64_t s = draw.below(2);
      plain_work(sheet, fmt::format("S{}_{}", t, s), fmt::format("x{}", t));
      if (draw.chance(8)) sheet.line("  host: sync S{}_{}", t, s);
    }
  };
  for (std::uint64_t t = 1; t <= threads; ++t) {
    sheet.line("thread T{} {{", t);
    work(t);
    sheet.line("}}");
  }
  work(0);
  for (std::uint64_t t = 1; t <= threads; ++t) sheet.line("host: join T{}", t);
}

void allocation_in_streams(Sheet& sheet, std::uint64_t) {
  Draw& draw = sheet.draw;
  const std::uint64_t streams = draw.between(1, 4), count = draw.spread(2, 32), kib = draw.kib(4, 16 << 10);
  const std::uint64_t us = draw.spread(2, 120);
  const bool set = draw.chance(50);
  sheet.streams("S", streams, draw.chance(70));
  sheet.line("repeat {} as i {{", count);
  const std::string on = fmt::format("  S{{i%{}}}: ", streams);
  sheet.line("{}malloc t{{i}} {}KiB", on, kib);
  if (set) sheet.line("{}memset t{{i}} 1", on);
  sheet.line("{}axpb t{{i}} fma={}", on, Sheet::fma_for(kib, us));
  sheet.line("{}free t{{i}}", on);
  sheet.line("}}");
}

}  // namespace streamscope::calibration
