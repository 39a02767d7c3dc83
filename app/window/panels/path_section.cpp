#include "app/window/panels/path_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/panels/help_answer.h"
#include "app/window/panels/verdict_section.h"
#include "app/window/state/run_verdicts.h"
#include "app/window/state/verdict_words.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

constexpr std::size_t kMostShares = 6;

std::string percent(Nanoseconds part, Nanoseconds of) {
  return of <= 0 ? std::string() : fmt::format("{:.0f} %", 100 * static_cast<double>(part) / static_cast<double>(of));
}

ImU32 shade(timeline::Colour colour) { return ImGui::GetColorU32(as_vector(colour)); }  // pale where all is

enum class Row : std::uint8_t { plain, link, head };  // a head has no bar

// A label, a time and a share, in columns at the right, over a bar of that share. Whether it was clicked.
bool share_row(const Panel& panel, const std::string& label, Nanoseconds time, Nanoseconds whole, Row how) {
  const bool clickable = how == Row::link;
  const timeline::Theme& theme = panel.look.theme;
  const float room = ImGui::GetContentRegionAvail().x,
              height = ImGui::GetTextLineHeight() + std::round(3 * panel.look.scale);
  const float gap = ImGui::GetStyle().ItemSpacing.x, inset = std::round(4 * panel.look.scale);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  bool pressed = false;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  if (clickable)
    pressed = ImGui::Selectable("##share", false, 0, {room, height});
  else
    ImGui::Dummy({room, height});
  ImGui::PopStyleVar();
  if (clickable && ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const float part = whole <= 0 ? 0 : static_cast<float>(static_cast<double>(time) / static_cast<double>(whole));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float bar = std::max(2.0f, room * std::clamp(part, 0.0f, 1.0f));
  if (how != Row::head)
    list.AddRectFilled({at.x, at.y + 1}, {at.x + bar, at.y + height - 1},
                       shade(mixed(theme.panel, theme.warning, 0.28f)), 2);
  const std::string length = display_duration(time), share = percent(time, whole);
  const float share_x = at.x + room - inset - width_of(share);
  const float time_x = at.x + room - inset - width_of("100 %") - gap - width_of(length);
  const std::string words = elided(label, time_x - gap - at.x - inset);
  const float y = at.y + (height - ImGui::GetTextLineHeight()) / 2;
  list.AddText({at.x + (how == Row::head ? 0 : inset), y}, shade(how == Row::plain ? theme.text : theme.strong_text),
               words.c_str());
  list.AddText({time_x, y}, shade(theme.text), length.c_str());
  list.AddText({share_x, y}, shade(theme.text), share.c_str());
  if (words != label && ImGui::IsItemHovered()) tooltip(label);
  return pressed;
}

std::string engine_title(const RunVerdict& of, const verdict::EngineIdle& each) {
  const std::string engine(tr(words_of(each.engine.engine).label));
  return trace::device_count(of.run->trace) > 1 ? tr("{} of device {}", engine, each.engine.device) : engine;
}

}  // namespace

void path_section(const Panel& panel, const RunVerdict& of, PathView& view, int plot_width) {
  heading(panel.look, tr("Critical path"));
  const float top = ImGui::GetCursorScreenPos().y;
  const timeline::Theme& theme = panel.look.theme;
  const PathShown now = panel.state.timeline.path;
  if (sign_button(panel.look, tr("As a line"), Sign::none, now != PathShown::no))
    panel.emit(command::ShowPath{now == PathShown::no ? PathShown::line : PathShown::no});
  if (ImGui::IsItemHovered()) tooltip(tr("The path as a line over the rows of the timeline (Y)"));
  ImGui::SameLine();
  if (sign_button(panel.look, tr("Alone"), Sign::none, now == PathShown::alone))
    panel.emit(command::ShowPath{now == PathShown::alone ? PathShown::line : PathShown::alone});
  if (ImGui::IsItemHovered()) tooltip(tr("All that is not on the path is pale (Y)"));
  ImGui::SameLine();
  if (sign_button(panel.look, tr("Bounds"), Sign::none, panel.state.timeline.rulers))
    panel.emit(command::ShowRulers{!panel.state.timeline.rulers});
  if (ImGui::IsItemHovered()) tooltip(tr("What no schedule could beat, as rulers on the timeline (U)"));
  ImGui::AlignTextToFramePadding();
  text(tr("by"), theme.faint_text);
  ImGui::SameLine();
  const Disabled on(""), no_lines(of.by_line.empty() ? tr("A trace of another tool has no lines.") : "");
  const Segment ways[] = {
      {tr("kind"), tr("What its pieces are: execution, hand-overs, what the host did"), &on},
      {tr("cause"), tr("What its pieces speak for. A piece may speak for more than one cause."), &on},
      {tr("line"), tr("Which lines of the program its operations come from"), &no_lines}};
  if (of.by_line.empty() && view.by == 2) view.by = 0;
  if (const int pressed = segments(panel.look, "path-by", ways, view.by); pressed >= 0) view.by = pressed;
  const std::vector<PathPart>& shares = view.by == 0 ? of.by_kind : view.by == 1 ? of.by_cause : of.by_line;
  const Nanoseconds whole = of.explained->judgement->makespan;
  if (shares.empty()) wrapped(tr("Nothing on it speaks for a cause."), panel.look.theme.faint_text);
  for (std::size_t i = 0; i < std::min(shares.size(), kMostShares); ++i) {
    const PathPart& each = shares[i];
    const std::string label = each.line == 0 ? each.what : fmt::format("{}: {}", each.line, each.what);
    ImGui::PushID(static_cast<int>(i));
    if (share_row(panel, label, each.time, whole, each.operations.empty() ? Row::plain : Row::link)) {
      if (each.line != 0)
        show_line(panel, each.line, each.operations, plot_width);
      else
        show_operations(panel, each.operations, plot_width);
    }
    ImGui::PopID();
  }
  // F1 anywhere in it.
  const ImVec2 from = ImGui::GetWindowPos();
  if (ImGui::IsWindowHovered() &&
      ImGui::IsMouseHoveringRect({from.x, top}, {from.x + ImGui::GetWindowWidth(), ImGui::GetCursorScreenPos().y}))
    answer_help(panel, "critical path");
  if (shares.size() > kMostShares)
    text(tr("{} more, shorter", shares.size() - kMostShares), panel.look.theme.faint_text);
}

void idle_section(const Panel& panel, const RunVerdict& of) {
  const verdict::Judgement& judgement = *of.explained->judgement;
  if (judgement.idle.empty()) return;
  heading(panel.look, tr("Idle time of the engines"));
  for (const verdict::EngineIdle& each : judgement.idle) {
    share_row(panel, engine_title(of, each), each.idle, judgement.makespan, Row::head);
    for (const verdict::IdleTime& one : each.causes)
      share_row(panel, in_words(one.cause), one.time, judgement.makespan, Row::plain);
    ImGui::Dummy({0, std::round(2 * panel.look.scale)});
  }
}

}  // namespace streamscope::window
