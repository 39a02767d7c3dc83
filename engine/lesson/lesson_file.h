// lesson.toml as values. Internal to this room; table_reader.h is what knows toml++.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/lesson/lesson.h"

namespace streamscope::lesson {

// All but the words. What is wrong is added to `wrong`, a line each; the lesson then lacks it.
Lesson read_lesson_file(std::string_view toml, const std::string& file, const std::filesystem::path& folder,
                        std::string& wrong);

}  // namespace streamscope::lesson
