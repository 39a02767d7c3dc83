// Items from left to right; what does not fit goes to the next line, and what has no room on the last line into a list.
#pragma once

#include <limits>

#include "app/window/widgets/box.h"

namespace streamscope::window {

class Flow {
 public:
  // At most so many lines, with so much room kept at the right of the last one.
  explicit Flow(const Box& place, int lines = std::numeric_limits<int>::max(), float kept = 0)
      : right_(place.x + place.width - ImGui::GetStyle().WindowPadding.x), kept_(kept), lines_(lines) {}

  // Whether the next item is to be drawn here and now.
  bool next(float width, float gap = 0) {
    const int index = asked_++;
    if (in_list_) return index >= shown_;
    if (shown_ < index) return false;  // one before it had no room
    if (shown_ > 0 && !aligned_) {
      ImGui::SameLine(0, ImGui::GetStyle().ItemSpacing.x + gap);
      if (ImGui::GetCursorScreenPos().x + width > edge()) {
        if (line_ >= lines_) return false;
        ImGui::NewLine();
        ++line_;
      }
    }
    aligned_ = false;
    ++shown_;
    return true;
  }
  bool full() const { return shown_ < asked_; }
  // For drawing the same items once more, where each has a line of its own: those that had no room.
  Flow list() const {
    Flow out = *this;
    out.in_list_ = true;
    out.asked_ = 0;
    return out;
  }
  // So that items of this width end at the right edge, where there is room. They have room on the last line.
  void to_right(float width) {
    ImGui::SameLine();
    if (ImGui::GetCursorScreenPos().x + width > right_ && line_ < lines_) ImGui::NewLine();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (right_ - width > at.x) ImGui::SetCursorScreenPos({right_ - width, at.y});
    shown_ = asked_;
    kept_ = 0;
    aligned_ = true;
  }

 private:
  float edge() const { return line_ < lines_ ? right_ : right_ - kept_; }

  float right_, kept_;
  int lines_, line_ = 1;
  int asked_ = 0, shown_ = 0;
  bool in_list_ = false;
  bool aligned_ = false;  // the next one stands where the cursor is
};

}  // namespace streamscope::window
