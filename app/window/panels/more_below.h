// A line below the timeline's picture: that there are more rows, to which a click or the wheel on it scrolls.
#pragma once

#include <algorithm>
#include <string>

#include "app/window/panels/panel.h"
#include "app/window/widgets/box.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {

inline float more_below_height(const Look& look) { return std::round(ImGui::GetTextLineHeight() + 4 * look.scale); }

// By how many pixels it scrolls. `lanes`: that lie below the picture; `page`: pixels of a click.
inline int more_below(const Panel& panel, const Box& place, std::size_t lanes, int page) {
  const std::string words = tr_n("{} row more below", "{} rows more below", lanes, lanes);
  ImGui::SetCursorScreenPos({place.x, place.y});
  const bool pressed = ImGui::InvisibleButton("below", {place.width, place.height});
  const bool over = ImGui::IsItemHovered();
  const float line = ImGui::GetTextLineHeight(), half = line * 0.28f;
  const float x = std::round(place.x + (place.width - width_of(words) - line * 1.2f) / 2);
  const float y = std::round(place.y + (place.height - line) / 2), middle = y + line / 2;
  const timeline::Theme& theme = panel.look.theme;
  const ImU32 ink = packed(over ? theme.strong_text : theme.text);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({place.x, place.y}, {place.x + place.width, place.y + place.height},
                     packed(mixed(theme.panel, theme.selection, over ? 0.35f : 0.18f)));
  list.AddTriangleFilled({x, middle - half * 0.6f}, {x + 2 * half, middle - half * 0.6f},
                         {x + half, middle + half * 0.7f}, ink);
  list.AddText({x + line * 1.2f, y}, ink, words.c_str());
  return (pressed ? page : 0) - (over ? static_cast<int>(ImGui::GetIO().MouseWheel * static_cast<float>(page) / 5) : 0);
}

}  // namespace streamscope::window
