#include "app/window/panels/slow_motion_panel.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/window/panels/slow_motion_columns.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/state/playhead.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

void transport(const Panel& panel) {
  const State& state = panel.state;
  const timeline::Tracks& tracks = state.runs.shown->tracks;
  const float space = ImGui::GetStyle().ItemInnerSpacing.x;
  const auto button = [&](const char* label, Sign sign, const char* meaning, bool lit = false) {
    const bool pressed = sign_button(panel.look, label, sign, lit);
    if (ImGui::IsItemHovered()) tooltip(meaning);
    ImGui::SameLine(0, space);
    return pressed;
  };
  if (button("##begin", Sign::begin, tr("To the begin of the run"))) panel.emit(command::SetPlayhead{tracks.begin});
  if (button("##back", Sign::back, tr("To the event before: the start or end of an operation or a host call")))
    step_playhead(panel, -1);
  if (button("##play", state.slow_motion.playing ? Sign::pause : Sign::play,
             state.slow_motion.playing ? tr("Stand still")
                                       : tr("Let time pass; at the end of the run: from the beginning"),
             state.slow_motion.playing))
    toggle_play(panel);
  if (button("##forward", Sign::forward, tr("To the next event"))) step_playhead(panel, 1);
  ImGui::SameLine(0, space * 3);
  const std::string time = tr("{} of {}", display_duration(elapsed(tracks.begin, looked_at(state))),
                              display_duration(elapsed(tracks.begin, tracks.end)));
  push_font(panel.look.fonts.strong);
  const float wide = width_of(tr("{} of {}", "000.0 ms", "000.0 ms"));
  const float rest = ImGui::GetContentRegionAvail().x - wide - space * 3;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::AlignTextToFramePadding();
  text(time, known(state.slow_motion.playhead) ? panel.look.theme.playhead : panel.look.theme.faint_text);
  ImGui::PopFont();
  if (rest < 60 * panel.look.scale) return;
  // Faster to the right.
  ImGui::SetCursorScreenPos({at.x + wide + space * 3, at.y});
  ImGui::SetNextItemWidth(std::min(rest, 420 * panel.look.scale));
  int step = kSpeeds - 1 - step_of(state.slow_motion.times_slower);
  const Nanoseconds run = elapsed(tracks.begin, tracks.end);
  std::string words = speed_text(state.slow_motion.times_slower, run);
  if (width_of(words) > std::min(rest, 420 * panel.look.scale)) words = words.substr(0, words.find(':'));
  if (slider(panel.look, "##speed", step, 0, kSpeeds - 1, words))
    panel.emit(command::SetSpeed{speed(kSpeeds - 1 - step)});
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive()) tooltip(speed_text(state.slow_motion.times_slower, run));
}

}  // namespace

void toggle_play(const Panel& panel) { panel.emit(command::Play{!panel.state.slow_motion.playing}); }

void step_playhead(const Panel& panel, int direction) {
  const State& state = panel.state;
  const timeline::InstantIndex* index = instants(state);
  if (!state.runs.shown) return;
  if (state.slow_motion.playing) panel.emit(command::Play{false});
  if (index == nullptr) {  // not made yet: with a playhead it will be
    panel.emit(command::SetPlayhead{looked_at(state)});
    return;
  }
  const trace::Trace& trace = state.runs.shown->run->trace;
  const Nanoseconds from = looked_at(state);
  const Nanoseconds to =
      direction > 0 ? timeline::event_after(trace, *index, from) : timeline::event_before(trace, *index, from);
  if (known(to)) panel.emit(command::SetPlayhead{to});
}

void slow_motion_panel(const Panel& panel, const Box& place) {
  const State& state = panel.state;
  begin_panel("slow_motion", place);
  if (!state.runs.shown) {
    text(tr("No run yet: what it does at one instant is shown here."), panel.look.theme.faint_text);
    ImGui::End();
    return;
  }
  transport(panel);
  ImGui::BeginChild("instant", {0, 0});
  const trace::Trace& trace = state.runs.shown->run->trace;
  const timeline::InstantIndex* index = instants(state);
  if (index == nullptr)
    text(tr("The operations are being sorted by time…"), panel.look.theme.faint_text);
  else
    instant_columns(panel, trace, timeline::instant(trace, *index, looked_at(state)));
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace streamscope::window
