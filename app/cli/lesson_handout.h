// A lesson on paper.
#pragma once

#include <filesystem>

#include "engine/lesson/lesson.h"
#include "engine/lesson/run_facts.h"

namespace streamscope::cli {

// Text, questions with room for the answer, programs, and a picture of the timeline where a step shows a run; what was
// asked about is not in a picture before the question.
Result<void> write_handout(const lesson::Lesson& lesson, const lesson::Runs& runs, lesson::Language language,
                           const std::filesystem::path& path);

}  // namespace streamscope::cli
