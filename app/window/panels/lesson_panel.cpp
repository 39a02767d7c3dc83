#include "app/window/panels/lesson_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "app/window/panels/code_words.h"
#include "app/window/panels/languages.h"
#include "app/window/panels/lesson_question.h"
#include "app/window/panels/lesson_words.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"
#include "engine/cuda_source/cuda_source.h"

namespace streamscope::window {
namespace {

void head(const Panel& panel) {
  const LessonState& at = panel.state.lesson;
  wrapped(words_in(*at.open, at.language).title, panel.look.theme.strong_text, &panel.look.fonts.strong);
  text(tr("Step {} of {}", at.step + 1, at.open->steps.size()), panel.look.theme.faint_text);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ImGui::GetFontSize() * 6);
  std::vector<lesson::Language> spoken;
  for (std::size_t i = 0; i < at.open->words.size(); ++i)
    if (at.open->words[i]) spoken.push_back(static_cast<lesson::Language>(i));
  if (spoken.size() > 1)
    if (const auto chosen = combo("##language", spoken, at.language, own_name))
      panel.emit(command::SpeakLesson{*chosen});
  if (spoken.size() > 1) ImGui::SameLine();
  if (ImGui::Button(tr("Leave"))) panel.emit(command::LeaveLesson{});
  if (ImGui::IsItemHovered()) tooltip(tr("Back to the controls; the lesson is kept at this step"));
  if (const lesson::Place place = lesson_place(panel.state.lesson, panel.state.settings); !place.why.empty())
    wrapped(place.device == panel.state.settings.device ? place.why : tr("{}; it runs on {}", place.why, place.device),
            panel.look.theme.warning);
}

// A line of code in lines no wider than that: what is broken off stands further in than the line itself.
std::string in_code_lines(std::string_view line, float width) {
  const std::string indent(std::min(line.find_first_not_of(' '), line.size()), ' '), further = indent + "    ";
  std::string words(line.substr(indent.size()));
  if (words.ends_with('\\')) words.erase(words.find_last_not_of(" \\") + 1) += " \\";  // far at the right
  // A comment that has no room beside the code stands below it, each of its lines a comment.
  std::size_t comment = words.find("// ");
  if (comment == 0 || width_of(line) <= width) comment = words.npos;
  std::string out = indent;
  const auto add = [&](const std::string& part, const std::string& before) {
    for (const char each : in_lines(part, width - width_of(further + before))) {
      out += each;
      if (each == '\n') out += further + before;
    }
  };
  std::string statement = words.substr(0, comment);
  statement.erase(statement.find_last_not_of(' ') + 1);
  add(statement, "");
  if (comment == words.npos) return out;
  out += '\n' + further + "// ";
  add(words.substr(comment + 3), "// ");
  return out;
}

// The CUDA C++ of the step's run: the lines that are meant are lit, and nothing of a line is out of sight.
void code(const Panel& panel, const lesson::Step& step) {
  const lesson::RunToMake* run = run_named(*panel.state.lesson.open, step.run);
  if (run == nullptr) return;
  const auto source = cuda_source::write(run->input.program, run->input.checked, "program.cu");
  if (!source) return wrapped(source.error().message, panel.look.theme.error);
  std::set<std::uint32_t> lit;
  for (const lesson::OperationName& each : step.lines)
    if (const auto named = lesson::lines(run->input.checked, run->tags, each)) lit.insert(named->begin(), named->end());
  push_font(panel.look.fonts.mono);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, std::round(3 * panel.look.scale)});
  ImGui::BeginChild("code", {0, 0}, true);
  const float bar = 3 * panel.look.scale, pad = 3 * bar;
  const float width = ImGui::GetContentRegionAvail().x - 2 * pad, height = ImGui::GetTextLineHeight();
  const std::size_t first = cuda_source::first_line(*source, lit);
  std::size_t number = 0;
  for (std::string_view rest = source->text; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const bool meant = number < source->lines.size() && lit.contains(source->lines[number]);
    if (number == first && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY(0.1f);
    const std::string shown = in_code_lines(line, width);
    const auto [x, y] = ImGui::GetCursorScreenPos();
    if (meant) {
      const float end = y + height * static_cast<float>(1 + std::ranges::count(shown, '\n'));
      ImDrawList& list = *ImGui::GetWindowDrawList();
      list.AddRectFilled({x, y}, {x + width + 2 * pad, end}, packed(lit_ground(panel.look.theme)));
      list.AddRectFilled({x, y}, {x + bar, end}, packed(panel.look.theme.selection));
    }
    ImGui::SetCursorScreenPos({x + pad, y});
    text(shown, meant ? panel.look.theme.strong_text : panel.look.theme.faint_text);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

void way(const Panel& panel) {
  const LessonState& at = panel.state.lesson;
  const bool last = at.step + 1 == at.open->steps.size();
  const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
  {
    const Disabled first(at.step == 0 ? tr("This is the first step.") : "");
    if (ImGui::Button(tr("Previous"), {half, 0})) panel.emit(command::StepLesson{-1});
    first.explain();
  }
  ImGui::SameLine();
  if (last && !hides_run(at)) {
    if (ImGui::Button(tr("Save the answers"), {half, 0})) panel.emit(command::SaveAnswers{});
    if (ImGui::IsItemHovered())
      tooltip(tr("As a file with the runs in it, which `streamscope lesson {} --check` grades", at.open->name));
    return;
  }
  const Disabled waits(hides_run(at) ? tr("Answer the question first, or skip it.") : "");
  if (ImGui::Button(tr("Next"), {half, 0})) panel.emit(command::StepLesson{1});
  waits.explain();
}

}  // namespace

void lesson_panel(const Panel& panel, const Box& place) {
  begin_panel("Lesson", place);
  const LessonState& at = panel.state.lesson;
  const lesson::Step& step = *step_at(at);
  head(panel);
  ImGui::Separator();
  const float below = ImGui::GetFrameHeightWithSpacing();
  ImGui::BeginChild(fmt::format("step {}", at.step).c_str(), {0, -below});
  const lesson::Runs runs = facts(at);
  lesson::Scope scope = scope_of(step, runs);
  if (at.changed.facts) scope.at_hand = at.changed.facts.get();
  if (at.step == 0) {
    lesson_text(panel, words_in(*at.open, at.language).about, scope);
    ImGui::Separator();
  }
  lesson_text(panel, section_of(*at.open, step, at.language).text, scope);
  ImGui::Spacing();
  switch (step.kind) {
    case lesson::StepKind::predict:
    case lesson::StepKind::vote: lesson_question(panel, step); break;
    case lesson::StepKind::change: lesson_change(panel, step); break;
    case lesson::StepKind::check: lesson_relations(panel, step); break;
    case lesson::StepKind::code: code(panel, step); break;
    case lesson::StepKind::say:
    case lesson::StepKind::run: break;
  }
  ImGui::EndChild();
  way(panel);
  ImGui::End();
}

void lesson_curtain(const Panel& panel, const Box& place) {
  begin_panel("Lesson curtain", place);
  const char* const words = tr("Predict first: the run is shown when the question is answered.");
  const ImVec2 size = ImGui::CalcTextSize(words, nullptr, false, place.width * 0.8f);
  ImGui::SetCursorPos({(place.width - size.x) / 2, place.height * 0.4f});
  ImGui::PushTextWrapPos(place.width * 0.9f);
  text(words, panel.look.theme.faint_text);
  ImGui::PopTextWrapPos();
  ImGui::End();
}

}  // namespace streamscope::window
