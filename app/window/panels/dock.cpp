#include "app/window/panels/dock.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

using command::Dock;

struct Tab {
  Dock dock;
  const char* label;
  const char* meaning;
};
constexpr Tab kTabs[] = {
    {Dock::program, tr_later("Program"), tr_later("The stream program behind the run (3)")},
    {Dock::operations, tr_later("Operations"), tr_later("All operations as a table, and a histogram of them (4)")},
    {Dock::compare, tr_later("Compare"), tr_later("The runs kept, and two of them side by side (5)")},
    {Dock::slow_motion, tr_later("Slow motion"),
     tr_later("What every stream and engine does at one instant, and what waits for what (6)")},
    {Dock::waits, tr_later("Waits"), tr_later("What the operations waited for, and for how long in all (7)")},
    {Dock::sweep, tr_later("Sweep"), tr_later("The experiment over the values of one or two of its keys (8)")},
    {Dock::totals, tr_later("Totals"), tr_later("How often each name comes, and how long all of it took (9)")},
};

}  // namespace

float dock_tabs(const Panel& panel, const Box& place) {
  const State& state = panel.state;
  const timeline::Theme& theme = panel.look.theme;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, 0);
  begin_panel("Dock tabs", place);
  ImGui::PopStyleVar(3);  // for the panel alone: a tooltip has its own
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  // Closer together where so all of them have room on one line.
  float words = 0;
  for (const Tab& tab : kTabs) words += width_of(tr(tab.label));
  const float em = ImGui::GetFontSize(), usual = 2.4f * ImGui::GetStyle().FramePadding.x + em * 0.6f;
  const float fitting = std::floor((place.width - words) / static_cast<float>(std::size(kTabs)));
  const float air = fitting >= em * 0.8f ? std::min(fitting, usual) : usual;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({place.x, place.y}, {place.x + place.width, place.y + place.height},
                     packed(mixed(theme.panel, theme.background, 0.5f)));
  for (const Tab& tab : kTabs) {
    const bool chosen = state.workspace.dock == tab.dock;
    const char* const label = tr(tab.label);
    const ImVec2 size{width_of(label) + air, ImGui::GetFrameHeight()};
    // What does not fit goes to the next line.
    if (&tab != kTabs && ImGui::GetCursorScreenPos().x + size.x > place.x + place.width) ImGui::NewLine();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (ImGui::InvisibleButton(tab.label, size)) panel.emit(command::ShowDock{tab.dock});
    const bool hovered = ImGui::IsItemHovered();
    const timeline::Colour ground = chosen    ? theme.panel
                                    : hovered ? mixed(theme.panel, theme.background, 0.2f)
                                              : mixed(theme.panel, theme.background, 0.5f);
    list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, packed(ground));
    if (chosen) list.AddRectFilled(at, {at.x + size.x, at.y + 2 * panel.look.scale}, packed(theme.selection));
    list.AddText({at.x + air / 2, at.y + (size.y - ImGui::GetTextLineHeight()) / 2},
                 packed(chosen ? theme.strong_text : theme.faint_text), label);
    if (hovered) tooltip_below(tr(tab.meaning));
    ImGui::SameLine();
  }
  const float height = ImGui::GetItemRectMax().y - place.y;
  ImGui::End();
  ImGui::PopStyleVar();
  return height;
}

}  // namespace streamscope::window
