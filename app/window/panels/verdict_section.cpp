#include "app/window/panels/verdict_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/panels/code_marks.h"
#include "app/window/panels/help_answer.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/state/run_verdicts.h"
#include "app/window/state/verdict_words.h"
#include "app/window/widgets/links.h"
#include "engine/base/counts.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

constexpr std::size_t kMostEntries = 4;  // in full, the others behind a fold
constexpr std::size_t kMostLines = 5;
constexpr float kReserved = 9;  // lines, before anything is known of how tall it gets

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

// "- host = pageable" and "+ host = pinned", each in its colour.
void difference(const Panel& panel, const std::string& lines) {
  const timeline::Theme& theme = panel.look.theme;
  code_block(panel.look, lines, [&](std::string_view line) {
    return line.starts_with('-') ? theme.error : line.starts_with('+') ? theme.strong_text : theme.faint_text;
  });
}

std::string why_not_try(const State& state) {
  if (state.running.engine == EngineStatus::starting) return tr("The engine is starting.");
  if (state.running.engine == EngineStatus::lost) return tr("There is no engine. Start a new one.");
  return {};
}

// A change that would help: what it promises, what it did where it was tried, and the button that tries it.
void offer(const Panel& panel, std::uint64_t run, const remedy::Help& help) {
  const State& state = panel.state;
  const Trial* const trial = trial_with(state, run, help);
  remedy::Help told = help;
  if (trial != nullptr && trial->after != 0) told.measured = trial->help.measured;
  wrapped(remedy::help_text(told), panel.look.theme.strong_text);
  const bool running = trial != nullptr && under_way(state, *trial);
  {
    const Disabled on(running ? tr("It runs already.") : why_not_try(state));
    if (sign_button(panel.look, running ? tr("running…") : tr("Try it"), Sign::play))
      panel.emit(command::TryChange{help});
    on.explain(tr("Makes this change and runs it. What was set and typed before can be brought back."));
  }
  if (help.difference.empty()) return;
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ImGui::GetStyle().FramePadding.y);
  if (fold(panel.look, tr("What it changes"))) difference(panel, help.difference);
}

// "lines 3, 7 · 16 operations": each shows what it names.
void places(const Panel& panel, const remedy::Entry& entry, const std::vector<OperationIndex>& operations,
            int plot_width) {
  std::vector<std::string> words;
  std::vector<Phrase> phrases;
  words.reserve(2 * kMostLines + 4);
  const auto say = [&](std::string what, int link) {
    words.push_back(std::move(what));
    phrases.push_back({words.back(), link});
  };
  const std::size_t lines = std::min(entry.lines.size(), kMostLines);
  for (std::size_t i = 0; i < lines; ++i) {
    say(i > 0 ? ", " : tr_n("line", "lines", static_cast<unsigned long>(entry.lines.size())) + " ", -1);
    say(fmt::format("{}", entry.lines[i]), static_cast<int>(i));
  }
  if (lines < entry.lines.size()) say(", …", -1);
  if (!operations.empty()) {
    if (lines > 0) say("  · ", -1);
    const auto count = static_cast<unsigned long>(operations.size());
    say(tr_n("{} operation", "{} operations", count, with_commas(count)), static_cast<int>(kMostLines));
  }
  if (phrases.empty()) return;
  const int clicked = linked_text(panel.look, phrases, panel.look.theme.faint_text);
  if (clicked == static_cast<int>(kMostLines))
    show_operations(panel, operations, plot_width);
  else if (clicked >= 0)
    show_line(panel, entry.lines[static_cast<std::size_t>(clicked)], operations, plot_width);
}

// Its name, and at the right what it costs.
void title(const Panel& panel, const remedy::Entry& entry, const std::vector<OperationIndex>& operations,
           int plot_width) {
  const timeline::Theme& theme = panel.look.theme;
  const bool wrong = entry.cause == verdict::Cause::hazard || entry.cause == verdict::Cause::fault;
  const std::string words = in_words(entry.cause);
  const float left = ImGui::GetCursorPosX(), room = ImGui::GetContentRegionAvail().x;
  push_font(panel.look.fonts.strong);
  const float wide = width_of(words);
  ImGui::PopFont();
  const ImVec2 at = ImGui::GetCursorPos();
  if (wrong)
    text(words, theme.error, &panel.look.fonts.strong);
  else if (operations.empty())
    text(words, theme.strong_text, &panel.look.fonts.strong);
  else if (link(panel.look, words, &panel.look.fonts.strong))
    show_operations(panel, operations, plot_width);
  help_here(panel, name_of(entry.cause), help::Kind::cause);
  if (wrong || entry.cost <= 0) return;
  const ImVec2 below = ImGui::GetCursorPos();
  const std::string cost = display_duration(entry.cost), share = percent(entry.share);
  const float gap = ImGui::GetStyle().ItemSpacing.x, needed = width_of(cost) + gap + width_of(share);
  const bool fits = wide + 2 * gap + needed <= room;
  ImGui::SetCursorPos({left + room - needed, fits ? at.y : below.y});
  text(cost, theme.strong_text);
  ImGui::SameLine(0, gap);
  text(share, theme.faint_text);
  if (fits) ImGui::SetCursorPos(below);
  const ImVec2 bar = ImGui::GetCursorScreenPos();
  const float tall = std::max(2.0f, std::round(3 * panel.look.scale));
  const float part = room * static_cast<float>(std::clamp(entry.share, 0.0, 1.0));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(bar, {bar.x + room, bar.y + tall},
                     ImGui::GetColorU32(as_vector(mixed(theme.panel, theme.text, 0.1f))), tall / 2);
  list.AddRectFilled(bar, {bar.x + std::max(part, tall), bar.y + tall}, ImGui::GetColorU32(as_vector(theme.warning)),
                     tall / 2);
  ImGui::Dummy({room, tall});
}

// Which two accesses, and the order that is missing.
void missing_order(const Panel& panel, const MissingOrder& missing) {
  const timeline::Theme& theme = panel.look.theme;
  wrapped(missing.text, theme.text);
  if (missing.more > 0)
    wrapped(tr_n("There is {} more such pair.", "There are {} more such pairs.",
                 static_cast<unsigned long>(missing.more), missing.more),
            theme.faint_text);
}

void entry(const Panel& panel, const RunVerdict& of, std::size_t index, int plot_width) {
  const remedy::Entry& each = of.explained->verdict.entries[index];
  const std::vector<OperationIndex>& operations = of.operations[index];
  const timeline::Theme& theme = panel.look.theme;
  ImGui::PushID(static_cast<int>(index));
  title(panel, each, operations, plot_width);
  const bool is_bound = each.cause == verdict::Cause::at_the_bound, is_busy = each.cause == verdict::Cause::engine_busy;
  const std::string_view links = is_bound ? of.binding : is_busy ? of.busiest : std::string_view();
  if (linked_text(panel.look, with_link(each.text, links), index == 0 ? theme.strong_text : theme.text) == 0)
    show_operations(panel, is_bound ? of.of_binding : operations, plot_width);
  if (each.cause == verdict::Cause::hazard && of.missing_order) missing_order(panel, *of.missing_order);
  if (!is_bound && !is_busy) places(panel, each, operations, plot_width);
  if (each.help) offer(panel, of.number, *each.help);
  ImGui::Dummy({0, std::round(2 * panel.look.scale)});
  ImGui::PopID();
}

void entries(const Panel& panel, const RunVerdict& of, int plot_width) {
  const remedy::Verdict& verdict = of.explained->verdict;
  const std::size_t shown = std::min(verdict.entries.size(), kMostEntries);
  for (std::size_t i = 0; i < shown; ++i) entry(panel, of, i, plot_width);
  if (shown < verdict.entries.size()) {
    const auto more = static_cast<unsigned long>(verdict.entries.size() - shown);
    if (fold(panel.look, tr_n("{} more cause", "{} more causes", more, more).c_str()))
      for (std::size_t i = shown; i < verdict.entries.size(); ++i) entry(panel, of, i, plot_width);
  }
  if (verdict.others.empty()) return;
  const auto count = static_cast<unsigned long>(verdict.others.size());
  if (!fold(panel.look,
            tr_n("{} other change that would help", "{} other changes that would help", count, count).c_str()))
    return;
  for (std::size_t i = 0; i < verdict.others.size(); ++i) {
    ImGui::PushID(static_cast<int>(1000 + i));
    offer(panel, of.number, verdict.others[i]);
    ImGui::PopID();
  }
}

// What was promised of the change that this run was made for, and what it did.
void outcome(const Panel& panel, const Trial& trial) {
  const State& state = panel.state;
  const timeline::Theme& theme = panel.look.theme;
  wrapped(tr("Tried: {}", trial.help.change), theme.strong_text, &panel.look.fonts.strong);
  wrapped(trial_text(state, trial), theme.strong_text);
  const auto before = std::ranges::find(state.runs.all, trial.before, [](const auto& each) { return each->number; });
  const std::string of = tr("run {}", trial.before);
  const std::string was = tr("It was {} in {}.", display_duration(trial.makespan), of);
  const auto phrases = with_link(was, before == state.runs.all.end() ? "" : std::string_view(of));
  const auto show_before = [&] {
    panel.emit(command::ShowRun{static_cast<std::size_t>(before - state.runs.all.begin())});
  };
  if (linked_text(panel.look, phrases, theme.faint_text) == 0) show_before();
  if (!can_take_back(state, trial)) return;
  if (sign_button(panel.look, tr("Take it back"), Sign::none)) {
    panel.emit(command::TakeBack{});
    if (before != state.runs.all.end()) show_before();
  }
  if (ImGui::IsItemHovered()) tooltip(tr("What was set and typed before it was tried. This run stays among the runs."));
}

// "1.09× the bound; the D2H engine binds": what binds is a link to what it carries out.
void bound(const Panel& panel, const RunVerdict& of, int plot_width) {
  if (of.bound.empty()) return;
  const std::string_view links = of.of_binding.empty() ? std::string_view() : of.binding;
  int over = -1;
  const int clicked = linked_text(panel.look, with_link(of.bound, links), panel.look.theme.faint_text, nullptr, &over);
  if (clicked == 0) show_operations(panel, of.of_binding, plot_width);
  if (over == 0) tooltip(tr("The operations that make up this bound are lit on the timeline."));
  if (ImGui::IsItemHovered() && over < 0) {
    answer_help(panel, "bound");
    tooltip(
        tr("No schedule of these operations takes less than the bound: an engine's work without a pause, or the "
           "longest way through what must come after what."));
  }
}

}  // namespace

void show_operations(const Panel& panel, const std::vector<OperationIndex>& operations, int plot_width) {
  if (operations.empty()) return;
  panel.emit(command::LightUp{operations});
  const std::optional<timeline::View>& view = panel.state.timeline.view;
  const std::optional<trace::Span> span = span_of(panel.state, operations.front());
  if (!view || !span || !known(span->start) || !known(span->end)) return;
  if (span->end < timeline::time_at(*view, 0) || span->start > timeline::time_at(*view, plot_width))
    panel.emit(command::SetView{std::nullopt});
}

void show_line(const Panel& panel, std::uint32_t line, const std::vector<OperationIndex>& operations, int plot_width) {
  std::vector<OperationIndex> of_line;
  for (const OperationIndex each : operations)
    if (const auto span = span_of(panel.state, each); span && span->line == line) of_line.push_back(each);
  show_operations(panel, of_line, plot_width);
  panel.emit(command::ShowLine{line});
}

void verdict_section(const Panel& panel, VerdictView& view, int plot_width) {
  const State& state = panel.state;
  if (hides_verdict(state.lesson)) return wrapped(verdict_stands(state), panel.look.theme.faint_text);
  const auto found = verdict_in_view(state);
  ImGui::PushID("verdict");
  if (const Trial* const trial = trial_of(state, state.runs.shown->number)) {
    outcome(panel, *trial);
    ImGui::Spacing();
    ImGui::Separator();
    ImGui::Spacing();
  }
  const float top = ImGui::GetCursorPosY();
  if (has_entries(found.get())) {
    bound(panel, *found, plot_width);
    ImGui::Spacing();
    view.head = ImGui::GetCursorPosY() - top;
    entries(panel, *found, plot_width);
    view.height = ImGui::GetCursorPosY() - top;
    view.last = found->number;
    const ImVec2 from = ImGui::GetWindowPos(), now = ImGui::GetCursorScreenPos();
    if (ImGui::IsWindowHovered() &&
        ImGui::IsMouseHoveringRect({from.x, now.y - view.height}, {from.x + ImGui::GetWindowWidth(), now.y}))
      answer_help(panel, "verdict");
  } else {
    wrapped(verdict_stands(state), panel.look.theme.faint_text);
    ImGui::Spacing();
    if (found == nullptr) {
      ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), top + view.head));
      // What was said of the run before stays, pale: so nothing jumps, and it is plain that it is of another run. Live
      // mode has no verdict, and figures of long ago would stand beside those of now.
      const auto before = state.verdicts.found.find(view.last);
      if (!state.running.live && before != state.verdicts.found.end() && has_entries(before->second.get())) {
        ImGui::BeginDisabled();
        entries(panel, *before->second, plot_width);
        ImGui::EndDisabled();
      }
      const float reserved = view.height > 0 ? view.height : kReserved * ImGui::GetTextLineHeight();
      const float left = reserved - (ImGui::GetCursorPosY() - top);
      if (left > ImGui::GetStyle().ItemSpacing.y) ImGui::Dummy({1, left - ImGui::GetStyle().ItemSpacing.y});
    }
  }
  ImGui::PopID();
}

}  // namespace streamscope::window
