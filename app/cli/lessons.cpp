// `streamscope lessons`: which lessons there are.
#include <fmt/format.h>

#include "app/cli/command.h"
#include "app/cli/terminal.h"
#include "engine/base/translate.h"
#include "engine/lesson/lesson.h"

namespace streamscope::cli {

Command lessons_command() {
  return {.name = "lessons", .about = tr("List the lessons"), .options = {}, .run = []() -> Result<int> {
            std::string text;
            for (const auto& folder : lesson::shipped_lessons()) {
              const lesson::Lesson each = TRY(lesson::read_lesson(folder));
              text += fmt::format("{}: {}\n", each.name, lesson::words_in(each, lesson::Language::en).title);
            }
            return print_stdout(text);
          }};
}

}  // namespace streamscope::cli
