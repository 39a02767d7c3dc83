#include "app/window/panels/run_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/timeline/span_text.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/state/undo.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

std::string head_text(const State& state) {
  const ShownRun& shown = *state.runs.shown;
  std::string text = shown.number == 0 ? tr("Run in progress") : tr("Run {}", shown.number);
  if (const auto named = state.runs.names.find(shown.number); named != state.runs.names.end())
    timeline::add_part(text, named->second);
  timeline::add_part(text, shown.about);
  timeline::add_part(text, shown.run->trace.provenance.device);
  timeline::add_part(text, shown.besides);  // what is cut first where there is no room
  return text;
}

// In smaller letters where it does not fit; then as much as fits, the rest in its tooltip.
void line(const Panel& panel, std::string_view words, float room, timeline::Colour ink) {
  ImGui::AlignTextToFramePadding();
  const bool small = width_of(words) > room;
  if (small) push_font(panel.look.fonts.small);
  const std::string shown = elided(words, room);
  text(shown, ink);
  if (small) ImGui::PopFont();
  if (shown != words && ImGui::IsItemHovered()) tooltip(words);
}

}  // namespace

float run_head_height(const Panel& panel) {
  return panel.state.runs.shown ? std::round(ImGui::GetFrameHeight() + 4 * panel.look.scale) : 0;
}

void run_head(const Panel& panel, const Box& place) {
  const timeline::Theme& theme = panel.look.theme;
  const std::string differs = differs_from_run(panel.state);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ImGui::GetStyle().WindowPadding.x, 2 * panel.look.scale});
  begin_panel("Head", place);
  ImGui::PopStyleVar();
  const float gap = ImGui::GetStyle().ItemSpacing.x, room = ImGui::GetContentRegionAvail().x;
  if (differs.empty()) {
    line(panel, head_text(panel.state), room, theme.text);
    ImGui::End();
    return;
  }
  const char* const use = tr("Use this run's settings");
  const std::string words = tr("The controls now say: {}", differs);
  const float button = sign_button_width(use, Sign::none);
  // The run keeps a third of the line at least.
  const float strip = std::min(width_of(words) + button + 3 * gap, room * 0.66f);
  line(panel, head_text(panel.state), room - strip - gap, theme.text);
  const ImVec2 corner{place.x + place.width - strip - ImGui::GetStyle().WindowPadding.x, place.y};
  ImGui::GetWindowDrawList()->AddRectFilled(corner, {place.x + place.width, place.y + place.height},
                                            packed(mixed(theme.panel, theme.warning, 0.16f)));
  ImGui::SameLine();
  ImGui::SetCursorScreenPos({corner.x + gap, ImGui::GetCursorScreenPos().y});
  line(panel, words, strip - button - 2 * gap, theme.text);
  ImGui::SameLine();
  ImGui::SetCursorScreenPos({place.x + place.width - button - gap, ImGui::GetCursorScreenPos().y});
  if (ImGui::Button(use)) panel.emit(command::UseRunSettings{});
  if (ImGui::IsItemHovered())
    tooltip(tr("Sets the controls and the program to what this run was made with (Ctrl Z takes that back)"));
  ImGui::End();
}

}  // namespace streamscope::window
