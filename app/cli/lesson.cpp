// `streamscope lesson NAME`: one lesson, in the window or without it.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/lesson_grades.h"
#include "app/cli/lesson_handout.h"
#include "app/cli/lesson_runs.h"
#include "app/cli/lesson_text.h"
#include "app/cli/outputs.h"
#include "app/cli/terminal.h"
#include "engine/base/files.h"
#include "engine/base/place.h"
#include "engine/base/translate.h"
#include "engine/device/catalog/catalog.h"
#include "engine/lesson/lesson.h"

namespace streamscope::cli {
namespace {

struct Options {
  std::string name, device, sheet, csv, handout;
  std::vector<std::string> check, more;
  bool text = false, test = false, rerun = false;
};

std::string title_line(const lesson::Lesson& lesson, const LessonDevice& device) {
  std::string text = tr("{} on {}, {}\n", lesson.name, device.info().id, tr(trace::badge(device.info().kind)));
  if (!device.instead_of().empty()) text += device.instead_of() + "\n";
  return text;
}

// Of what goes into a file, at the terminal.
void say_where(const LessonDevice& device) {
  if (!device.instead_of().empty())
    print_stderr_text(tr("{}; it runs on {}", device.instead_of(), device.info().id) + "\n");
}

lesson::MakeRun on(const LessonDevice& device, const Interrupt& interrupt) {
  return [&](const experiment::Input& input, bool stages) { return device.run(input, stages, interrupt); };
}

Result<int> test(const lesson::Lesson& lesson, const Options& options) {
  const LessonDevice device = TRY(LessonDevice::open(lesson, options.device));
  const Interrupt interrupt;
  const lesson::MakeRun make = on(device, interrupt);
  const lesson::Runs runs = TRY(lesson::make_runs(lesson, make));
  const lesson::Trial trial = TRY(lesson::try_out(lesson, runs, make));
  std::string text = title_line(lesson, device);
  for (const std::string& each : trial.found) text += fmt::format("  {}\n", each);
  const int said = print_stdout(text);
  if (trial.untrue.empty()) return said;
  return fail(ErrorKind::bad_input, fmt::format("{}", fmt::join(trial.untrue, "\n")));
}

Result<int> print_text(const lesson::Lesson& lesson, const Options& options, lesson::Language language) {
  const LessonDevice device = TRY(LessonDevice::open(lesson, options.device));
  const Interrupt interrupt;
  const lesson::Runs runs = TRY(lesson::make_runs(lesson, on(device, interrupt)));
  return print_stdout(text_of(lesson, runs, language) + "\n" + title_line(lesson, device));
}

Result<int> write_sheet(const lesson::Lesson& lesson, const Options& options) {
  TRY(check_outputs({{"--sheet", options.sheet}}));
  const LessonDevice device = TRY(LessonDevice::open(lesson, options.device));
  say_where(device);
  const Interrupt interrupt;
  const lesson::Runs runs = TRY(lesson::make_runs(lesson, on(device, interrupt)));
  TRY(write_text(options.sheet, lesson::blank_sheet(lesson, device.info().id, runs)));
  return 0;
}

Result<int> write_handout_of(const lesson::Lesson& lesson, const Options& options, lesson::Language language) {
  TRY(check_outputs({{"--handout", options.handout}}));
  const LessonDevice device = TRY(LessonDevice::open(lesson, options.device));
  say_where(device);
  const Interrupt interrupt;
  const lesson::Runs runs = TRY(lesson::make_runs(lesson, on(device, interrupt)));
  TRY(write_handout(lesson, runs, language, title_line(lesson, device), options.handout));
  return 0;
}

// All that are right: 0. What is wrong with a file is reported at the end, and the others are graded.
Result<int> grade(const lesson::Lesson& lesson, const Options& options, lesson::Language language) {
  std::vector<std::string> files = options.check;
  files.insert(files.end(), options.more.begin(), options.more.end());
  TRY(check_outputs({{"--csv", options.csv}}));
  const Interrupt interrupt;
  std::optional<LessonDevice> again;
  // On the model, so that it is the same for all.
  if (options.rerun) again = TRY(LessonDevice::open(lesson, options.device.empty() ? "model" : options.device));
  if (again) say_where(*again);
  std::vector<GradedFile> all;
  std::vector<Error> wrong;
  for (const std::string& file : files) {
    auto graded = grade_file(lesson, file, again ? &*again : nullptr, interrupt);
    if (graded)
      all.push_back(std::move(*graded));
    else
      wrong.push_back(graded.error());
  }
  std::string text;
  for (const GradedFile& each : all) text += text_of(lesson, each, language);
  if (!options.csv.empty()) TRY(write_text(options.csv, csv_of(lesson, all)));
  int code = options.csv == "-" ? 0 : print_stdout(text);
  for (const Error& each : wrong) code = report(each);
  return code;
}

Result<int> execute(const Options& options, const OpenLesson& open_lesson) {
  const auto folder = TRY(lesson::find_lesson(options.name));
  const lesson::Lesson lesson = TRY(lesson::read_lesson(folder));
  const lesson::Language language = lesson::own_language();
  if (options.check.empty() && (!options.csv.empty() || options.rerun || !options.more.empty()))
    return fail(ErrorKind::bad_input, error_at("--check", tr("name the files of answers that are to be graded")));
  if (options.test) return test(lesson, options);
  if (!options.check.empty()) return grade(lesson, options, language);
  if (!options.handout.empty()) return write_handout_of(lesson, options, language);
  if (!options.sheet.empty()) return write_sheet(lesson, options);
  if (options.text || !open_lesson) return print_text(lesson, options, language);
  if (!options.device.empty()) TRY(catalog::device_named(options.device));  // or the window would open for nothing
  const Result<void> opened = open_lesson(folder, language, options.device);
  if (opened) return 0;
  if (opened.error().kind != ErrorKind::no_device) return fail(opened.error());
  print_stderr_text(opened.error().message + "\n");  // there is no window here: it can be read all the same
  return print_text(lesson, options, language);
}

}  // namespace

Command lesson_command(const OpenLesson& open_lesson) {
  const auto o = std::make_shared<Options>();
  return {
      .name = "lesson",
      .about = tr("Open a lesson: in the window, or as text"),
      .options = {{"NAME", &o->name,
                   tr("A lesson that comes with the program, by name or number, or the folder of one"), "TEXT", true},
                  {.names = "FILES",
                   .target = &o->more,
                   .meaning = tr("More files of answers, behind --check"),
                   .value = "F",
                   .many = true},
                  {"--text", &o->text, tr("Print it, with the figures of its runs")},
                  {"--sheet", &o->sheet, tr("Make its runs and write a file of answers to be filled in"), "F"},
                  {"--check", &o->check, tr("Grade a file of answers by the runs that it holds; repeatable"), "F"},
                  {"--handout", &o->handout,
                   tr("Write it as a PDF to be printed: text, questions, pictures, room for answers"), "F"},
                  {"--csv", &o->csv, tr("Write the grades as a table"), "F"},
                  {"--rerun", &o->rerun, tr("Grade by the same programs run again, on the model or --device")},
                  {"--device", &o->device, tr("Where its programs run, as for `run`"), "NAME"},
                  {"--test", &o->test, tr("For who writes a lesson: run all of it and report what is not true there")}},
      .run = [o, open_lesson] { return execute(*o, open_lesson); }};
}

}  // namespace streamscope::cli
