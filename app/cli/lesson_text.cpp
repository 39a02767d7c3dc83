#include "app/cli/lesson_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "engine/base/translate.h"
#include "engine/base/wide_letters.h"
#include "engine/cuda_source/cuda_source.h"
#include "engine/lesson/grade.h"

namespace streamscope::cli {
namespace {

constexpr std::size_t kWidth = 100;  // columns

// How many bytes of a line have room; one without a place to end goes on to the next such place. A bullet at its begin
// is not left alone.
std::size_t that_fit(std::string_view line, std::size_t width, std::size_t bullet) {
  std::size_t fit = 0, sum = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if ((static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80U) continue;  // within a letter
    if (at > bullet && may_break(line, at)) fit = at;
    sum += is_wide(code_point(line, at)) ? 2 : 1;
    if (sum > width && fit > 0) return fit;
  }
  return line.size();
}

// Broken between words and between the letters of Chinese; what is indented, as code is, stays as it is.
std::string filled(std::string_view text) {
  std::string out;
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.starts_with("  ")) {
      out += fmt::format("{}\n", line);
      continue;
    }
    const std::string_view indent = line.starts_with("- ") ? "  " : "";
    std::size_t bullet = indent.size(), width = kWidth;
    do {
      const std::size_t fit = that_fit(line, width, bullet);
      std::string_view first = line.substr(0, fit);
      while (first.ends_with(' ')) first.remove_suffix(1);
      out += fmt::format("{}{}\n", width < kWidth ? indent : "", first);
      line.remove_prefix(fit);
      while (line.starts_with(' ')) line.remove_prefix(1);
      width = kWidth - indent.size();
      bullet = 0;
    } while (!line.empty());
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

// In the order of StepKind.
constexpr std::array kKinds = {tr_later("say"),    tr_later("predict"), tr_later("run"), tr_later("check"),
                               tr_later("change"), tr_later("code"),    tr_later("vote")};
static_assert(kKinds.size() == kNames<lesson::StepKind>.size());

std::string what_to_do(const lesson::Step& step) {
  if (step.kind == lesson::StepKind::change) return tr("Change the program until the goal is reached.");
  if (!asks(step)) return {};
  switch (step.ask) {
    case lesson::Ask::choice: return tr("Choose one:");
    case lesson::Ask::number:
      if (step.unit.name == "x") return tr("Answer with how many times.");
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
    out += fmt::format("\n{}. {} ({})\n\n", ++number, step.name, tr(kKinds[static_cast<std::size_t>(step.kind)]));
    if (!step.run.empty() && shown.insert(step.run).second)
      out += fmt::format("{}\n", indented(run_named(lesson, step.run)->input.program));
    out += filled(plain(section.text, &scope));
    if (const std::string what = what_to_do(step); !what.empty()) out += fmt::format("\n{}\n", what);
    const auto option = [&](const std::string& name) {
      out += filled(fmt::format("- {}: {}", name, plain(section.options.at(name), &scope)));
    };
    for (const lesson::Choice& each : step.choices) option(each.name);
    for (const std::string& each : first_order(lesson, step, runs)) option(each);
    if (step.kind == lesson::StepKind::code) out += "\n" + indented(lit_code(lesson, step));
  }
  return out;
}

std::string lit_code(const lesson::Lesson& lesson, const lesson::Step& step) {
  const lesson::RunToMake* run = run_named(lesson, step.run);
  if (run == nullptr) return {};
  const auto source = cuda_source::write(run->input.program, run->input.checked, "program.cu");
  if (!source) return source.error().message + "\n";
  std::set<std::uint32_t> lit;
  for (const lesson::OperationName& each : step.lines)
    if (const auto named = lesson::lines(run->input.checked, run->tags, each)) lit.insert(named->begin(), named->end());
  std::string out;
  std::size_t number = 0, last = 0;
  for (std::string_view rest = source->text; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (number >= source->lines.size() || !lit.contains(source->lines[number])) continue;
    if (!out.empty() && number > last + 1) out += '\n';
    out += fmt::format("{}\n", line);
    last = number;
  }
  return out;
}

}  // namespace streamscope::cli
