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
#include "app/window/state/undo.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

// Marks of errors and of the lines that are lit, drawn under the text.
void draw_marks(const Panel& panel, const std::vector<program::Diagnostic>& told, const CodeView::Lines& lines,
                bool of_program = true) {
  const timeline::Theme& theme = panel.look.theme;
  const float thick = 3 * panel.look.scale;
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  if (of_program) mark_lines(panel, lines, [](std::uint32_t line) { return line; });
  std::uint32_t marked = 0;
  for (const program::Diagnostic& each : told) {
    if (each.line < lines.first || each.line > lines.last) continue;
    const bool error = each.severity == program::Diagnostic::Severity::error;
    const timeline::Colour ink = error ? theme.error : mixed(theme.text, theme.model, 0.5f);
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

// How one stands in the list: where, and what is wrong there.
std::string message_text(const kernels::SourceError& of) {
  const std::string column = of.column == 0 ? std::string() : fmt::format("{}:", of.column);
  return fmt::format("{}:{}:{} {}", of.file, of.line, column, of.message);
}

// In the program: the kernel's declaration stands for what is wrong in its source.
std::vector<program::Diagnostic> marks_of(const State& state) {
  std::vector<program::Diagnostic> told = told_diagnostics(state);
  if (const auto& uncompiled = state.editing.uncompiled)
    told.push_back({.line = uncompiled->line, .message = message_text(uncompiled->errors.front())});
  return told;
}

// The error whose place is shown; nullptr: the program is.
const kernels::SourceError* error_looked_at(const State& state) {
  const auto& uncompiled = state.editing.uncompiled;
  return !uncompiled || uncompiled->looked_at == 0 ? nullptr : &uncompiled->errors[uncompiled->looked_at - 1];
}

void header_of_source(const Panel& panel, const kernels::SourceError& error) {
  ImGui::AlignTextToFramePadding();
  text(error.file, panel.look.theme.strong_text, &panel.look.fonts.strong);
  const char* const back = tr("Back to the program");
  const float button = sign_button_width(back, Sign::none), spacing = ImGui::GetStyle().ItemSpacing.x;
  ImGui::SameLine();
  const std::string about =
      elided(tr("as it was compiled; change it in its file"), ImGui::GetContentRegionAvail().x - button - spacing);
  text(about, panel.look.theme.faint_text);
  ImGui::SameLine();
  const float left = ImGui::GetContentRegionAvail().x - button;
  if (left > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + left);
  if (sign_button(panel.look, back, Sign::none)) panel.emit(command::LookAtError{0});
}

void header(const Panel& panel) {
  const State& state = panel.state;
  ImGui::AlignTextToFramePadding();
  text(tr("Stream program"), panel.look.theme.strong_text, &panel.look.fonts.strong);
  const timeline::Theme& theme = panel.look.theme;
  auto errors = std::count_if(
      state.editing.diagnostics.begin(), state.editing.diagnostics.end(),
      [](const program::Diagnostic& each) { return each.severity == program::Diagnostic::Severity::error; });
  if (state.editing.uncompiled) errors += std::ssize(state.editing.uncompiled->errors);
  std::string about = state.editing.own_program ? state.editing.own.name : tr("built from the controls");
  timeline::Colour ink = theme.faint_text;
  if (errors != 0) {
    about = tr_n("{} error", "{} errors", static_cast<unsigned long>(errors), errors);
    ink = theme.error;
  } else if (state.editing.edited) {
    about = tr("edited");
    ink = mixed(theme.text, theme.model, 0.5f);
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

// What the list below the text says, in its order: of the program, then of its own kernels' sources.
struct Message {
  std::string text;
  bool error = true;
  std::uint32_t line = 0;        // of the program; 0: it is about a source
  std::size_t source_error = 0;  // of Uncompiled, counted from 1
  bool has_place = true;         // that can be shown
};
std::vector<Message> messages_of(const State& state) {
  std::vector<Message> all;
  for (const program::Diagnostic& each : told_diagnostics(state))
    all.push_back({.text = message_text(each),
                   .error = each.severity == program::Diagnostic::Severity::error,
                   .line = each.line});
  if (const auto& uncompiled = state.editing.uncompiled) {
    for (const kernels::SourceError& each : uncompiled->errors)
      all.push_back({.text = message_text(each),
                     .source_error = static_cast<std::size_t>(&each - uncompiled->errors.data()) + 1,
                     .has_place = source_of(*uncompiled, each) != nullptr});
  }
  return all;
}

// Of the list of messages: all of its lines, up to three and two fifths of the panel.
float height_of_messages(const std::vector<Message>& told) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float line = ImGui::GetTextLineHeight();
  std::ptrdiff_t left = std::clamp(static_cast<int>(0.4f * room.y / line), 1, 3);
  float height = 0;
  for (const Message& each : told) {
    if (left == 0) break;
    const std::string wrapped = in_lines(each.text, room.x);  // where all have room, there is no bar beside them
    const std::ptrdiff_t lines = std::min(left, 1 + std::count(wrapped.begin(), wrapped.end(), '\n'));
    if (height > 0) height += ImGui::GetStyle().ItemSpacing.y;
    height += line * static_cast<float>(lines);
    left -= lines;
  }
  return height;
}

// The list of all messages; a click goes to the line. Gives the one that was chosen.
const Message* messages(const Panel& panel, const std::vector<Message>& told) {
  const Message* chosen = nullptr;
  const timeline::Theme& theme = panel.look.theme;
  for (const Message& each : told) {
    wrapped(each.text, each.error ? theme.error : mixed(theme.text, theme.model, 0.5f));
    if (each.has_place && ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (each.has_place && ImGui::IsItemClicked()) chosen = &each;
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
  view_.replace(completion_.begin, static_cast<std::size_t>(view_.cursor()), completion_.words[completing_]);
  completes_ = true;
}

// The program has become another one than is typed here: by undo, or a file was opened. A field that is typed in takes
// only changes of its text.
void ProgramPanel::take_over(const std::string& program, bool seen) {
  if (!seen || view_.cursor() < 0) return void(text_ = program);
  const TextChange change = text_change(text_, program);
  view_.replace(change.begin, change.end, program.substr(change.begin, change.length));
}

// The words that there are, below the cursor, with what the one that stands there means.
void ProgramPanel::show_completion(const Panel& panel) const {
  const ImVec2 cursor = view_.place_of_cursor();
  ImGui::SetNextWindowPos({cursor.x, cursor.y + ImGui::GetTextLineHeight() * 1.3f});
  if (!begin_tooltip()) return;
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
  if (std::exchange(version_, state.editing.version) != state.editing.version && text_ != state.editing.program)
    take_over(state.editing.program, error_looked_at(state) == nullptr && !of_another_tool(state));
  begin_panel("Program", place);
  if (of_another_tool(state)) {
    wrapped(
        tr("The trace in view is another tool's and has no stream program. The program that was here comes back with "
           "the next run."),
        panel.look.theme.faint_text);
    ImGui::End();
    return;
  }
  const std::vector<Message> told = messages_of(state);
  float below = 0;
  if (!told.empty()) below = height_of_messages(told) + ImGui::GetStyle().ItemSpacing.y;
  const kernels::SourceError* const error = error_looked_at(state);
  error != nullptr ? draw_source(panel, *error, below) : draw_program(panel, below);
  if (below > 0) {
    ImGui::BeginChild("messages", {0, 0});
    if (const Message* const chosen = messages(panel, told); chosen != nullptr) {
      if (state.editing.uncompiled) panel.emit(command::LookAtError{chosen->source_error});
      if (chosen->line != 0) view_.show(chosen->line, true);
      if (chosen->source_error != 0) source_shown_ = 0;
    }
    ImGui::EndChild();
  }
  ImGui::End();
}

// Elsewhere the table of keys does it.
void ProgramPanel::undo(const Panel& panel) const {
  const ImGuiIO& io = ImGui::GetIO();
  if (view_.cursor() < 0 || !io.KeyCtrl) return;
  if (key_pressed(ImGuiKey_Z) && !io.KeyShift) panel.emit(command::UndoChange{});
  if (key_pressed(ImGuiKey_Y) || (key_pressed(ImGuiKey_Z) && io.KeyShift)) panel.emit(command::RedoChange{});
}

void ProgramPanel::draw_program(const Panel& panel, float below) {
  const State& state = panel.state;
  source_shown_ = 0;
  header(panel);
  if (completing_wanted()) complete_word(panel);
  const CodeView::Code code{.id = "editor", .text = text_, .pieces = [&](std::string_view line) {
                              return coloured(words_of_program(line), panel.look.theme);
                            }};
  const std::vector<program::Diagnostic> told = marks_of(state);
  const bool changed = view_.draw(panel.look, code, {0, ImGui::GetContentRegionAvail().y - below},
                                  [&](const CodeView::Lines& lines) { draw_marks(panel, told, lines); });
  if (changed && text_ != state.editing.program) panel.emit(command::EditProgram{text_});
  undo(panel);
  if (view_.replaced()) completed_to_ = std::exchange(completes_, false) ? view_.cursor() : -1;
  if (view_.cursor() != completed_to_) completed_to_ = -1;
  if (completed_to_ >= 0) show_completion(panel);
  if (state.help.asked && view_.cursor() >= 0) {
    const auto topic = topic_at(text_, static_cast<std::size_t>(view_.cursor()));
    panel.emit(command::AnswerHelp{topic.value_or(Topic{"stream program", help::Kind::term}), true});
  }
  if (view_.moved() && state.workspace.cuda_open) panel.emit(command::LookAtLine{view_.line_of_cursor()});
  if (const std::uint32_t line = chosen_.newly(state); line != 0 && view_.cursor() < 0) view_.show(line, false);
  if (state.workspace.show_line != 0) {
    view_.show(state.workspace.show_line, true);
    panel.emit(command::LineShown{});
  }
}

// The source of a kernel of its own where an error is, to be read.
void ProgramPanel::draw_source(const Panel& panel, const kernels::SourceError& error, float below) {
  const Uncompiled& uncompiled = *panel.state.editing.uncompiled;
  header_of_source(panel, error);
  const kernels::OwnSource* const source = source_of(uncompiled, error);
  if (source == nullptr) return;
  if (source_ != source->text) source_ = source->text;
  std::vector<program::Diagnostic> told;
  for (const kernels::SourceError& each : uncompiled.errors)
    if (each.file == error.file) told.push_back({.line = each.line, .column = each.column, .message = each.message});
  const CodeView::Code code{.id = "source", .text = source_, .read_only = true, .pieces = [&](std::string_view line) {
                              return coloured(words_of_cuda(line), panel.look.theme);
                            }};
  if (std::exchange(source_shown_, uncompiled.looked_at) != uncompiled.looked_at) source_view_.show(error.line, true);
  source_view_.draw(panel.look, code, {0, ImGui::GetContentRegionAvail().y - below},
                    [&](const CodeView::Lines& lines) { draw_marks(panel, told, lines, false); });
}

}  // namespace streamscope::window
