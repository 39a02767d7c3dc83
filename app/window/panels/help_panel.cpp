#include "app/window/panels/help_panel.h"

#include <fmt/format.h>
#include <imgui.h>
// Dear ImGui before its own extension.
#include <imgui_stdlib.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "app/window/panels/key_help.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

using help::Entry;
using help::Kind;

std::vector<const Entry*> entries_of(const Topic& topic) {
  std::vector<const Entry*> called = help::find(window_help(), topic.word).called;
  const auto of_kind = [&](const Entry* each) { return each->kind == topic.kind; };
  if (topic.kind && std::ranges::any_of(called, of_kind)) std::erase_if(called, std::not_fn(of_kind));
  return called;
}

bool of_language(const Entry& entry) {
  return entry.kind == Kind::statement || entry.kind == Kind::statement_option || entry.kind == Kind::notion;
}

// A text on the editor's ground.
void code(const Panel& panel, const char* id, const std::string& written) {
  push_font(panel.look.fonts.mono);
  const float pad = ImGui::GetStyle().FramePadding.y, line = ImGui::GetTextLineHeight();
  const auto lines =
      static_cast<float>(1 + std::count(written.begin(), written.end(), '\n') - (written.ends_with('\n') ? 1 : 0));
  const bool wide = width_of(written) > ImGui::GetContentRegionAvail().x - 2 * pad;
  const float bar = wide ? ImGui::GetStyle().ScrollbarSize : 0;
  ImGui::PushStyleColor(ImGuiCol_ChildBg, as_vector(panel.look.theme.background));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {pad * 1.5f, pad});
  ImGui::BeginChild(id, {0, lines * line + 2 * pad + bar}, true,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGui::TextUnformatted(written.data(), written.data() + written.size() - (written.ends_with('\n') ? 1 : 0));
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void fact_row(const Panel& panel, const char* label, std::string_view value) {
  if (value.empty()) return;
  const float start = ImGui::GetCursorPosX();
  text(label, panel.look.theme.faint_text);
  ImGui::SameLine(start + ImGui::GetFontSize() * 6);
  wrapped(value);
}

std::string with_commas(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

// Kept: frames ask again and again.
bool has_help(const std::string& word) {
  static std::map<std::string, bool> known;
  const auto [at, is_new] = known.try_emplace(word);
  if (is_new) at->second = !help::find(window_help(), word).called.empty();
  return at->second;
}

// Buttons side by side, on as many lines as it takes.
void links(const Panel& panel, const std::vector<std::string>& words) {
  bool any = false;
  for (const std::string& each : words) {
    if (!has_help(each)) continue;  // of the command line, which is not here
    if (!any) text(tr("See also"), panel.look.theme.faint_text);
    any = true;
    const float wide = width_of(each) + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::SameLine();
    if (wide > ImGui::GetContentRegionAvail().x) ImGui::NewLine();
    if (ImGui::SmallButton(each.c_str())) panel.emit(command::ShowHelp{{each, std::nullopt}});
  }
}

void put_into_editor(const Panel& panel, const Entry& entry) {
  const Editing& editing = panel.state.editing;
  OpenedFile file{.name = tr("example of {}", entry.word), .content = {}};
  file.content.program = entry.example;
  const bool typed = editing.edited;
  panel.emit(command::FileOpened{std::move(file)});
  panel.emit(command::ShowDock{command::Dock::program});
  panel.emit(command::Say{typed ? tr("The example is in the editor; \"Bring back the typed text\" there does so.")
                                : tr("The example is in the editor.")});
}

void example(const Panel& panel, const Entry& entry) {
  if (entry.example.empty()) return;
  ImGui::Spacing();
  text(tr("Example"), panel.look.theme.faint_text);
  code(panel, "example", entry.example);
  if (of_language(entry)) {
    if (ImGui::Button(tr("Put into the editor"))) put_into_editor(panel, entry);
    if (ImGui::IsItemHovered())
      tooltip(tr("Puts it in place of the program and runs it. What was typed is kept aside."));
    return;
  }
  const auto& shipped = panel.state.editing.shipped;
  const auto file = std::ranges::find(shipped, entry.word, &experiment::Shipped::name);
  const auto& lessons = panel.state.lesson.all;
  const auto lesson = std::ranges::find(lessons, entry.word, &lesson::Listed::name);
  const auto open = [&](Command command) {
    if (ImGui::Button(tr("Open it"))) panel.emit(std::move(command));
    ImGui::SameLine();
  };
  if (entry.kind == Kind::lesson && lesson != lessons.end())
    open(command::OpenLesson{lesson->folder});
  else if (comes_along(entry) && file != shipped.end())
    open(command::OpenFile{file->path});
  if (ImGui::Button(tr("Copy"))) panel.emit(command::Copied{entry.example, tr("The example was copied.")});
}

void entry_view(const Panel& panel, const Entry& entry) {
  const timeline::Theme& theme = panel.look.theme;
  wrapped(entry.word, theme.strong_text, &panel.look.fonts.strong);
  const std::string what = help::what(entry.kind, entry.of);
  if (ImGui::GetItemRectSize().x + ImGui::GetStyle().ItemSpacing.x + width_of(what) < ImGui::GetContentRegionAvail().x)
    ImGui::SameLine();
  wrapped(what, theme.faint_text);
  wrapped(entry.sentence);
  if (!entry.syntax.empty()) code(panel, "syntax", entry.syntax);
  if (!entry.calls.empty()) fact_row(panel, "CUDA", with_commas(entry.calls));
  fact_row(panel, tr("Values"), entry.range);
  fact_row(panel, tr("Unit"), entry.unit);
  fact_row(panel, tr("Default"), entry.standard);
  // The titles of files are for finding only; a lesson's is no part of its name.
  if (!comes_along(entry) || entry.kind == Kind::lesson) fact_row(panel, tr("Also"), with_commas(entry.also));
  if (!entry.text.empty()) {
    ImGui::Spacing();
    wrapped(entry.text);
  }
  example(panel, entry);
  if (!entry.see.empty()) {
    ImGui::Spacing();
    links(panel, entry.see);
  }
}

void topic_view(const Panel& panel, const Topic& topic) {
  const std::vector<const Entry*> all = entries_of(topic);
  for (std::size_t i = 0; i < all.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (i > 0) {
      ImGui::Spacing();
      ImGui::Separator();
      ImGui::Spacing();
    }
    entry_view(panel, *all[i]);
    ImGui::PopID();
  }
  if (!all.empty()) return;
  wrapped(tr("Nothing is called '{}'.", topic.word));
  links(panel, help::find(window_help(), topic.word).near);
}

// What the panel must remember between frames.
struct HelpMemory {
  bool was_open = false;
  bool focus = false;  // the field is to have it again in the next frame
  int chosen = 0;      // of the list
  std::string words;   // that it was made for
} help_memory;

// A click, or Enter for the one that the arrows have come to, opens one.
void list(const Panel& panel, const std::string& words, bool entered) {
  const std::vector<const Entry*> found = found_help(words);
  const int count = static_cast<int>(found.size());
  if (std::exchange(help_memory.words, words) != words) help_memory.chosen = 0;
  const int moved = key_pressed(ImGuiKey_DownArrow) ? 1 : key_pressed(ImGuiKey_UpArrow) ? -1 : 0;
  help_memory.chosen = std::clamp(help_memory.chosen + moved, 0, std::max(0, count - 1));
  const auto open = [&](const Entry& entry) { panel.emit(command::ShowHelp{{entry.word, entry.kind}}); };
  if (entered && count > 0) open(*found[static_cast<std::size_t>(help_memory.chosen)]);
  if (found.empty()) text(tr("Nothing speaks of it."), panel.look.theme.faint_text);
  const float line = ImGui::GetTextLineHeightWithSpacing(), column = ImGui::GetFontSize() * 11;
  if (moved != 0) {
    const float y = line * static_cast<float>(help_memory.chosen), room = ImGui::GetWindowHeight() - line;
    if (y < ImGui::GetScrollY() || y > ImGui::GetScrollY() + room) ImGui::SetScrollY(moved < 0 ? y : y - room + line);
  }
  ImGuiListClipper clipper;
  clipper.Begin(count, line);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const Entry& each = *found[static_cast<std::size_t>(i)];
      ImGui::PushID(i);
      const float start = ImGui::GetCursorPosX();
      if (ImGui::Selectable("##entry", i == help_memory.chosen)) open(each);
      const bool hovered = ImGui::IsItemHovered();
      ImGui::SameLine(start);
      text(elided(each.word, column - ImGui::GetStyle().ItemSpacing.x));
      ImGui::SameLine(start + column);
      text(elided(each.sentence, ImGui::GetContentRegionAvail().x), panel.look.theme.faint_text);
      if (hovered) tooltip(fmt::format("{} ({})\n{}", each.word, help::what(each.kind, each.of), each.sentence));
      ImGui::PopID();
    }
}

}  // namespace

bool help_awaits_cursor(const Help& help) { return help.asked || (help.open && !help_memory.was_open); }

void help_panel(const Panel& panel) {
  const Help& help = panel.state.help;
  if (help.asked) panel.emit(command::SettleHelp{});
  const bool opens = !std::exchange(help_memory.was_open, help.open) && help.open;
  if (!help.open) return;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float em = ImGui::GetFontSize();
  ImGui::SetNextWindowSize({std::min(em * 34, size.x * 0.9f), std::min(em * 36, size.y * 0.75f)}, ImGuiCond_Appearing);
  ImGui::SetNextWindowPos({size.x - em, size.y * 0.14f}, ImGuiCond_Appearing, {1, 0});
  bool open = true;
  constexpr ImGuiWindowFlags kFlags =
      ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing;
  if (ImGui::Begin(tr("Help"), &open, kFlags)) {
    const float button = sign_button_width(tr("Back"), Sign::none);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - ImGui::GetStyle().ItemSpacing.x);
    std::string words = help.search;
    // Who asked from a text goes on typing there.
    if (std::exchange(help_memory.focus, false) || (opens && !ImGui::GetIO().WantTextInput)) focus_field();
    const bool entered =
        ImGui::InputTextWithHint("##search", tr("search all help"), &words, ImGuiInputTextFlags_EnterReturnsTrue);
    field_drawn();
    if (entered) help_memory.focus = true, await_field();
    if (words != help.search) panel.emit(command::SearchHelp{words});
    ImGui::SameLine();
    {
      const Disabled disabled(help.before.empty() && words.empty() ? tr("There is nothing before it.") : "");
      if (ImGui::Button(tr("Back"), {-FLT_MIN, 0})) {
        help_memory.focus = true;
        await_field();
        panel.emit(command::HelpBack{});
      }
      disabled.explain();
    }
    ImGui::Spacing();
    ImGui::BeginChild("text", {0, 0});
    if (!words.empty() || help.topic.word.empty())
      list(panel, words, entered);
    else
      topic_view(panel, help.topic);
    ImGui::EndChild();
    // Where nobody types the table of keys does it (actions.h); a palette over it closes alone.
    if (ImGui::GetIO().WantTextInput && key_pressed(ImGuiKey_Escape) && !panel.state.workspace.palette_open)
      panel.emit(command::CloseHelp{});
  }
  ImGui::End();
  if (!open) panel.emit(command::CloseHelp{});
}

}  // namespace streamscope::window
