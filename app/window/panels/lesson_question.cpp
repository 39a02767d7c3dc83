#include "app/window/panels/lesson_question.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "app/window/panels/lesson_words.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/state/run_requests.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/place.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/lesson/grade.h"

namespace streamscope::window {
namespace {

using Mark = lesson::Grade::Mark;

const lesson::Section& section(const Panel& panel, const lesson::Step& step) {
  return section_of(*panel.state.lesson.open, step, panel.state.lesson.language);
}

// In words what was given. An order is shown by the words of its items, which their names may say nothing of.
std::string in_words(const Panel& panel, const lesson::Step& step, const lesson::Answer& given,
                     const lesson::Scope& scope) {
  const auto& options = section(panel, step).options;
  if (const auto* chosen = std::get_if<lesson::answer::Chosen>(&given)) return plain(options.at(chosen->name), &scope);
  const auto* ordered = std::get_if<lesson::answer::Ordered>(&given);
  if (ordered == nullptr) return display(step, given);
  std::string out;
  for (const std::string& name : ordered->items)
    out += fmt::format("\n{}. {}", std::count(out.begin(), out.end(), '\n') + 1, plain(options.at(name), &scope));
  return out;
}

// What is said to that answer; of a wrong choice its own words.
void reply(const Panel& panel, const lesson::Step& step, const std::string& name, const lesson::Scope& scope) {
  const auto& answers = section(panel, step).answers;
  auto at = answers.find(name);
  if (at == answers.end()) at = answers.find("wrong");
  if (at != answers.end()) lesson_text(panel, at->second, scope);
}

// Whether all runs that answers may be held against are there.
bool ready(const Panel& panel) {
  const LessonState& at = panel.state.lesson;
  if (!at.failed.empty()) {
    wrapped(at.failed.begin()->second, panel.look.theme.error);
    return false;
  }
  if (at.runs.size() == at.open->runs.size()) return true;
  text(tr("The runs are being made…"), panel.look.theme.faint_text);
  return false;
}

void answered(const Panel& panel, const lesson::Step& step, const lesson::Answer& given) {
  if (!ready(panel)) return;
  const lesson::Runs runs = facts(panel.state.lesson);
  const lesson::Scope scope = scope_of(step, runs);
  const auto graded = lesson::grade(step, given, runs);
  if (!graded) return wrapped(graded.error().message, panel.look.theme.error);
  const bool right = graded->mark == Mark::right;
  const std::string said = graded->mark == Mark::skipped ? std::string() : in_words(panel, step, given, scope);
  wrapped(graded->mark == Mark::skipped ? std::string(tr("Skipped."))
          : right                       ? tr("Right: {}", said)
                                        : tr("Not so: {}", said),
          right ? panel.look.theme.strong_text : panel.look.theme.warning);
  if (const auto truth = right_answer(step, runs); !right && truth)
    wrapped(tr("This run says: {}", in_words(panel, step, *truth, scope)), panel.look.theme.strong_text);
  reply(panel, step, graded->mark == Mark::skipped ? "right" : graded->reply, scope);
  // What the class said stays beside it.
  const auto counted = panel.state.lesson.votes.find(step.name);
  if (counted == panel.state.lesson.votes.end()) return;
  ImGui::Spacing();
  text(tr("Show of hands"), panel.look.theme.faint_text);
  for (const lesson::Choice& each : step.choices) {
    const auto count = counted->second.find(each.name);
    wrapped(fmt::format("{:2}  {}", count == counted->second.end() ? 0 : count->second,
                        plain(section(panel, step).options.at(each.name), &scope)));
  }
}

void choices(const Panel& panel, const lesson::Step& step, const lesson::Scope& scope) {
  const bool vote = step.kind == lesson::StepKind::vote;
  const auto& votes = panel.state.lesson.votes;
  const auto counted = votes.find(step.name);
  if (vote) wrapped(tr("Show of hands: how many say so? Alone, press + at your answer."), panel.look.theme.faint_text);
  for (const lesson::Choice& each : step.choices) {
    ImGui::PushID(each.name.c_str());
    const std::string words = plain(section(panel, step).options.at(each.name), &scope);
    if (vote) {
      int count = 0;
      if (counted != votes.end())
        if (const auto at = counted->second.find(each.name); at != counted->second.end()) count = at->second;
      if (ImGui::Button("-")) panel.emit(command::CountVote{each.name, -1});
      if (ImGui::IsItemHovered()) tooltip(tr("One hand less"));
      ImGui::SameLine();
      ImGui::AlignTextToFramePadding();
      text(fmt::format("{:2}", count), panel.look.theme.strong_text);
      ImGui::SameLine();
      if (ImGui::Button("+")) panel.emit(command::CountVote{each.name, 1});
      if (ImGui::IsItemHovered()) tooltip(tr("One hand more"));
      ImGui::SameLine();
      wrapped(words);
    } else {
      // As tall as its words, which may take several lines.
      const float pad = ImGui::GetStyle().FramePadding.y * 2 + 4, room = ImGui::GetContentRegionAvail().x;
      const float inner = room - 2 * ImGui::GetStyle().FramePadding.x - 8;
      const std::string lines = in_lines(words, inner);
      const ImVec2 size = ImGui::CalcTextSize(lines.c_str());
      const ImVec2 at = ImGui::GetCursorScreenPos();
      if (ImGui::Button("##choice", {room, size.y + 2 * pad}))
        panel.emit(command::GiveAnswer{lesson::answer::Chosen{each.name}});
      ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), ImGui::GetFontSize(),
                                          {at.x + ImGui::GetStyle().FramePadding.x + 4, at.y + pad},
                                          packed(panel.look.theme.strong_text), lines.c_str());
    }
    ImGui::PopID();
  }
  // The class has answered: what most said stands beside the truth.
  if (vote && ImGui::Button(tr("Reveal"), {-FLT_MIN, 0}))
    panel.emit(command::GiveAnswer{revealed(panel.state.lesson, step)});
}

// All of the text, not its beginning.
std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), value);
  return error == std::errc{} && end == text.end() ? std::optional(value) : std::nullopt;
}

void number(const Panel& panel, const lesson::Step& step, const lesson::Answer* draft) {
  const auto* drafted = draft == nullptr ? nullptr : std::get_if<lesson::answer::Number>(draft);
  // Empty until something is typed: a 0 that stands there already could not be told from one that was meant.
  std::array<char, 32> typed{};
  if (drafted != nullptr) fmt::format_to_n(typed.data(), typed.size() - 1, "{:.9g}", drafted->value / step.unit.factor);
  ImGui::SetNextItemWidth(ImGui::GetFontSize() * 8);
  // Taken with each key: who types a number and presses Answer has given it, without an Enter between.
  const bool edited = ImGui::InputText("##number", typed.data(), typed.size(), ImGuiInputTextFlags_CharsScientific);
  const bool entered = ImGui::IsItemDeactivated() && enter_pressed();
  std::optional<lesson::Answer> answer;  // what was typed before is kept as it was, not as it is shown
  if (drafted != nullptr && !edited) answer = *draft;
  if (edited) {
    const std::optional<double> value = number_in(typed.data());
    if (value && std::isfinite(*value * step.unit.factor)) answer = lesson::answer::Number{*value * step.unit.factor};
    panel.emit(command::DraftAnswer{answer.value_or(lesson::answer::Skipped{})});
  }
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  text(step.unit.name == "count" ? std::string_view() : step.unit.name == "x" ? "×" : step.unit.name);
  const Disabled none(answer ? "" : tr("Type a number first."));
  if ((ImGui::Button(tr("Answer"), {-FLT_MIN, 0}) || entered) && answer) panel.emit(command::GiveAnswer{*answer});
  none.explain();
}

void order(const Panel& panel, const lesson::Step& step, const lesson::Scope& scope, const lesson::Answer* draft) {
  lesson::answer::Ordered now;
  if (const auto* before = draft == nullptr ? nullptr : std::get_if<lesson::answer::Ordered>(draft))
    now = *before;
  else
    now.items = first_order(*panel.state.lesson.open, step, scope.runs);
  for (std::size_t i = 0; i < now.items.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const auto move = [&](const char* label, ImGuiDir way, std::size_t to, bool can) {
      const Disabled end(can ? "" : tr("It is at the end."));
      if (ImGui::ArrowButton(label, way) && can) {
        lesson::answer::Ordered moved = now;
        std::swap(moved.items[i], moved.items[to]);
        panel.emit(command::DraftAnswer{moved});
      }
      ImGui::SameLine();
    };
    move("up", ImGuiDir_Up, i - 1, i > 0);
    move("down", ImGuiDir_Down, i + 1, i + 1 < now.items.size());
    wrapped(fmt::format("{}. {}", i + 1, plain(section(panel, step).options.at(now.items[i]), &scope)));
    ImGui::PopID();
  }
  if (ImGui::Button(tr("Answer"), {-FLT_MIN, 0})) panel.emit(command::GiveAnswer{now});
}

// An axis as long as the run and a third more, with the bar on it.
void bar(const Panel& panel, const lesson::Step& step, const lesson::Scope& scope, const lesson::Answer* draft) {
  if (scope.at_hand == nullptr) return;
  const auto named = lesson::operation(scope.at_hand->program, scope.at_hand->tags, *step.operation);
  if (!named) return;
  const trace::Span& span = scope.at_hand->run.trace.spans[*named];
  const auto all = static_cast<double>(scope.at_hand->analysis.makespan) * 1.33;
  const auto long_as = static_cast<double>(std::max<Nanoseconds>(elapsed(span.start, span.end), 0));
  const auto* dragged = draft == nullptr ? nullptr : std::get_if<lesson::answer::Start>(draft);
  const double at = dragged == nullptr ? 0 : static_cast<double>(dragged->at);
  const float width = ImGui::GetContentRegionAvail().x, tall = ImGui::GetFrameHeight() * 1.3f;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("bar", {width, tall});
  if (ImGui::IsItemActive()) {
    const double x = (ImGui::GetIO().MousePos.x - origin.x) / width * all - long_as / 2;
    panel.emit(command::DraftAnswer{lesson::answer::Start{static_cast<Nanoseconds>(std::clamp(x, 0.0, all))}});
  }
  const auto pixel = [&](double time) { return origin.x + static_cast<float>(time / all) * width; };
  const timeline::Theme& theme = panel.look.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(origin, {origin.x + width, origin.y + tall}, packed(mixed(theme.panel, theme.text, 0.08f)), 3);
  list.AddRectFilled({pixel(at), origin.y + 3}, {std::max(pixel(at + long_as), pixel(at) + 3), origin.y + tall - 3},
                     packed(theme.selection), 3);
  text(tr("{} starts at {}", step.operation->text, display_duration(static_cast<Nanoseconds>(at))));
  right_text(display_duration(static_cast<Nanoseconds>(all)), theme.faint_text);
  const Disabled none(dragged == nullptr ? tr("Drag the bar first.") : "");
  if (ImGui::Button(tr("Answer"), {-FLT_MIN, 0}) && dragged != nullptr) panel.emit(command::GiveAnswer{*dragged});
  none.explain();
}

// "makespan (four) < 0.6 × makespan (one)", and its two values.
std::string relation_text(const lesson::Held& each, const lesson::Scope& scope) {
  const lesson::Expression& of = *each.relation;
  const std::string words = lesson::in_words(of);
  if (!each.why_not.empty() || of.kind != lesson::Expression::Kind::compare) return words;
  const auto side = [&](const lesson::Expression& one) {
    const auto value = lesson::evaluate(one, scope);
    return value ? lesson::display(*value, one.type) : std::string("…");
  };
  return fmt::format("{}:  {} {} {}", words, side(of.operands[0]), lesson::sign_in_words(of), side(of.operands[1]));
}

// All that is known of it: its words, what was measured of each quantity in it, and how the lesson's file has it.
std::string relation_meaning(const lesson::Expression& relation, const lesson::Scope& scope) {
  std::string out = lesson::in_words(relation) + "\n";
  std::set<std::string> said;
  lesson::each_quantity(relation, [&](const lesson::Expression& one) {
    const std::string words = lesson::in_words(one);
    if (!said.insert(words).second) return;
    const auto value = lesson::evaluate(one, scope);
    out += fmt::format("\n{}: {}", words, value ? lesson::display(*value, one.type) : std::string(tr("not known")));
  });
  return fmt::format("{}\n\n{}", out, relation.written);
}

// Whether all hold.
bool relations(const Panel& panel, const lesson::Step& step, const lesson::Scope& scope) {
  const auto all = lesson::held(step.relations, scope);
  std::string_view why;  // one is not known; its place is for who writes the lesson
  bool unchecked = false;
  for (const lesson::Held& each : all) {
    unchecked = unchecked || each.unchecked;
    const std::string mark = tr("({})", each.holds ? tr("holds") : tr("does not hold"));
    const float room = ImGui::GetContentRegionAvail().x;
    std::string says = in_lines(relation_text(each, scope), room);
    const std::string last = says.substr(says.rfind('\n') + 1) + "  " + mark;
    says += (width_of(last) <= room ? "  " : "\n") + mark;
    wrapped(says, each.holds ? panel.look.theme.strong_text : panel.look.theme.warning);
    if (ImGui::IsItemHovered()) tooltip(relation_meaning(*each.relation, scope));
    if (each.why_not.empty()) continue;
    const auto parts = parts_of_error(each.why_not);
    const std::string_view its = parts ? parts->what : std::string_view(each.why_not);
    if (std::exchange(why, its) != its) wrapped(its, panel.look.theme.warning);
  }
  if (unchecked)
    wrapped(tr("The data itself is not checked, as a model moves none: right is what no hazard leaves open."),
            panel.look.theme.faint_text);
  return lesson::all_hold(all);
}

}  // namespace

void lesson_question(const Panel& panel, const lesson::Step& step) {
  const LessonState& at = panel.state.lesson;
  const lesson::Runs runs = facts(at);
  if (const lesson::Answer* given = answer_to(at, step)) return answered(panel, step, *given);
  const lesson::Scope scope = scope_of(step, runs);
  const auto draft = at.drafts.find(step.name);
  const lesson::Answer* typed = draft == at.drafts.end() ? nullptr : &draft->second;
  switch (step.ask) {
    case lesson::Ask::choice: choices(panel, step, scope); break;
    case lesson::Ask::number: number(panel, step, typed); break;
    case lesson::Ask::order: order(panel, step, scope, typed); break;
    case lesson::Ask::bar: bar(panel, step, scope, typed); break;
  }
  if (ImGui::Button(tr("Skip the question"))) panel.emit(command::GiveAnswer{lesson::answer::Skipped{}});
  if (ImGui::IsItemHovered()) tooltip(tr("Who predicts first remembers what was seen."));
}

void lesson_relations(const Panel& panel, const lesson::Step& step) {
  if (!ready(panel)) return;
  const lesson::Runs runs = facts(panel.state.lesson);
  const lesson::Scope scope = scope_of(step, runs);
  if (!relations(panel, step, scope)) reply(panel, step, "fails", scope);
}

void lesson_change(const Panel& panel, const lesson::Step& step) {
  if (!ready(panel)) return;
  const LessonState& at = panel.state.lesson;
  const lesson::Runs runs = facts(at);
  const lesson::Scope scope{runs, at.changed.facts ? at.changed.facts.get() : runs.at(step.run).get()};
  text(tr("Goal"), panel.look.theme.strong_text);
  const bool reached = relations(panel, step, scope) && at.changed.facts;
  {
    const Disabled cannot(why_not_run(panel.state));
    if (sign_button(panel.look, tr("Run"), Sign::play)) panel.emit(command::RunNow{});
    cannot.explain(tr("Run the program below (Space)"));
  }
  ImGui::SameLine();
  if (ImGui::Button(tr("Hint"))) panel.emit(command::AskHint{});
  ImGui::SameLine();
  if (ImGui::Button(tr("Show me"))) panel.emit(command::ShowSolution{});
  ImGui::SameLine();
  if (ImGui::Button(tr("From the start"))) panel.emit(command::BackToProgram{});
  if (reached)
    reply(panel, step, "done", scope);
  else if (at.hint)
    reply(panel, step, "hint", scope);
}

}  // namespace streamscope::window
