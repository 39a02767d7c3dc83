// Answers to a lesson, graded: for one learner as text, for a class as a table.
#pragma once

#include <string>
#include <vector>

#include "app/cli/lesson_runs.h"
#include "engine/lesson/answers.h"

namespace streamscope::cli {

struct GradedFile {
  std::string file;
  std::vector<lesson::Graded> steps;
};
// `again`: not the runs that the file holds, but the same programs on that device. Error: the file's place, of a
// program that it holds the step, too.
Result<GradedFile> grade_file(const lesson::Lesson& lesson, const std::string& file, const LessonDevice* again,
                              const Interrupt& interrupt);

std::string text_of(const lesson::Lesson& lesson, const GradedFile& graded, lesson::Language language);
// A line for each file and step.
std::string csv_of(const lesson::Lesson& lesson, const std::vector<GradedFile>& all);

}  // namespace streamscope::cli
