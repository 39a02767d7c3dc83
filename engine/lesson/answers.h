// A file of answers: what a learner answered to a lesson, with the runs that it was answered of, so that grading needs
// no device and gives the same anywhere. A run holds its program, device, profile and settings.
//
//   { "schema": 1, "lesson": "05-four-streams", "device": "model:h200",
//     "answers": [ {"step": "guess", "choice": "half"}, {"step": "time", "number": 12.5, "unit": "us"},
//                  {"step": "turns", "order": ["copy", "kernel"]}, {"step": "drag", "start_ns": 1200},
//                  {"step": "repair", "program": "…", "run": { … }}, {"step": "other", "skipped": true} ],
//     "runs": { "one": { … } } }
//
// A run is as `run --json` writes it. An answer that is null is not given yet.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/lesson/grade.h"

namespace streamscope::lesson {

struct Answers {
  std::string lesson, device;
  Runs runs;
  std::vector<std::pair<std::string, Answer>> given;  // by step
};

std::string to_json(const Lesson& lesson, const Answers& answers);
// To be filled in: each step that is graded, with what its answer looks like.
std::string blank_sheet(const Lesson& lesson, const std::string& device, const Runs& runs);
// Error: its place; an answer to no step of the lesson or of another sort; a run of another program than the lesson's.
Result<Answers> read_answers(const Lesson& lesson, std::string_view text, const std::string& file);

struct Graded {
  const Step* step = nullptr;
  Answer answer;
  Grade grade;
  std::string given, right;  // in words; `right` empty where there is none in words
};
// Each graded step of the lesson; one without an answer was skipped.
Result<std::vector<Graded>> grade_all(const Lesson& lesson, const Answers& answers);

}  // namespace streamscope::lesson
