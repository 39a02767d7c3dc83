#include "app/window/panels/present_panel.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/timeline/provenance.h"
#include "app/timeline/span_text.h"
#include "app/window/panels/help_answer.h"
#include "app/window/state/run_requests.h"
#include "app/window/state/run_verdicts.h"
#include "app/window/state/undo.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/experiment/experiment.h"

namespace streamscope::window {
namespace {

// What the run is to show: the experiment's own words, as long as the run in view is what is set.
std::string lesson(const State& state) {
  if (!state.runs.shown->setup || state.editing.edited || !differs_from_run(state).empty()) return {};
  const std::string& about =
      state.editing.own_program ? state.editing.own.content.about : state.editing.experiment.about;
  return experiment::in_own_language(about);
}

// Why it took so long: the first of the reasons.
std::string reason(const State& state) {
  const auto verdict = verdict_in_view(state);
  return has_entries(verdict.get()) && !hides_verdict(state.lesson) ? verdict->explained->verdict.entries.front().text : std::string();
}

}  // namespace

float present_bar(const Panel& panel, const Box& place) {
  const State& state = panel.state;
  begin_panel("Present", place, ImGuiWindowFlags_NoScrollWithMouse);
  const auto press = [&](const char* label, Sign sign, bool lit, const std::string& why_not, const char* meaning) {
    const Disabled disabled(why_not);
    const bool pressed = sign_button(panel.look, label, sign, lit);
    disabled.explain(meaning);
    ImGui::SameLine();
    return pressed;
  };
  if (press(tr("Run"), Sign::play, false, why_not_run(state), tr("Run the program below (Space)")))
    panel.emit(command::RunNow{});
  if (press(tr("Live"), Sign::live, state.running.live, state.running.live ? "" : why_not_run(state),
            tr("Run again and again, like an oscilloscope (L)")))
    panel.emit(command::ToggleLive{});
  const char* const end = tr("End");
  const float end_width = sign_button_width(end, Sign::none), spacing = ImGui::GetStyle().ItemSpacing.x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = place.x + place.width - ImGui::GetStyle().WindowPadding.x;
  float badge_width = 0;
  std::string_view badge_words;
  if (state.runs.shown) {
    badge_words = tr(trace::badge(state.runs.shown->run->trace.provenance));
    badge_width = sign_button_width(std::string(badge_words).c_str(), Sign::none) + spacing;
    std::string words = state.runs.shown->about;
    timeline::add_part(words, state.runs.shown->run->trace.provenance.device);
    ImGui::AlignTextToFramePadding();
    text(elided(words, right - at.x - end_width - badge_width - 2 * spacing), panel.look.theme.text);
    ImGui::SameLine();
  }
  ImGui::SetCursorScreenPos({right - end_width - badge_width, at.y});
  if (state.runs.shown) {
    badge(badge_words, timeline::badge_colour(state.runs.shown->run->trace.provenance, panel.look.theme),
          ImGui::GetStyle().FramePadding, ImGui::GetStyle().FrameRounding);
    ImGui::SameLine();
    ImGui::SetCursorScreenPos({right - end_width, at.y});
  }
  if (ImGui::Button(end)) panel.emit(command::Present{false});
  if (ImGui::IsItemHovered()) tooltip(tr("Back to all panels (F5)"));
  help_here(panel, "F5", help::Kind::key);
  const float needed = ImGui::GetItemRectMax().y - place.y + ImGui::GetStyle().WindowPadding.y;
  ImGui::End();
  return needed;
}

float present_caption(const Panel& panel, const Box& place) {
  const State& state = panel.state;
  if (!state.runs.shown) return 0;
  begin_panel("Caption", place, ImGuiWindowFlags_NoScrollWithMouse);
  const Nanoseconds makespan = state.runs.shown->analysis.makespan;
  const std::string about = lesson(state), why = reason(state);
  // Two lines of each: a caption is read while somebody speaks.
  const float room = ImGui::GetContentRegionAvail().x;
  const auto lines = [&](const std::string& words, timeline::Colour ink, const SizedFont* font) {
    if (words.empty()) return;
    const float line = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size = ImGui::CalcTextSize(words.c_str(), nullptr, false, room);
    const float height = std::min(size.y, 2 * line);
    ImGui::PushClipRect(at, {at.x + room, at.y + height}, true);
    wrapped(words, ink, font);
    ImGui::PopClipRect();
    if (size.y > height && ImGui::IsItemHovered()) tooltip(words);
    ImGui::SetCursorScreenPos({at.x, at.y + height + ImGui::GetStyle().ItemSpacing.y * 0.5f});
  };
  if (!about.empty()) lines(about, panel.look.theme.text, nullptr);
  const std::string found = known(makespan) && makespan > 0 ? display_duration(makespan) : std::string();
  lines(why.empty()     ? found
        : found.empty() ? why
                        : tr("{}: {}", found, why),
        panel.look.theme.strong_text, nullptr);
  const float needed = ImGui::GetCursorScreenPos().y - place.y + ImGui::GetStyle().WindowPadding.y * 0.5f;
  ImGui::End();
  return needed;
}

}  // namespace streamscope::window
