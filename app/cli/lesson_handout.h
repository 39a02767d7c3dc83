// A lesson on paper.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/draw/handout.h"
#include "engine/lesson/lesson.h"
#include "engine/lesson/run_facts.h"

namespace streamscope::cli {

// Text, questions with room for the answer, programs, and a picture of the timeline where a step shows a run; what was
// asked about is not in a picture before the question. `made_on`: in words, what the runs were made on.
std::vector<draw::HandoutPart> handout_parts(const lesson::Lesson& lesson, const lesson::Runs& runs,
                                             lesson::Language language, const std::string& made_on);
Result<void> write_handout(const lesson::Lesson& lesson, const lesson::Runs& runs, lesson::Language language,
                           const std::string& made_on, const std::filesystem::path& path);

}  // namespace streamscope::cli
