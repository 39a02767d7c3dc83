#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "engine/base/result.h"
#include "engine/lesson/lesson.h"

namespace streamscope::cli {

// Opens the window on a file (empty: the default experiment) with an engine command (empty: this executable).
using OpenWindow = std::function<Result<void>(const std::string& file, const std::string& engine_command)>;

// Opens it on a lesson's folder. `device`: as --device; empty: none was asked for.
using OpenLesson = std::function<Result<void>(const std::filesystem::path& folder, lesson::Language language,
                                              const std::string& device)>;

struct OpenWindows {  // all empty: built without a window
  OpenWindow window;
  OpenLesson lesson;
  std::function<std::string()> language;  // "ko", that was chosen in the window; empty: none was
};

}  // namespace streamscope::cli
