#include "app/cli/lesson_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/base/translate.h"
#include "engine/lesson/grade.h"

namespace streamscope::cli {
namespace {

constexpr std::size_t kWidth = 100;  // columns

// Broken at spaces; what is indented, as code is, stays as it is.
std::string filled(std::string_view text) {
  std::string out;
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::string_view indent = line.starts_with("- ") ? "  " : "";
    while (line.size() > kWidth && !line.starts_with("  ")) {
      const std::size_t space = line.rfind(' ', kWidth);
      if (space == std::string_view::npos || space == 0) break;
      out += fmt::format("{}\n{}", line.substr(0, space), indent);
      line.remove_prefix(space + 1);
    }
    out += fmt::format("{}\n", line);
  }
  return out;
}

std::string indented(std::string_view program) {
  std::string out;
  for (std::string_view rest = program; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    out += fmt::format("    {}\n", line);
  }
  return out;
}

std::string what_to_do(const lesson::Step& step) {
  if (step.kind == lesson::StepKind::change) return tr("Change the program until the goal is reached.");
  if (!asks(step)) return {};
  switch (step.ask) {
    case lesson::Ask::choice: return tr("Choose one:");
    case lesson::Ask::number:
      return step.unit.name == "count" ? std::string(tr("Answer with a number."))
                                       : tr("Answer with a number of {}.", step.unit.name);
    case lesson::Ask::order: return tr("Put them in order, the first one first:");
    case lesson::Ask::bar: break;
  }
  return tr("Say at what time {} starts.", step.operation->text);
}

}  // namespace

std::string text_of(const lesson::Lesson& lesson, const lesson::Runs& runs, lesson::Language language) {
  const lesson::Words& words = words_in(lesson, language);
  std::string out = fmt::format("{}\n\n{}", words.title, filled(plain(words.about, nullptr)));
  std::set<std::string> shown;
  int number = 0;
  for (const lesson::Step& step : lesson.steps) {
    const lesson::Section& section = section_of(lesson, step, language);
    const lesson::Scope scope = scope_of(step, runs);
    out += fmt::format("\n{}. {} ({})\n\n", ++number, step.name, name_of(step.kind));
    if (!step.run.empty() && shown.insert(step.run).second)
      out += fmt::format("{}\n", indented(run_named(lesson, step.run)->input.program));
    out += filled(plain(section.text, &scope));
    if (const std::string what = what_to_do(step); !what.empty()) out += fmt::format("\n{}\n", what);
    const auto option = [&](const std::string& name) {
      out += filled(fmt::format("- {}: {}", name, plain(section.options.at(name), &scope)));
    };
    for (const lesson::Choice& each : step.choices) option(each.name);
    for (const lesson::Item& each : step.items) option(each.name);
  }
  return out;
}

}  // namespace streamscope::cli
