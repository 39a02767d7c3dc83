// Traces of any size for the timeline's benchmark: spans in lanes, with gaps of four shapes.
#pragma once

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "app/timeline/tracks.h"

namespace streamscope::bench {

inline double seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

enum class Shape : std::uint8_t { uniform, heavy, touching, isolated };
inline constexpr std::array kShapes{Shape::uniform, Shape::heavy, Shape::touching, Shape::isolated};
inline constexpr std::array kShapeNames{"uniform", "heavy-tailed", "touching", "isolated gaps"};
struct Data {
  std::size_t spans = 0;
  trace::Trace trace;
  timeline::Tracks rows;
  double tracks_ms = 0;
  const timeline::Lane& lane(std::size_t i) const { return rows.tracks[i].executing.front(); }
};

inline Data make(std::size_t spans, int lanes, Shape shape) {
  std::mt19937_64 random(spans + static_cast<std::size_t>(lanes));
  const auto below = [&](std::uint64_t limit) { return static_cast<Nanoseconds>(random() % limit); };
  const auto heavy = [&] {
    const double u = static_cast<double>(random() >> 11) * 0x1p-53;
    return static_cast<Nanoseconds>(std::min(100 / std::pow(1 - u, 1 / 1.1), 1e9));
  };
  Data data;
  data.spans = spans;
  data.trace.threads = {"main"};
  data.trace.names = {"copy in", "kernel", "copy out"};
  std::vector<Nanoseconds> now(static_cast<std::size_t>(lanes), 0);
  for (int i = 0; i < lanes; ++i) data.trace.streams.push_back({fmt::format("S{}", i)});
  std::vector<trace::Span> all(spans);
  for (std::size_t i = 0; i < spans; ++i) {
    trace::Span& span = all[i];
    span.operation = static_cast<OperationIndex>(i);
    span.stream = static_cast<std::uint32_t>(i % static_cast<std::size_t>(lanes));
    span.kind = std::array{OperationKind::h2d, OperationKind::kernel, OperationKind::d2h}[random() % 3];
    span.name = static_cast<std::uint32_t>(random() % 3);
    Nanoseconds gap = 0, length = 100 + below(2000);
    if (shape == Shape::uniform) gap = below(2000);
    if (shape == Shape::heavy) gap = heavy(), length = heavy();
    if (shape == Shape::isolated && below(1000) == 0) gap = below(4'000'000);
    Nanoseconds& time = now[span.stream];
    span.start = time += gap;
    span.end = time += length;
  }
  data.trace.packed = std::make_shared<const trace::PackedSpans>(std::move(all));
  const double begin = seconds(CLOCK_MONOTONIC);
  data.rows = timeline::tracks(data.trace);
  data.tracks_ms = (seconds(CLOCK_MONOTONIC) - begin) * 1e3;
  return data;
}

}  // namespace streamscope::bench
