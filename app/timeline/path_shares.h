// What the critical path is made of, kind by kind, and in words.
#pragma once

#include <string>
#include <vector>

#include "engine/verdict/critical_path.h"

namespace streamscope::timeline {

struct PathShare {
  verdict::PieceKind kind = verdict::PieceKind::execution;
  Nanoseconds time = 0;
  int percent = 0;
  friend bool operator==(const PathShare&, const PathShare&) = default;
};
// The largest first. Percents sum to 100, unless the path is empty: what rounding leaves over goes to those that it cut
// most.
std::vector<PathShare> path_shares(const verdict::Path& path);

enum class PathTimes : std::uint8_t { shown, left_out };
// "execution 5.1 ms (86 %), hand-over 0.8 ms (14 %)"; without times, and then without what is less than half a percent,
// "execution 86 %, hand-over 14 %".
std::string path_shares_text(const verdict::Path& path, PathTimes times);

std::string_view words_of(verdict::PieceKind kind);  // translated

}  // namespace streamscope::timeline
