// Items from left to right; what does not fit goes to the next line.
#pragma once

#include "app/window/widgets/box.h"

namespace streamscope::window {

class Flow {
 public:
  explicit Flow(const Box& place) : right_(place.x + place.width - ImGui::GetStyle().WindowPadding.x) {}
  void next(float width, float gap = 0) {
    if (!first_) {
      ImGui::SameLine(0, ImGui::GetStyle().ItemSpacing.x + gap);
      if (ImGui::GetCursorScreenPos().x + width > right_) ImGui::NewLine();
    }
    first_ = false;
  }
  // So that items of this width end at the right edge, where there is room.
  void to_right(float width) {
    ImGui::SameLine();
    if (ImGui::GetCursorScreenPos().x + width > right_) ImGui::NewLine();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (right_ - width > at.x) ImGui::SetCursorScreenPos({right_ - width, at.y});
    first_ = true;
  }

 private:
  float right_;
  bool first_ = true;
};

}  // namespace streamscope::window
