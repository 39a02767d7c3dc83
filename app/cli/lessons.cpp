// `streamscope lessons`: which lessons there are.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

#include "app/cli/command.h"
#include "app/cli/terminal.h"
#include "engine/base/files.h"
#include "engine/base/place.h"
#include "engine/base/translate.h"
#include "engine/lesson/lesson.h"

namespace streamscope::cli {
namespace {

struct ListOptions {
  std::string json;
};

Result<int> list_lessons(const ListOptions& options) {
  std::string text;
  auto json = nlohmann::ordered_json::array();
  for (const auto& folder : lesson::shipped_lessons()) {
    const lesson::Lesson each = TRY(lesson::read_lesson(folder));
    const lesson::Words& words = words_in(each, lesson::own_language());
    text += fmt::format("{:<34} {}\n", each.name, words.title);
    json.push_back({{"name", each.name},
                    {"title", words.title},
                    {"about", plain(words.about, nullptr)},
                    {"covers", each.covers},
                    {"steps", each.steps.size()}});
  }
  if (options.json.empty()) return print_stdout(text);
  TRY(write_text(options.json, nlohmann::ordered_json{{"schema", 1}, {"lessons", json}}.dump(2) + "\n"));
  return 0;
}

}  // namespace

Command lessons_command() {
  const auto o = std::make_shared<ListOptions>();
  return {.name = "lessons",
          .about = tr("List the lessons"),
          .options = {{"--json", &o->json, tr("Write the list as JSON"), "F"}},
          .run = [o] { return list_lessons(*o); }};
}

}  // namespace streamscope::cli
