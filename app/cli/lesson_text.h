// A lesson as text for a terminal: to be read and answered without the window.
#pragma once

#include <string>

#include "engine/lesson/lesson.h"
#include "engine/lesson/run_facts.h"

namespace streamscope::cli {

// With the figures of the runs, the programs where they are first met, and what is asked; not the answers.
std::string text_of(const lesson::Lesson& lesson, const lesson::Runs& runs, lesson::Language language);
// Of a step that shows its run as CUDA C++ the lines that are lit, with an empty one where others lie between.
std::string lit_code(const lesson::Lesson& lesson, const lesson::Step& step);

}  // namespace streamscope::cli
