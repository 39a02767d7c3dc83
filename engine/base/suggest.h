// "did you mean": the known word nearest to an unknown one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace streamscope {

// Insertions, deletions, replacements and swaps of neighbours that turn one into the other; upper and lower case count
// as one. Words longer than 64 letters are infinitely far from all others, so that long input costs nothing.
std::size_t edit_distance(std::string_view left, std::string_view right);

// The candidate at most a third of its letters away (one at least), the first of equals; empty for none. A beginning of
// one, and one with a part more, are one letter away: "depth" of "depth-first", "chunk_size" of "chunk".
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

// "; did you mean 'repeat'?", or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace streamscope
