#include "app/window/panels/status_bar.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {

void status_bar(const Panel& panel, const Box& place) {
  const State& state = panel.state;
  const timeline::Theme& theme = panel.look.theme;
  ImGui::PushStyleColor(ImGuiCol_WindowBg, as_vector(mixed(theme.panel, theme.background, 0.5f)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ImGui::GetStyle().WindowPadding.x, 4 * panel.look.scale});
  begin_panel("Status", place);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();

  std::string engine;
  timeline::Colour dot = theme.faint_text;
  switch (state.running.engine) {
    case EngineStatus::starting: engine = tr("engine starting…"); break;
    case EngineStatus::lost:
      engine = tr("no engine");
      dot = theme.error;
      break;
    case EngineStatus::up:
      engine = tr("engine ready");
      dot = theme.measured;
      if (state.running.in_progress != 0) {
        engine = state.running.passes_total > 1
                     ? tr("running, pass {} of {}", std::min(state.running.passes_done + 1, state.running.passes_total),
                          state.running.passes_total)
                     : tr("running");
        dot = theme.selection;
      }
      break;
  }
  if (state.running.live) engine = tr("live · {}", engine);
  const float height = ImGui::GetTextLineHeight();
  const float width = width_of(engine) + height;
  const float start = ImGui::GetCursorPosX();
  const float room = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  // Only the first line: longer messages are in the tooltip.
  const std::string said = state.status.text.substr(0, state.status.text.find('\n'));
  ImGui::PushClipRect(at, {at.x + room - width - height, at.y + height * 1.2f}, true);
  text(said, state.status.error ? theme.error : theme.text);
  ImGui::PopClipRect();
  if (!state.status.text.empty() && ImGui::IsItemHovered()) tooltip(state.status.text);
  ImGui::SameLine(start + room - width);
  const ImVec2 mark = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddCircleFilled({mark.x + height * 0.4f, mark.y + height * 0.54f}, height * 0.25f,
                                              packed(dot), 16);
  ImGui::SameLine(start + room - width + height);
  text(engine, theme.faint_text);
  if (!state.running.engine_program.empty() && ImGui::IsItemHovered()) tooltip(state.running.engine_program);
  ImGui::End();
}

}  // namespace streamscope::window
