#include "app/window/widgets/page.h"

#include <algorithm>
#include <cmath>

namespace streamscope::window {
namespace {

float clamped(float scroll, float size, float seen) {
  return std::round(std::clamp(scroll, 0.0f, std::max(size - seen, 0.0f)));
}

float moved_to(float begin, float end, float scroll, float seen) {
  if (begin < scroll || end - begin > seen) return begin;
  return std::max(scroll, end - seen);
}

// Gives back the scroll that it asks for.
float scroll_bar(const char* name, const Box& at, bool across, float scroll, float size, float seen) {
  ImGui::SetNextWindowPos({at.x, at.y});
  ImGui::SetNextWindowSize({at.width, at.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  // Over the panels, which may not come to the front.
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleVar(4);
  ImGui::InvisibleButton("bar", {at.width, at.height});
  const float length = across ? at.width : at.height, grab = length * seen / size;
  const float a_pixel = (size - seen) / std::max(length - grab, 1.0f);  // of the mouse, in pixels of the page
  const float from = (across ? at.x : at.y) + scroll / a_pixel;
  const bool held = ImGui::IsItemActive();
  const ImU32 colour = ImGui::GetColorU32(held                     ? ImGuiCol_ScrollbarGrabActive
                                          : ImGui::IsItemHovered() ? ImGuiCol_ScrollbarGrabHovered
                                                                   : ImGuiCol_ScrollbarGrab);
  const float thick = across ? at.height : at.width, inset = std::round(thick * 0.2f);
  ImGui::GetWindowDrawList()->AddRectFilled(
      across ? ImVec2{from, at.y + inset} : ImVec2{at.x + inset, from},
      across ? ImVec2{from + grab, at.y + at.height - inset} : ImVec2{at.x + at.width - inset, from + grab}, colour,
      thick / 2);
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsItemActivated()) {
    const float mouse = across ? io.MousePos.x : io.MousePos.y;
    if (mouse < from || mouse > from + grab) scroll += (mouse - from - grab / 2) * a_pixel;
  } else if (held) {
    scroll += (across ? io.MouseDelta.x : io.MouseDelta.y) * a_pixel;
  } else if (ImGui::IsItemHovered()) {
    scroll -= (io.MouseWheel + io.MouseWheelH) * 0.15f * seen;
  }
  ImGui::End();
  return scroll;
}

}  // namespace

Box Page::place(ImVec2 window, ImVec2 least, float bar) {
  bar_ = bar;
  // A bar takes room, which may call for the other one.
  seen_ = window;
  for (int i = 0; i < 2; ++i)
    seen_ = {window.x - (least.y > seen_.y ? bar : 0), window.y - (least.x > seen_.x ? bar : 0)};
  size_ = {std::max(seen_.x, std::round(least.x)), std::max(seen_.y, std::round(least.y))};
  scroll_ = {clamped(scroll_.x, size_.x, seen_.x), clamped(scroll_.y, size_.y, seen_.y)};
  return {-scroll_.x, -scroll_.y, size_.x, size_.y};
}

void Page::bring_into_sight(const Box& part) {
  scroll_.x = moved_to(part.x + scroll_.x, part.x + scroll_.x + part.width, scroll_.x, seen_.x);
  scroll_.y = moved_to(part.y + scroll_.y, part.y + scroll_.y + part.height, scroll_.y, seen_.y);
}

void Page::bars(const Look& look) {
  ImGui::PushStyleColor(ImGuiCol_WindowBg, as_vector(mixed(look.theme.panel, look.theme.background, 0.5f)));
  if (size_.x > seen_.x)
    scroll_.x = scroll_bar("across", {0, seen_.y, seen_.x, bar_}, true, scroll_.x, size_.x, seen_.x);
  if (size_.y > seen_.y)
    scroll_.y = scroll_bar("down", {seen_.x, 0, bar_, seen_.y + (size_.x > seen_.x ? bar_ : 0)}, false, scroll_.y,
                           size_.y, seen_.y);
  ImGui::PopStyleColor();
}

}  // namespace streamscope::window
