#include "app/window/panels/program_panel.h"

#include <fmt/format.h>
#include <imgui.h>
// After imgui.h: the one of 1.86 does not include it.
#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "app/timeline/span_text.h"
#include "app/window/panels/help_answer.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/state/run_requests.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

struct Lines {
  std::vector<std::string_view> lines;
  std::size_t longest = 0;  // bytes: at least as many as columns
};

Lines split(const std::string& words) {
  Lines found;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = words.find('\n', begin);
    const std::string_view line = std::string_view(words).substr(begin, end == std::string::npos ? end : end - begin);
    found.lines.push_back(line);
    found.longest = std::max(found.longest, line.size());
    if (end == std::string::npos) return found;
    begin = end + 1;
  }
}

int follow_editor(ImGuiInputTextCallbackData* data) {
  auto& editor = *static_cast<ProgramPanel::Editor*>(data->UserData);
  if (std::exchange(editor.replace, false) && data->CursorPos >= static_cast<int>(editor.begin)) {
    const int begin = static_cast<int>(editor.begin);
    data->DeleteChars(begin, data->CursorPos - begin);
    data->InsertChars(begin, editor.word.c_str());
  }
  editor.cursor = data->CursorPos;
  return 0;
}

// Marks of errors and of the selected operation's line, drawn under the text.
void draw_marks(const Panel& panel, const Lines& lines, ImVec2 origin, float gutter, float line_height, float width) {
  const timeline::Theme& theme = panel.look.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto band = [&](std::uint32_t line, timeline::Colour colour) {
    const float y = origin.y + static_cast<float>(line - 1) * line_height;
    list.AddRectFilled({origin.x, y}, {origin.x + width, y + line_height}, packed(colour));
  };
  if (const std::optional<trace::Span> span = span_of(panel.state, panel.state.timeline.selected);
      span && span->line != 0 && panel.state.runs.shown->run->program == panel.state.editing.program)
    band(span->line, faded(theme.selection, 60));
  std::uint32_t marked = 0;
  for (const program::Diagnostic& each : panel.state.editing.diagnostics) {
    if (each.line == 0 || each.line > lines.lines.size()) continue;
    const bool error = each.severity == program::Diagnostic::Severity::error;
    const timeline::Colour ink = error ? theme.error : theme.model;
    if (each.line != marked) band(each.line, faded(ink, 45));
    const float y = origin.y + static_cast<float>(each.line - 1) * line_height;
    list.AddRectFilled({origin.x, y}, {origin.x + 3 * panel.look.scale, y + line_height}, packed(ink));
    if (each.line != marked) {  // the first message of a line stands behind it
      const std::string_view line = lines.lines[each.line - 1];
      const float x = origin.x + gutter + width_of(line) + line_height * 1.5f;
      list.AddText(panel.look.fonts.small.font, panel.look.fonts.small.size,
                   {x, y + (line_height - panel.look.fonts.small.size) / 2}, packed(ink), each.message.c_str());
    }
    marked = each.line;
  }
}

void draw_numbers(const Panel& panel, std::size_t count, ImVec2 origin, float gutter, float line_height) {
  const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
  for (std::size_t i = 0; i < count; ++i) {
    const float y = origin.y + static_cast<float>(i) * line_height;
    if (y + line_height < top) continue;
    if (y > bottom) break;
    const std::string number = std::to_string(i + 1);
    const float x = origin.x + gutter - width_of(number) - line_height * 0.7f;
    ImGui::GetWindowDrawList()->AddText({x, y}, packed(panel.look.theme.faint_text), number.c_str());
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
  float needed = sign_button_width(run, Sign::play);
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
  const Disabled disabled(why_not_run(state));
  if (sign_button(panel.look, run, Sign::play)) panel.emit(command::RunNow{});
  disabled.explain(tr("Run this text (Ctrl Enter)"));
}

// The list of all messages; a click goes to the line.
std::uint32_t messages(const Panel& panel) {
  std::uint32_t chosen = 0;
  const timeline::Theme& theme = panel.look.theme;
  for (const program::Diagnostic& each : panel.state.editing.diagnostics) {
    const bool error = each.severity == program::Diagnostic::Severity::error;
    wrapped(fmt::format("{}:{}: {}{}", each.line, each.column, error ? "" : tr("warning: "), each.message),
            error ? theme.error : theme.model);
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsItemClicked()) chosen = each.line;
  }
  return chosen;
}

bool completing_wanted() { return ImGui::GetIO().KeyCtrl && key_pressed(ImGuiKey_Space); }

}  // namespace

// Ctrl and Space: the word at the cursor becomes the first that begins so; again, the next one.
void ProgramPanel::complete_word(const Panel& panel, Editor& editor) {
  if (cursor_ < 0) return;
  if (completed_to_ >= 0 && completed_to_ == cursor_ && !completion_.words.empty()) {
    completing_ = (completing_ + 1) % completion_.words.size();
  } else {
    completion_ = complete(text_, static_cast<std::size_t>(cursor_));
    completing_ = 0;
  }
  if (completion_.words.empty()) {
    panel.emit(command::Say{tr("No word begins so.")});
    return;
  }
  editor.replace = true;
  editor.begin = completion_.begin;
  editor.word = completion_.words[completing_];
}

// The words that there are, below the cursor, with what the one that stands there means.
void ProgramPanel::show_completion(const Panel& panel, ImVec2 cursor) const {
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
  if (state.runs.shown && trace::of_another_tool(state.runs.shown->run->trace.provenance)) {
    wrapped(
        tr("The trace in view is another tool's and has no stream program. The program that was here comes back with "
           "the next run."),
        panel.look.theme.faint_text);
    ImGui::End();
    return;
  }
  header(panel);

  float below = 0;
  if (!state.editing.diagnostics.empty())
    below = ImGui::GetTextLineHeightWithSpacing() *
                static_cast<float>(std::min<std::size_t>(state.editing.diagnostics.size(), 3)) +
            ImGui::GetStyle().ItemSpacing.y;
  push_font(panel.look.fonts.mono);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 4});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, as_vector(panel.look.theme.background));
  const ImVec2 room = ImGui::GetContentRegionAvail();
  ImGui::BeginChild("editor", {0, std::max(room.y - below, 3 * ImGui::GetTextLineHeight())}, true,
                    ImGuiWindowFlags_HorizontalScrollbar);
  const Lines lines = split(text_);
  const float line_height = ImGui::GetTextLineHeight();
  const float digit = width_of("0");
  const float gutter = digit * static_cast<float>(std::max<std::size_t>(2, std::to_string(lines.lines.size()).size())) +
                       line_height * 1.2f;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float text_width = digit * static_cast<float>(lines.longest + 4);
  const float width = std::max(text_width, ImGui::GetContentRegionAvail().x - gutter);
  const float height =
      std::max(line_height * static_cast<float>(lines.lines.size() + 1), ImGui::GetContentRegionAvail().y);
  draw_marks(panel, lines, origin, gutter, line_height, gutter + width);
  draw_numbers(panel, lines.lines.size(), origin, gutter, line_height);
  ImGui::SetCursorScreenPos({origin.x + gutter, origin.y});
  ImGui::PushStyleColor(ImGuiCol_FrameBg, {0, 0, 0, 0});
  Editor editor;
  if (completing_wanted()) complete_word(panel, editor);
  // Esc leaves the editor; Dear ImGui would undo all that was typed in it.
  const std::optional<std::string> kept = key_pressed(ImGuiKey_Escape) ? std::optional(text_) : std::nullopt;
  const bool changed = ImGui::InputTextMultiline("##text", &text_, {width, height},
                                                 ImGuiInputTextFlags_AllowTabInput | ImGuiInputTextFlags_CallbackAlways,
                                                 follow_editor, &editor);
  const int cursor = editor.cursor;
  if (!editor.word.empty()) completed_to_ = cursor;
  ImGui::PopStyleColor();
  if (kept) text_ = *kept;
  if (changed && !kept) panel.emit(command::EditProgram{text_});
  if (state.help.asked && cursor >= 0) {
    const auto topic = topic_at(text_, static_cast<std::size_t>(cursor));
    panel.emit(command::AnswerHelp{topic.value_or(Topic{"stream program", help::Kind::term}), true});
  }

  // Keep the cursor in sight as it moves.
  if (cursor >= 0 && cursor != cursor_) {
    const auto before = std::string_view(text_).substr(
        0, static_cast<std::size_t>(std::min<std::ptrdiff_t>(cursor, std::ssize(text_))));
    const auto line = static_cast<float>(std::count(before.begin(), before.end(), '\n'));
    const float y = line * line_height, view = ImGui::GetWindowHeight() - 2 * line_height;
    if (y < ImGui::GetScrollY()) ImGui::SetScrollY(y);
    if (y + line_height > ImGui::GetScrollY() + view) ImGui::SetScrollY(y + line_height - view);
    const std::size_t start = before.rfind('\n');
    const float x = digit * static_cast<float>(before.size() - (start == std::string_view::npos ? 0 : start + 1));
    if (x < ImGui::GetScrollX()) ImGui::SetScrollX(std::max(0.0f, x - 8 * digit));
    if (gutter + x + 2 * digit > ImGui::GetScrollX() + ImGui::GetWindowWidth())
      ImGui::SetScrollX(gutter + x + 8 * digit - ImGui::GetWindowWidth());
  }
  if (cursor != completed_to_) completed_to_ = -1;
  if (completed_to_ >= 0) {
    const auto before = std::string_view(text_).substr(0, static_cast<std::size_t>(cursor));
    const auto line = static_cast<float>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t start = before.rfind('\n');
    const auto column = static_cast<float>(before.size() - (start == std::string_view::npos ? 0 : start + 1));
    show_completion(panel, {origin.x + gutter + column * digit, origin.y + line * line_height});
  }
  cursor_ = cursor;
  if (state.workspace.show_line != 0) {
    scroll_to_line_ = state.workspace.show_line;
    panel.emit(command::LineShown{});
  }
  if (scroll_to_line_ != 0) {
    ImGui::SetScrollY(std::max(0.0f, (static_cast<float>(scroll_to_line_) - 2) * line_height));
    scroll_to_line_ = 0;
  }
  ImGui::EndChild();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  ImGui::PopFont();
  if (below > 0) {
    ImGui::BeginChild("messages", {0, 0});
    scroll_to_line_ = messages(panel);
    ImGui::EndChild();
  }
  ImGui::End();
}

}  // namespace streamscope::window
