// All texts that Dear ImGui draws, as they are given to its draw lists.
#pragma once

#include <imgui.h>

#include <set>
#include <string>
#include <vector>

namespace streamscope::testing {

std::set<std::string> take_drawn_texts();  // those since the last call

// A text of which a part is drawn outside of its place, or lies over another. What a bar at its window's edge scrolls
// into sight is not misplaced.
struct MisplacedText {
  std::string text, window;
  std::string how;  // "right by 12", "over: Other text"
  friend auto operator<=>(const MisplacedText&, const MisplacedText&) = default;
};
// Of the last frame.
std::set<MisplacedText> misplaced_texts();

// Of the last frame, in windows with one of these names (of children, as they are given): lines that the upper or
// lower edge cuts.
std::set<MisplacedText> cut_lines(const std::set<std::string>& windows);

// Of the last frame: what ends with an ellipsis, and where the mouse is over it.
struct ElidedText {
  std::string text, window;
  ImVec2 at;
};
std::vector<ElidedText> elided_texts();

}  // namespace streamscope::testing
