#include "tests/support/observed_window/widget_places.h"

#include <imgui.h>
// Dear ImGui before its inner parts.
#include <imgui_internal.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace streamscope::tests {
namespace {

std::unordered_map<ImGuiID, std::string> names;
std::map<std::string, WidgetPlace> places;

// "two runs_1A2B3C4D" is the child window "two runs", "##Combo_00" the list of a combo box.
std::string without_number(std::string_view part) {
  if (part.starts_with("##")) part.remove_prefix(2);
  const std::size_t end = part.rfind('_');
  if (end == std::string_view::npos || end + 1 == part.size()) return std::string(part);
  const std::string_view number = part.substr(end + 1);
  const bool is = std::all_of(number.begin(), number.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
  return std::string(is ? part.substr(0, end) : part);
}

std::string name_of(const ImGuiWindow& window) {
  std::string out;
  for (std::string_view rest = window.Name; !rest.empty();) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    if (!out.empty()) out += '/';
    out += without_number(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

// The name of what has this label in the window now; what stands behind "##" is not shown and names what has no text.
std::string below(const ImGuiWindow& window, std::string_view label) {
  const auto group = names.find(window.IDStack.back());
  std::string out = group == names.end() ? name_of(window) : group->second;
  const std::size_t hidden = label.find("##");
  const std::string_view own = hidden == 0 ? label.substr(2) : label.substr(0, hidden);
  if (own == "button") return out;  // sign_button(): its label is the group's
  return out + "/" + std::string(own);
}

std::string_view text_of(const char* begin, const char* end) {
  return end == nullptr ? std::string_view(begin) : std::string_view(begin, static_cast<std::size_t>(end - begin));
}

WidgetPlace place_of(ImVec2 from, ImVec2 to) { return {from.x, from.y, to.x - from.x, to.y - from.y}; }

}  // namespace

std::map<std::string, WidgetPlace> take_widget_places() {
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (window->Active && (window->Flags & ImGuiWindowFlags_ChildWindow) != 0)
      places[name_of(*window)] =
          place_of(window->Pos, {window->Pos.x + window->Size.x, window->Pos.y + window->Size.y});
  return std::exchange(places, {});
}

}  // namespace streamscope::tests

using namespace streamscope::tests;

// As the compilers of Linux name them: ImGuiWindow::GetID(const char*, const char*), ImGui::PushID(const char*),
// ImGui::PushID(int), ImGui::ItemAdd(const ImRect&, ImGuiID, const ImRect*, ImGuiItemFlags).
extern "C" {
ImGuiID __real__ZN11ImGuiWindow5GetIDEPKcS1_(ImGuiWindow* window, const char* begin, const char* end);
void __real__ZN5ImGui6PushIDEPKc(const char* label);
void __real__ZN5ImGui6PushIDEi(int number);
bool __real__ZN5ImGui7ItemAddERK6ImRectjPS1_i(const ImRect& box, ImGuiID id, const ImRect* navigation, int flags);

ImGuiID __wrap__ZN11ImGuiWindow5GetIDEPKcS1_(ImGuiWindow* window, const char* begin, const char* end) {
  const ImGuiID id = __real__ZN11ImGuiWindow5GetIDEPKcS1_(window, begin, end);
  names[id] = below(*window, text_of(begin, end));
  return id;
}

void __wrap__ZN5ImGui6PushIDEPKc(const char* label) {
  ImGuiWindow& window = *ImGui::GetCurrentWindow();
  std::string name = below(window, label);
  __real__ZN5ImGui6PushIDEPKc(label);
  names[window.IDStack.back()] = std::move(name);
}

void __wrap__ZN5ImGui6PushIDEi(int number) {
  ImGuiWindow& window = *ImGui::GetCurrentWindow();
  std::string name = below(window, std::to_string(number));
  __real__ZN5ImGui6PushIDEi(number);
  names[window.IDStack.back()] = std::move(name);
}

bool __wrap__ZN5ImGui7ItemAddERK6ImRectjPS1_i(const ImRect& box, ImGuiID id, const ImRect* navigation, int flags) {
  const ImGuiWindow& window = *ImGui::GetCurrentContext()->CurrentWindow;
  if (const auto name = names.find(id); id != 0 && name != names.end()) {
    // A table's row is as wide as all its columns, of which some may be out of sight.
    const float left = std::max(box.Min.x, window.Pos.x), right = std::min(box.Max.x, window.Pos.x + window.Size.x);
    places[name->second] = place_of({left, box.Min.y}, {std::max(left, right), box.Max.y});
  }
  return __real__ZN5ImGui7ItemAddERK6ImRectjPS1_i(box, id, navigation, flags);
}
}
