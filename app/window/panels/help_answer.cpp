#include "app/window/panels/help_answer.h"

#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/help/help.h"

namespace streamscope::window {
namespace {

using help::Entry;
using help::Kind;

bool in_word(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || c == '_' || c == '-' || c == '.';
}

std::optional<Topic> topic_of(std::string_view word) {
  if (word.empty()) return std::nullopt;
  for (const Entry* each : help::find(help::all(), word).called)
    if (each->kind == Kind::statement || each->kind == Kind::statement_option || each->kind == Kind::notion)
      return Topic{std::string(word), each->kind};
  return std::nullopt;
}

}  // namespace

void answer_help(const Panel& panel, std::string_view word, std::optional<Kind> kind) {
  if (!panel.state.help.asked) return;
  // What keys do stands beside them (actions.h), and there is always help for it.
  if (kind != Kind::key && help::find(help::all(), word).called.empty()) return;
  panel.emit(command::AnswerHelp{{std::string(word), kind}});
}

void help_here(const Panel& panel, std::string_view word, std::optional<Kind> kind) {
  constexpr auto kAnyhow = ImGuiHoveredFlags_AllowWhenDisabled | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem;
  if (panel.state.help.asked && ImGui::IsItemHovered(kAnyhow)) answer_help(panel, word, kind);
}

void help_in_row(const Panel& panel, std::string_view word, std::optional<Kind> kind) {
  help_here(panel, word, kind);
  const ImVec2 mouse = ImGui::GetMousePos(), low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const bool on_label = mouse.x < low.x && mouse.y >= low.y && mouse.y < high.y && ImGui::IsWindowHovered();
  if (panel.state.help.asked && on_label) answer_help(panel, word, kind);
}

std::optional<Topic> topic_at(std::string_view program, std::size_t cursor) {
  cursor = std::min(cursor, program.size());
  std::size_t begin = cursor, end = cursor;
  while (begin > 0 && in_word(program[begin - 1])) --begin;
  while (end < program.size() && in_word(program[end])) ++end;
  if (auto topic = topic_of(program.substr(begin, end - begin))) return topic;
  // The line's first word that is one of the language: "S0: h2d x" has a stream before it.
  const std::size_t before = program.substr(0, cursor).rfind('\n');
  std::string_view line = program.substr(before == std::string_view::npos ? 0 : before + 1);
  line = line.substr(0, std::min(line.find('\n'), line.find('#')));
  if (const std::size_t colon = line.find(": "); colon != std::string_view::npos) line.remove_prefix(colon + 2);
  while (!line.empty() && !in_word(line.front())) line.remove_prefix(1);
  std::size_t length = 0;
  while (length < line.size() && in_word(line[length])) ++length;
  return topic_of(line.substr(0, length));
}

}  // namespace streamscope::window
