#include "app/window/panels/program_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "app/window/panels/help_answer.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/state/lesson_steps.h"
#include "app/window/state/run_requests.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

// Marks of errors and of the lines that are lit, drawn under the text.
void draw_marks(const Panel& panel, const std::vector<program::Diagnostic>& told, const CodeView::Lines& lines) {
  const timeline::Theme& theme = panel.look.theme;
  const float thick = 3 * panel.look.scale;
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  mark_lines(panel, lines, [](std::uint32_t line) { return line; });
  std::uint32_t marked = 0;
  for (const program::Diagnostic& each : told) {
    if (each.line < lines.first || each.line > lines.last) continue;
    const bool error = each.severity == program::Diagnostic::Severity::error;
    const timeline::Colour ink = error ? theme.error : theme.model;
    if (each.line != marked) lines.band(each.line, faded(ink, 45));
    lines.bar(each.line, ink, thick);
    if (each.line != marked) {  // the first message of a line stands behind it, and whole below the text
      const float x = lines.origin.x + lines.gutter + width_of(lines.texts[each.line - 1]) + lines.height * 1.5f;
      const float y = lines.origin.y + static_cast<float>(each.line - 1) * lines.height;
      push_font(panel.look.fonts.small);
      const std::string shown = elided(each.message, right - x);
      ImGui::GetWindowDrawList()->AddText({x, y + (lines.height - panel.look.fonts.small.size) / 2}, packed(ink),
                                          shown.c_str());
      ImGui::PopFont();
    }
    marked = each.line;
  }
}

void header(const Panel& panel) {
  const State& state = panel.state;
  ImGui::AlignTextToFramePadding();
  text(tr("Stream program"), panel.look.theme.strong_text, &panel.look.fonts.strong);
  const timeline::Theme& theme = panel.look.theme;
  const auto errors = std::count_if(
      state.editing.diagnostics.begin(), state.editing.diagnostics.end(),
      [](const program::Diagnostic& each) { return each.severity == program::Diagnostic::Severity::error; });
  std::string about = state.editing.own_program ? state.editing.own.name : tr("built from the controls");
  timeline::Colour ink = theme.faint_text;
  if (errors != 0) {
    about = tr_n("{} error", "{} errors", static_cast<unsigned long>(errors), errors);
    ink = theme.error;
  } else if (state.editing.edited) {
    about = tr("edited");
    ink = theme.model;
  }
  const char* reset = state.editing.own_program ? tr("Reset to file") : tr("Reset to experiment");
  const char* restore = tr("Bring back the typed text");
  const char* run = tr("Run the text");
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  const char* cuda = "CUDA C++";
  float needed = sign_button_width(run, Sign::play) + sign_button_width(cuda, Sign::none) + spacing;
  if (state.editing.edited) needed += sign_button_width(reset, Sign::none) + spacing;
  if (!state.editing.edited && !state.editing.replaced.empty())
    needed += sign_button_width(restore, Sign::none) + spacing;
  ImGui::SameLine();
  if (width_of(about) + needed + spacing <= ImGui::GetContentRegionAvail().x) {
    text(about, ink);
    ImGui::SameLine();
  }
  if (needed > ImGui::GetContentRegionAvail().x) ImGui::NewLine();
  const float left = ImGui::GetContentRegionAvail().x - needed;
  if (left > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + left);
  if (state.editing.edited) {
    if (sign_button(panel.look, reset, Sign::none)) panel.emit(command::ResetProgram{});
    if (ImGui::IsItemHovered()) tooltip(tr("Back to the text before it was edited. What was typed is kept aside."));
    ImGui::SameLine();
  } else if (!state.editing.replaced.empty()) {
    if (sign_button(panel.look, restore, Sign::none)) panel.emit(command::RestoreTyped{});
    ImGui::SameLine();
  }
  if (sign_button(panel.look, cuda, Sign::none, state.workspace.cuda_open))
    panel.emit(command::ShowCuda{!state.workspace.cuda_open});
  if (ImGui::IsItemHovered()) tooltip(tr("The program as CUDA C++ beside it, line by line (0)"));
  ImGui::SameLine();
  const Disabled disabled(why_not_run(state));
  if (sign_button(panel.look, run, Sign::play)) panel.emit(command::RunNow{});
  disabled.explain(tr("Run this text (Ctrl Enter)"));
}

std::string message_text(const program::Diagnostic& of) {
  const bool error = of.severity == program::Diagnostic::Severity::error;
  return fmt::format("{}:{}: {}{}", of.line, of.column, error ? "" : tr("warning: "), of.message);
}

// Of the list of messages: as many as it has, up to three and two fifths of the panel.
int lines_of_messages(const std::vector<program::Diagnostic>& told) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const int most = std::clamp(static_cast<int>(0.4f * room.y / ImGui::GetTextLineHeightWithSpacing()), 1, 3);
  int lines = 0;
  for (const program::Diagnostic& each : told) {
    const std::string wrapped = in_lines(message_text(each), room.x - ImGui::GetStyle().ScrollbarSize);
    lines += 1 + static_cast<int>(std::count(wrapped.begin(), wrapped.end(), '\n'));
    if (lines >= most) return most;
  }
  return lines;
}

// The list of all messages; a click goes to the line.
std::uint32_t messages(const Panel& panel, const std::vector<program::Diagnostic>& told) {
  std::uint32_t chosen = 0;
  const timeline::Theme& theme = panel.look.theme;
  for (const program::Diagnostic& each : told) {
    const bool error = each.severity == program::Diagnostic::Severity::error;
    wrapped(message_text(each), error ? theme.error : theme.model);
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsItemClicked()) chosen = each.line;
  }
  return chosen;
}

bool completing_wanted() { return ImGui::GetIO().KeyCtrl && key_pressed(ImGuiKey_Space); }

}  // namespace

// Ctrl and Space: the word at the cursor becomes the first that begins so; again, the next one.
void ProgramPanel::complete_word(const Panel& panel) {
  if (view_.cursor() < 0) return;
  if (completed_to_ >= 0 && completed_to_ == view_.cursor() && !completion_.words.empty()) {
    completing_ = (completing_ + 1) % completion_.words.size();
  } else {
    completion_ = complete(text_, static_cast<std::size_t>(view_.cursor()));
    completing_ = 0;
  }
  if (completion_.words.empty()) {
    panel.emit(command::Say{tr("No word begins so.")});
    return;
  }
  view_.replace(completion_.begin, completion_.words[completing_]);
}

// The words that there are, below the cursor, with what the one that stands there means.
void ProgramPanel::show_completion(const Panel& panel) const {
  const ImVec2 cursor = view_.place_of_cursor();
  ImGui::SetNextWindowPos({cursor.x, cursor.y + ImGui::GetTextLineHeight() * 1.3f});
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * 30);
  for (std::size_t i = 0; i < completion_.words.size(); ++i)
    text(completion_.words[i], i == completing_ ? panel.look.theme.selection : panel.look.theme.text);
  if (const std::string meaning = sentence_of(completion_.words[completing_]); !meaning.empty()) {
    ImGui::Separator();
    text(meaning, panel.look.theme.faint_text);
  }
  if (completion_.words.size() > 1) text(tr("Ctrl Space: the next one"), panel.look.theme.faint_text);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void ProgramPanel::draw(const Panel& panel, const Box& place) {
  const State& state = panel.state;
  if (version_ != state.editing.version && text_ != state.editing.program) text_ = state.editing.program;
  version_ = state.editing.version;
  begin_panel("Program", place);
  if (of_another_tool(state)) {
    wrapped(
        tr("The trace in view is another tool's and has no stream program. The program that was here comes back with "
           "the next run."),
        panel.look.theme.faint_text);
    ImGui::End();
    return;
  }
  header(panel);

  const std::vector<program::Diagnostic> told = told_diagnostics(state);
  float below = 0;
  if (!told.empty())
    below = ImGui::GetTextLineHeightWithSpacing() * static_cast<float>(lines_of_messages(told)) +
            ImGui::GetStyle().ItemSpacing.y;
  if (completing_wanted()) complete_word(panel);
  const CodeView::Code code{.id = "editor", .text = text_, .pieces = [&](std::string_view line) {
                              return coloured(words_of_program(line), panel.look.theme);
                            }};
  const bool changed = view_.draw(panel.look, code, {0, ImGui::GetContentRegionAvail().y - below},
                                  [&](const CodeView::Lines& lines) { draw_marks(panel, told, lines); });
  if (changed) panel.emit(command::EditProgram{text_});
  if (view_.replaced()) completed_to_ = view_.cursor();
  if (view_.cursor() != completed_to_) completed_to_ = -1;
  if (completed_to_ >= 0) show_completion(panel);
  if (state.help.asked && view_.cursor() >= 0) {
    const auto topic = topic_at(text_, static_cast<std::size_t>(view_.cursor()));
    panel.emit(command::AnswerHelp{topic.value_or(Topic{"stream program", help::Kind::term}), true});
  }
  if (view_.moved() && state.workspace.cuda_open) panel.emit(command::LookAtLine{view_.line_of_cursor()});
  if (state.workspace.show_line != 0) {
    view_.show(state.workspace.show_line, true);
    panel.emit(command::LineShown{});
  }
  if (const std::uint32_t line = chosen_.newly(state); line != 0 && view_.cursor() < 0) view_.show(line, false);
  if (below > 0) {
    ImGui::BeginChild("messages", {0, 0});
    if (const std::uint32_t line = messages(panel, told); line != 0) view_.show(line, true);
    ImGui::EndChild();
  }
  ImGui::End();
}

}  // namespace streamscope::window
