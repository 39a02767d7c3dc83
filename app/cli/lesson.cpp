// `streamscope lesson NAME`: one lesson, in the window or without it.
#include <fmt/format.h>

#include <memory>

#include "app/cli/command.h"
#include "app/cli/lesson_runs.h"
#include "app/cli/terminal.h"
#include "engine/base/translate.h"
#include "engine/lesson/lesson.h"

namespace streamscope::cli {
namespace {

struct Options {
  std::string name, device;
  bool test = false;
};

std::string title_line(const lesson::Lesson& lesson, const LessonDevice& device) {
  std::string text = tr("{} on {}, {}\n", lesson.name, device.info().id, tr(trace::badge(device.info().kind)));
  if (!device.instead_of().empty()) text += device.instead_of() + "\n";
  return text;
}

Result<int> test(const lesson::Lesson& lesson, const Options& options) {
  const LessonDevice device = TRY(LessonDevice::open(lesson, options.device));
  const Interrupt interrupt;
  const lesson::MakeRun make = [&](const experiment::Input& input, bool stages) {
    return device.run(input, stages, interrupt);
  };
  const lesson::Runs runs = TRY(lesson::make_runs(lesson, make));
  const lesson::Trial trial = TRY(lesson::try_out(lesson, runs, make));
  std::string text = title_line(lesson, device);
  for (const std::string& each : trial.found) text += fmt::format("  {}\n", each);
  const int said = print_stdout(text);
  if (trial.untrue.empty()) return said;
  return fail(ErrorKind::bad_input, fmt::format("{}", fmt::join(trial.untrue, "\n")));
}

Result<int> execute(const Options& options) {
  const auto folder = TRY(lesson::find_lesson(options.name));
  const lesson::Lesson lesson = TRY(lesson::read_lesson(folder));
  return test(lesson, options);
}

}  // namespace

Command lesson_command() {
  const auto o = std::make_shared<Options>();
  return {
      .name = "lesson",
      .about = tr("Open a lesson"),
      .options = {{"NAME", &o->name,
                   tr("A lesson that comes with the program, by name or number, or the folder of one"), "TEXT", true},
                  {"--test", &o->test, tr("Run all that the lesson runs, and report what of it is not true there")},
                  {"--device", &o->device, tr("Where its programs run, as for `run`"), "NAME"}},
      .run = [o] { return execute(*o); }};
}

}  // namespace streamscope::cli
