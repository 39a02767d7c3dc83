#include "app/window/panels/compare_history.h"

#include <fmt/format.h>
#include <imgui.h>
// Dear ImGui first: this one does not include it.
#include <imgui_stdlib.h>

#include <ctime>

#include "app/timeline/contrast.h"
#include "app/window/panels/context_menu.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

// The local time of "2026-11-21T10:00:00Z"; empty where it is something else.
std::string time_of_day(const std::string& date) {
  std::tm utc{};
  if (strptime(date.c_str(), "%Y-%m-%dT%H:%M:%SZ", &utc) == nullptr) return {};
  const std::time_t at = timegm(&utc);
  std::tm here{};
  if (localtime_r(&at, &here) == nullptr) return {};
  char words[16];
  const std::size_t size = std::strftime(words, sizeof words, "%H:%M:%S", &here);
  return {words, size};
}

// One line, cut with an ellipsis where it is too wide.
void cut_text(const SizedFont& font, ImVec2 at, float width, timeline::Colour ink, const std::string& words) {
  push_font(font);
  ImGui::GetWindowDrawList()->AddText(at, packed(ink), elided(words, width).c_str());
  ImGui::PopFont();
}

}  // namespace

void CompareHistory::name_field(const Panel& panel, const ShownRun& run) {
  const bool begins = naming_ != run.number;
  if (begins) {
    naming_ = run.number;
    name_ = run_name(panel.state.runs, run);
    ImGui::SetKeyboardFocusHere();
  }
  ImGui::SetNextItemWidth(-FLT_MIN);
  const bool entered =
      ImGui::InputText("##name", &name_, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  if (entered || (!begins && ImGui::IsItemDeactivated())) {
    // Its own label is no name. Esc brings back what stood there.
    panel.emit(command::RenameRun{run.number, name_ == run.label ? std::string() : name_});
    naming_ = kNoRun;
  }
}

void CompareHistory::run_row(const Panel& panel, std::size_t index, float tall) {
  const State& state = panel.state;
  const timeline::Theme& theme = panel.look.theme;
  const ShownRun& run = *state.runs.all[index];
  const bool shown = state.runs.all[index] == state.runs.shown,
             compared = state.runs.all[index] == state.comparison.second;
  const float scale = panel.look.scale, pad = 4 * scale, line = ImGui::GetTextLineHeight();
  ImGui::PushID(static_cast<int>(run.number));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, mark = line * 1.5f;
  ImDrawList& list = *ImGui::GetWindowDrawList();

  // Before it a ring, which marks the compared run.
  if (ImGui::InvisibleButton("compare", {mark, tall}) && !shown)
    panel.emit(command::CompareWith{compared ? kNoRun : run.number});
  const bool on_ring = ImGui::IsItemHovered();
  if (on_ring)
    tooltip(shown      ? tr("The run in view")
            : compared ? tr("The compared run; a click takes it away")
                       : tr("Compare it with the run in view"));
  ImGui::SameLine(0, 0);
  const bool naming = state.runs.renaming == run.number;
  if (!naming) {
    if (ImGui::Selectable("##run", shown, ImGuiSelectableFlags_AllowDoubleClick, {width - mark, tall})) {
      if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
        panel.emit(command::BeginRename{run.number});
      else if (ImGui::GetIO().KeyCtrl)
        panel.emit(command::CompareWith{compared ? kNoRun : run.number});
      else if (!shown)
        panel.emit(command::ShowRun{index});
    }
  } else {
    ImGui::Dummy({width - mark, tall});
  }
  const bool hovered = !naming && ImGui::IsItemHovered();
  if (right_clicked()) ImGui::OpenPopup("run");
  if (begin_menu("run")) {
    if (ImGui::MenuItem(tr("Into view"), nullptr, false, !shown)) panel.emit(command::ShowRun{index});
    if (ImGui::MenuItem(compared ? tr("Compare it no more") : tr("Compare it with the run in view"), nullptr, false,
                        !shown))
      panel.emit(command::CompareWith{compared ? kNoRun : run.number});
    if (ImGui::MenuItem(tr("Name it"))) panel.emit(command::BeginRename{run.number});
    if (ImGui::MenuItem(tr("Use this run's settings"))) {
      panel.emit(command::ShowRun{index});
      panel.emit(command::UseRunSettings{});
    }
    ImGui::EndPopup();
  }

  const ImVec2 centre{at.x + mark / 2, at.y + tall / 2};
  const float radius = line * 0.36f;
  if (shown || compared) {
    const timeline::Colour fill = shown ? theme.selection : theme.warning;
    list.AddCircleFilled(centre, radius * 1.35f, packed(fill), 24);
    const char* letter = shown ? "A" : "B";
    const ImVec2 size = ImGui::CalcTextSize(letter);
    list.AddText({centre.x - size.x / 2, centre.y - size.y / 2}, packed(timeline::text_on(fill)), letter);
  } else {
    list.AddCircle(centre, radius, packed(on_ring ? theme.strong_text : theme.faint_text), 24, scale);
  }

  // As the style mixes it of the run in view, and where the mouse is.
  const timeline::Colour ground = mixed(theme.panel, theme.selection, 0.4f);
  const auto read = [&](timeline::Colour ink) {
    return timeline::readable(ink, {theme.panel, ground}, theme.strong_text);
  };
  const trace::Provenance& from = run.run->trace.provenance;
  const float left = at.x + mark + pad, right = at.x + width - pad, first = at.y + pad, second = first + line + 1;
  const auto at_right = [&](const SizedFont& font, float y, timeline::Colour ink, const std::string& words) {
    const float wide = font.font->CalcTextSizeA(font.size, FLT_MAX, 0, words.c_str()).x;
    list.AddText(font.font, font.size, {right - wide, y}, packed(ink), words.c_str());
    return right - wide - pad * 2;
  };
  const float name_end =
      at_right(panel.look.fonts.body, first, theme.strong_text, display_duration(run.analysis.makespan));
  const std::string when = time_of_day(from.date);
  const bool measured = from.kind == trace::Provenance::Kind::measured;
  const SizedFont& small = panel.look.fonts.small;
  const float what_end = at_right(small, second, read(mixed(theme.text, measured ? theme.measured : theme.model, 0.6f)),
                                  fmt::format("{}{}{}", tr(trace::badge(from)), when.empty() ? "" : "  ", when));
  const std::string number = fmt::format("{}  ", run.number);
  const float after = left + width_of(number);
  cut_text(panel.look.fonts.body, {left, first}, name_end - left, read(theme.faint_text), number);
  const bool named = state.runs.names.contains(run.number);
  const auto changed = state.runs.changes.find(run.number);
  const std::string what =
      changed == state.runs.changes.end() ? std::string(tr("the first of the runs kept")) : changed->second;
  std::string name = run_name(state.runs, run);
  // A run's own label ends with the makespan, which stands at the right.
  if (const std::string end = " · " + display_duration(run.analysis.makespan); name.ends_with(end))
    name.resize(name.size() - end.size());
  if (!naming)
    cut_text(named ? panel.look.fonts.strong : panel.look.fonts.body, {after, first}, name_end - after,
             read(theme.text), name);
  cut_text(small, {after, second}, what_end - after, read(theme.faint_text), what);
  if (hovered)
    tooltip(tr("Run {}: {}\n{}\n\nClick: into view. Ctrl click: compare with it. Double click or F2: name it.",
               run.number, run.label, what));
  if (naming) {
    const ImVec2 next = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({after, at.y + 1});
    name_field(panel, run);
    ImGui::SetCursorScreenPos(next);
  }
  ImGui::PopID();
}

void CompareHistory::draw(const Panel& panel, float width) {
  const State& state = panel.state;
  ImGui::BeginChild("runs", {width, 0}, false);
  if (state.runs.all.empty()) wrapped(tr("No run yet."), panel.look.theme.faint_text);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  const float tall = ImGui::GetTextLineHeight() + panel.look.fonts.small.size + 1 + 10 * panel.look.scale;
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(state.runs.all.size()), tall);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      run_row(panel, state.runs.all.size() - 1 - static_cast<std::size_t>(i), tall);
  ImGui::PopStyleVar();
  ImGui::EndChild();
  if (state.runs.renaming == kNoRun) naming_ = kNoRun;
}

}  // namespace streamscope::window
