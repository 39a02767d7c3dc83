// At the lower edge of the tracks: that there are more of them, which a click or the wheel on it scrolls to.
#pragma once

#include <string>

#include "app/window/panels/panel.h"
#include "app/window/widgets/box.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {

class MoreBelow {
 public:
  // Behind the plot's item. `bottom`: of the tracks; `lanes`: that lie below it.
  MoreBelow(const Panel& panel, const Box& place, float bottom, std::size_t lanes) {
    if (lanes == 0) return;
    words_ = tr_n("{} row more below", "{} rows more below", lanes, lanes);
    const ImVec2 size = ImGui::CalcTextSize(words_.c_str());
    const float air = size.y * 0.35f, mark = size.y;
    box_ = {place.x + (place.width - size.x - mark) / 2 - air, bottom - size.y - 2 * air, size.x + mark + 3 * air,
            size.y + 2 * air};
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    over_ = ImGui::IsItemHovered() && mouse.x >= box_.x && mouse.x < box_.x + box_.width && mouse.y >= box_.y &&
            mouse.y < box_.y + box_.height;
    fill_ = mixed(panel.look.theme.panel, panel.look.theme.selection, over_ ? 0.35f : 0.18f);
    ink_ = panel.look.theme.strong_text;
  }
  bool over() const { return over_; }
  void draw() const {
    if (words_.empty()) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float air = (box_.height - ImGui::GetTextLineHeight()) / 2, x = box_.x + air, y = box_.y + box_.height / 2;
    const float half = air * 0.8f, middle = x + ImGui::GetTextLineHeight() / 2;
    list.AddRectFilled({box_.x, box_.y}, {box_.x + box_.width, box_.y + box_.height}, packed(fill_), air);
    list.AddTriangleFilled({middle - half, y - half * 0.6f}, {middle + half, y - half * 0.6f},
                           {middle, y + half * 0.7f}, packed(ink_));
    list.AddText({x + ImGui::GetTextLineHeight() + air, box_.y + air}, packed(ink_), words_.c_str());
  }

 private:
  std::string words_;
  Box box_{};
  bool over_ = false;
  timeline::Colour fill_{}, ink_{};
};

}  // namespace streamscope::window
