#include "app/cli/lesson_grades.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/files.h"
#include "engine/base/translate.h"

namespace streamscope::cli {
namespace {

using Mark = lesson::Grade::Mark;

constexpr std::array<std::string_view, 3> kMarks{"right", "wrong", "skipped"};
std::string_view name(Mark mark) { return kMarks[static_cast<std::size_t>(mark)]; }

Result<lesson::SharedFacts> run_again(const experiment::InputText& source, const lesson::RunToMake& like,
                                      const LessonDevice& device, const Interrupt& interrupt) {
  const experiment::Input input = TRY(experiment::read_input(source, {}));
  trace::Run run = TRY(device.run(input, like.stages, interrupt));
  return lesson::facts_of(std::move(run), like.causes, interrupt.flag());
}

Result<void> run_all_again(const lesson::Lesson& lesson, lesson::Answers& answers, const std::string& file,
                           const LessonDevice& device, const Interrupt& interrupt) {
  answers.runs = TRY(lesson::make_runs(
      lesson, [&](const experiment::Input& input, bool stages) { return device.run(input, stages, interrupt); }));
  for (auto& [name, given] : answers.given) {
    auto* changed = std::get_if<lesson::answer::Changed>(&given);
    if (changed == nullptr || changed->program.empty()) continue;
    const lesson::RunToMake& like = *run_named(lesson, step_named(lesson, name)->run);
    changed->run = TRY(run_again({file + ": " + name, name + ".streams", changed->program}, like, device, interrupt));
  }
  return {};
}

// As RFC 4180 has it.
std::string field(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += c;
    out += c;
  }
  return out + '"';
}

}  // namespace

Result<GradedFile> grade_file(const lesson::Lesson& lesson, const std::string& file, const LessonDevice* again,
                              const Interrupt& interrupt) {
  const std::string text = TRY(read_text(file));
  lesson::Answers answers = TRY(lesson::read_answers(lesson, text, file));
  if (again != nullptr) TRY(run_all_again(lesson, answers, file, *again, interrupt));
  auto steps = lesson::grade_all(lesson, answers);
  // Of the lesson's step, which does not fit the runs of this file.
  if (!steps) return fail(steps.error().kind, fmt::format("{}: {}", file, steps.error().message));
  return GradedFile{file, std::move(*steps)};
}

std::string text_of(const lesson::Lesson& lesson, const GradedFile& graded, lesson::Language language) {
  std::string out = fmt::format("{}\n", graded.file);
  std::size_t right = 0;
  for (const lesson::Graded& each : graded.steps) {
    out += fmt::format("  {}: {}, {}", each.step->name, each.given, name(each.grade.mark));
    if (each.grade.mark == Mark::right) ++right;
    const auto* changed = std::get_if<lesson::answer::Changed>(&each.answer);
    if (changed != nullptr && changed->run == nullptr) out += tr("; --rerun runs it");
    if (each.grade.mark != Mark::right && !each.right.empty()) out += tr("; right is {}", each.right);
    out += '\n';
    const lesson::Section& section = section_of(lesson, *each.step, language);
    auto reply = section.answers.find(each.grade.reply);
    if (reply == section.answers.end() && each.grade.mark == Mark::wrong) reply = section.answers.find("wrong");
    if (reply != section.answers.end() && each.grade.mark == Mark::wrong)
      out += fmt::format("    {}\n", plain(reply->second, nullptr));
  }
  return out + tr("  {} of {} right\n", right, graded.steps.size());
}

std::string csv_of(const lesson::Lesson& lesson, const std::vector<GradedFile>& all) {
  std::string out = "file,lesson,step,kind,answer,mark,right\n";
  for (const GradedFile& graded : all)
    for (const lesson::Graded& each : graded.steps)
      out += fmt::format("{},{},{},{},{},{},{}\n", field(graded.file), lesson.name, each.step->name,
                         name_of(each.step->kind), field(each.given), name(each.grade.mark), field(each.right));
  return out;
}

}  // namespace streamscope::cli
