#include "app/window/panels/compare_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/reading/operation_facts.h"
#include "app/window/state/compared_runs.h"
#include "app/window/widgets/flow.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

using command::Arrangement;

void arrangement_controls(const Panel& panel, Flow& flow, float gap) {
  const Disabled always({});
  const Segment all[] = {
      {tr("Stacked"), tr("The tracks of the compared run below those of the run in view, on one axis"), &always},
      {tr("Overlaid"), tr("The bars of the compared run under those of the same track, outlined and paler"), &always}};
  flow.next(segments_width(all), gap);
  const int pressed =
      segments(panel.look, "arrange", all, panel.state.comparison.arrangement == Arrangement::overlaid ? 1 : 0);
  if (pressed >= 0) panel.emit(command::Arrange{pressed == 1 ? Arrangement::overlaid : Arrangement::stacked});
}

void alignment_control(const Panel& panel, Flow& flow, float gap) {
  constexpr const char* kNames[] = {tr_later("first host calls"), tr_later("first device work"),
                                    tr_later("the selected pair")};
  const char* const label = tr("Align by");
  const float wide = width_of(tr("first device work")) + ImGui::GetFrameHeight() * 1.8f;
  flow.next(width_of(label) + ImGui::GetStyle().ItemSpacing.x + wide, gap);
  ImGui::AlignTextToFramePadding();
  text(label, panel.look.theme.faint_text);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(wide);
  const auto all = {Alignment::first_call, Alignment::first_work, Alignment::selection};
  const auto words = [&](Alignment each) { return tr(kNames[static_cast<std::size_t>(each)]); };
  if (const auto pressed = combo("##align", all, panel.state.comparison.alignment, words))
    panel.emit(command::Align{*pressed});
  if (ImGui::IsItemHovered()) {
    const Nanoseconds by = offset_of(panel.state);
    tooltip(tr("What of both runs stands at one place on the axis. The compared run is moved by {}.",
               by == 0 ? "0 ns" : reading::signed_duration(by)));
  }
}

Flow flow_here() {
  return Flow(
      {ImGui::GetCursorScreenPos().x, 0, ImGui::GetContentRegionAvail().x + ImGui::GetStyle().WindowPadding.x, 0});
}

// What stands over the table of differences.
void controls(const Panel& panel) {
  const State& state = panel.state;
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  Flow flow = flow_here();
  arrangement_controls(panel, flow, 0);
  alignment_control(panel, flow, gap);
  const auto button = [&](const char* label, const char* meaning, float before) {
    flow.next(sign_button_width(label, Sign::none), before);
    const bool pressed = ImGui::Button(label);
    if (ImGui::IsItemHovered()) tooltip(meaning);
    return pressed;
  };
  if (button(tr("Swap"), tr("The compared run comes into view, and the one in view is compared with it"), gap)) {
    const auto at = std::find(state.runs.all.begin(), state.runs.all.end(), state.comparison.second);
    panel.emit(command::ShowRun{static_cast<std::size_t>(at - state.runs.all.begin())});
  }
  if (button(tr("Copy CSV"), tr("All differences as they are sorted, times in ns"), 0))
    panel.emit(command::CopyDifferences{});
  if (button(tr("Close comparison"), tr("Only the run in view, as it was seen before (Esc)"), 0))
    panel.emit(command::CompareWith{kNoRun});
}

// "Makespan  5.3 → 4.1 ms  −23 %": as many in a line as fit.
void totals(const Panel& panel, const ShownPair& pair) {
  const timeline::Theme& theme = panel.look.theme;
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  Flow flow = flow_here();
  for (const analysis::TotalChange& each : pair.totals) {
    const std::string figures =
        fmt::format("{} → {}", analysis::display(each.first, 1), analysis::display(each.second, 1));
    std::string change;
    if (each.within_noise())
      change = "≈";
    else if (const auto ratio = each.ratio())
      change = fmt::format("{:+.1f} %", (*ratio - 1) * 100);
    else if (each.first.unit == analysis::FigureUnit::share)
      change = tr("{:+.1f} points", each.by() * 100);
    const float space = width_of(" ");
    const std::string label(each.first.name);
    flow.next(width_of(label) + width_of(figures) + width_of(change) + 3 * space, gap);
    text(label, theme.faint_text);
    const bool on_label = ImGui::IsItemHovered();
    ImGui::SameLine(0, 1.5f * space);
    text(figures);
    const bool on_figures = ImGui::IsItemHovered();
    ImGui::SameLine(0, 1.5f * space);
    text(change, each.within_noise() ? theme.warning : theme.strong_text, &panel.look.fonts.strong);
    if (!on_label && !on_figures && !ImGui::IsItemHovered()) continue;
    std::string words = tr("Run {} → run {}", pair.first->number, pair.second->number);
    if (const auto ratio = each.ratio())
      words +=
          tr(", {:.3f} times as {}", *ratio, each.first.unit == analysis::FigureUnit::time ? tr("long") : tr("much"));
    if (each.within_noise()) {
      analysis::Figure both = each.first;
      both.noise = each.noise();
      words += tr(". The difference is within the uncertainty of both: {}.", analysis::display_noise(both));
    }
    if (!each.first.meaning.empty()) words += fmt::format("\n{}", each.first.meaning);
    tooltip(words);
  }
}

// "A pageable → B pinned: Host memory", as many as there are; the list has the letters too.
void what_differs(const Panel& panel, const ShownPair& pair) {
  const std::string& words = pair.differs;
  const std::string shown = elided(words, ImGui::GetContentRegionAvail().x);
  text(shown, panel.look.theme.strong_text, &panel.look.fonts.strong);
  if (shown != words && ImGui::IsItemHovered()) tooltip(words);
}

void how_paired(const Panel& panel, const ShownPair& pair) {
  const analysis::PairedRuns& of = *pair.paired;
  std::string words = tr("{} operations in both", of.pairs);
  const auto alone = [&](std::size_t count, std::uint64_t run) {
    if (count != 0) words += tr(" · {} only in run {}", count, run);
  };
  alone(of.alone_in_first, pair.first->number);
  alone(of.alone_in_second, pair.second->number);
  text(words, panel.look.theme.faint_text);
  if (ImGui::IsItemHovered())
    tooltip(
        of.same_program
            ? tr("Both runs are of one program: operation by operation.")
            : tr("The programs differ. Operations of one name and kind are held against each other in the program's "
                 "order where both runs have as many of them; else by their place in the data, where their sizes are "
                 "known; else those of a stream's name, in its order. Where sizes differ, times are held against "
                 "each other per byte."));
}

}  // namespace

void ComparePanel::draw(const Panel& panel, const Box& place, TimelinePanel& timeline) {
  const State& state = panel.state;
  begin_panel("Compare", place);
  const float room = ImGui::GetContentRegionAvail().x, scale = panel.look.scale;
  const float list = std::round(std::clamp(room * 0.4f, std::min(240 * scale, room * 0.5f), 520 * scale));
  history_.draw(panel, list);
  ImGui::SameLine();
  ImGui::BeginChild("two runs", {0, 0}, false);
  if (!state.comparison.second) {
    ImGui::Dummy({0, ImGui::GetStyle().ItemSpacing.y});
    wrapped(state.runs.all.size() < 2
                ? tr("Every run is kept here, with what was changed. Run something else, then set two "
                     "of them side by side.")
                : tr("Compare a second run with the one in view: a click on the ring before it, or Ctrl "
                     "and a click."),
            panel.look.theme.faint_text);
  } else {
    if (const ShownPair* pair = pair_in_view(state)) what_differs(panel, *pair);
    controls(panel);
    if (const ShownPair* pair = pair_in_view(state); pair != nullptr) {
      totals(panel, *pair);
      how_paired(panel, *pair);
      differences_.draw(panel, timeline);
    } else {
      text(tr("Holding both runs against each other…"), panel.look.theme.faint_text);
    }
  }
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace streamscope::window
