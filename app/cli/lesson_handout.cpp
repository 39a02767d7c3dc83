#include "app/cli/lesson_handout.h"

#include <fmt/format.h>

#include <set>

#include "app/cli/lesson_text.h"
#include "app/draw/figure.h"
#include "engine/base/translate.h"
#include "engine/lesson/grade.h"

namespace streamscope::cli {
namespace {

using draw::HandoutPart;
using Kind = HandoutPart::Kind;

constexpr int kPictureHeight = 300;
constexpr int kLinesForProgram = 8;

void add(std::vector<HandoutPart>& to, const lesson::Text& text, const lesson::Scope* scope) {
  for (const lesson::Block& block : text) {
    const Kind kind = block.kind == lesson::Block::Kind::item   ? Kind::item
                      : block.kind == lesson::Block::Kind::code ? Kind::code
                                                                : Kind::text;
    to.push_back({.kind = kind, .text = plain(block.line, scope)});
  }
}

void add_question(std::vector<HandoutPart>& to, const lesson::Lesson& lesson, const lesson::Step& step,
                  const lesson::Section& section, const lesson::Scope& scope) {
  const auto option = [&](const std::string& name) {
    to.push_back({.kind = Kind::item, .text = fmt::format("☐  {}", plain(section.options.at(name), &scope))});
  };
  for (const lesson::Choice& each : step.choices) option(each.name);
  for (const std::string& each : first_order(lesson, step, scope.runs)) option(each);
  if (asks(step)) to.push_back({.kind = Kind::answer, .lines = step.choices.empty() ? 2 : 1});
  if (step.kind == lesson::StepKind::change) to.push_back({.kind = Kind::answer, .lines = kLinesForProgram});
}

bool shows_run(const lesson::Step& step) {
  return !step.run.empty() && !is_graded(step) && step.kind != lesson::StepKind::code;
}

HandoutPart picture_of(const trace::Run& run) {
  draw::FigureOptions options;
  options.width = draw::kHandoutWidth;
  options.height = kPictureHeight;
  options.text = 0.8;
  options.theme = timeline::ThemeName::print;
  options.legend = options.key_figures = false;
  return {.kind = Kind::picture, .picture = draw::figure(run, options)};
}

}  // namespace

std::vector<HandoutPart> handout_parts(const lesson::Lesson& lesson, const lesson::Runs& runs,
                                       lesson::Language language, const std::string& made_on) {
  const lesson::Words& words = words_in(lesson, language);
  std::vector<HandoutPart> parts{{.kind = Kind::title, .text = words.title}};
  add(parts, words.about, nullptr);
  parts.push_back({.kind = Kind::text, .text = made_on});
  std::set<std::string> programs, pictures;
  std::size_t number = 0;
  for (const lesson::Step& step : lesson.steps) {
    const lesson::Section& section = section_of(lesson, step, language);
    const lesson::Scope scope = scope_of(step, runs);
    parts.push_back({.kind = Kind::heading, .text = tr("Step {} of {}", ++number, lesson.steps.size())});
    add(parts, section.text, &scope);
    if (!step.run.empty() && programs.insert(step.run).second)
      parts.push_back({.kind = Kind::code, .text = run_named(lesson, step.run)->input.program});
    if (step.kind == lesson::StepKind::code) parts.push_back({.kind = Kind::code, .text = lit_code(lesson, step)});
    add_question(parts, lesson, step, section, scope);
    if (shows_run(step) && pictures.insert(step.run).second) parts.push_back(picture_of(runs.at(step.run)->run));
  }
  return parts;
}

Result<void> write_handout(const lesson::Lesson& lesson, const lesson::Runs& runs, lesson::Language language,
                           const std::string& made_on, const std::filesystem::path& path) {
  draw::DocumentInfo info{words_in(lesson, language).title, lesson.name, {}};
  if (!runs.empty()) info.date = runs.begin()->second->run.trace.provenance.date;
  return draw::write_handout(handout_parts(lesson, runs, language, made_on), info, path);
}

}  // namespace streamscope::cli
