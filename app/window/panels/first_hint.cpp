#include "app/window/panels/first_hint.h"

#include <algorithm>
#include <array>
#include <span>

#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

struct Step {
  const char* what;
  const char* meaning;
};
constexpr std::array kSteps{
    Step{tr_later("Streams"), tr_later("Drag this slider at the left, and see copies and kernels overlap.")},
    Step{tr_later("F1"), tr_later("explains what is under the mouse, or the word at the cursor in the program.")},
    Step{tr_later("Ctrl Shift P"), tr_later("finds every command, experiment, program and lesson by a word of it.")},
    Step{tr_later("F5"), tr_later("shows the timeline large, for a lecture; again: all panels.")},
};

}  // namespace

void first_hint(const Panel& panel, const Box& over) {
  if (!panel.state.workspace.hint_open || panel.state.workspace.presenting) return;
  const timeline::Theme& theme = panel.look.theme;
  const float em = ImGui::GetFontSize();
  const float width = std::min(em * 36, over.width - 2 * em);
  ImGui::SetNextWindowPos({over.x + over.width / 2, over.y + over.height - 2.6f * em}, ImGuiCond_Always, {0.5f, 1});
  ImGui::SetNextWindowSize({width, 0});
  ImGui::PushStyleColor(ImGuiCol_Border, as_vector(theme.selection));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 5 * panel.look.scale);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {em, em * 0.8f});
  // The mouse goes through it: a click closes it and does what it would do without it.
  ImGui::Begin("Where to begin", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
  text(tr("Where to begin"), theme.strong_text, &panel.look.fonts.strong);
  ImGui::Spacing();
  float keys = 0;
  // A program that came from a file has no controls at the left.
  const std::span<const Step> steps = std::span(kSteps).subspan(panel.state.editing.own_program ? 1 : 0);
  for (const Step& each : steps) keys = std::max(keys, width_of(tr(each.what)));
  const float left = ImGui::GetCursorPosX();
  for (const Step& each : steps) {
    text(tr(each.what), theme.selection);
    ImGui::SameLine(left + keys + em);
    wrapped(tr(each.meaning));
  }
  ImGui::Spacing();
  wrapped(tr("A click, Esc or the first change closes this, and it does not come again."), theme.faint_text);
  ImGui::End();
  const bool clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsMouseClicked(ImGuiMouseButton_Right) ||
                       ImGui::IsMouseClicked(ImGuiMouseButton_Middle);
  if (clicked) panel.emit(command::ShowHint{false});
}

}  // namespace streamscope::window
