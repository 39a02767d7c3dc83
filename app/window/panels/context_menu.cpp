#include "app/window/panels/context_menu.h"

#include <imgui.h>

#include <algorithm>

#include "app/timeline/kernel_inside.h"
#include "app/timeline/span_text.h"
#include "app/window/panels/timeline_panel.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

void operation_items(const Panel& panel, TimelinePanel& timeline, OperationIndex operation) {
  const State& state = panel.state;
  const std::optional<trace::Span> span = span_of(state, operation);
  if (!span) return;
  const trace::Trace& trace = state.runs.shown->run->trace;
  text(timeline::placed_text(trace, *span), panel.look.theme.faint_text);
  ImGui::Separator();
  if (ImGui::MenuItem(tr("Select it"))) panel.emit(command::Select{operation});
  if (ImGui::MenuItem(tr("Zoom to it"))) {
    panel.emit(command::Select{operation});
    timeline.frame(panel, span, std::nullopt);
  }
  if (span->line != 0 && ImGui::MenuItem(tr("Show line {} of the program", span->line).c_str())) {
    panel.emit(command::Select{operation});
    panel.emit(command::ShowLine{span->line});
  }
  if (timeline::can_record_stages(trace, *span) && ImGui::MenuItem(tr("Look inside it")))
    panel.emit(command::ToggleInside{operation});
  if (known(span->start) && known(span->end)) {
    if (ImGui::MenuItem(tr("Mark its interval"))) panel.emit(command::MarkInterval{{span->start, span->end}});
    if (ImGui::MenuItem(tr("Limit statistics to it")))
      panel.emit(command::SetRange{trace::Interval{span->start, span->end}});
  }
  if (ImGui::MenuItem(tr("Search for what is called so")))
    panel.emit(command::Search{std::string(timeline::span_name(trace, *span))});
  const OperationIndex cause = analysis::wait_cause(state.runs.shown->run->trace, *span).operation;
  if (cause != kNoOperation && ImGui::MenuItem(tr("To what it waited for"))) panel.emit(command::Select{cause});
  if (ImGui::MenuItem(tr("Help on {}", name(span->kind)).c_str()))
    panel.emit(command::ShowHelp{{std::string(name(span->kind)), {}}});
}

void track_items(const Panel& panel, const timeline::TrackKey& track) {
  const auto& choice = panel.state.timeline.choice;
  const bool pinned = std::ranges::find(choice.pinned, track) != choice.pinned.end();
  if (ImGui::MenuItem(pinned ? tr("Unpin this track") : tr("Pin this track above")))
    panel.emit(command::PinTrack{track, !pinned});
  if (ImGui::MenuItem(tr("Fold this group"))) panel.emit(command::CollapseGroup{track.kind, true});
}

}  // namespace

bool right_clicked() {
  const ImGuiIO& io = ImGui::GetIO();
  const float far = io.MouseDragThreshold * io.MouseDragThreshold;
  return ImGui::IsItemHovered() && ImGui::IsMouseReleased(ImGuiMouseButton_Right) &&
         io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Right] < far;
}

void ContextMenu::open(OperationIndex on, std::optional<timeline::TrackKey> of) {
  operation = on;
  track = of;
  ImGui::OpenPopup("context");
}

void ContextMenu::draw(const Panel& panel, TimelinePanel& timeline) {
  if (!begin_menu("context")) return;
  operation_items(panel, timeline, operation);
  if (track) {
    if (operation != kNoOperation) ImGui::Separator();
    track_items(panel, *track);
  }
  if (operation != kNoOperation || track) ImGui::Separator();
  if (ImGui::MenuItem(tr("Show the whole run"))) panel.emit(command::SetView{std::nullopt});
  if (ImGui::MenuItem(tr("Export a picture…"))) panel.emit(command::ShowExport{true});
  ImGui::EndPopup();
}

}  // namespace streamscope::window
