// A lesson that is open: where in it the learner is, what was answered, and the runs that the answers are held against.
// Its runs are the session's like any other; they are made aside, and shown when the step at hand shows them.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "app/window/state/run_settings.h"
#include "app/window/state/setup.h"
#include "app/window/state/shown_run.h"
#include "engine/lesson/answers.h"
#include "engine/lesson/trial.h"

namespace streamscope::window {

struct LessonRun {
  lesson::SharedFacts facts;
  std::shared_ptr<const ShownRun> shown;
};

// What a person gave to a lesson: it is there again when the lesson is opened again.
struct LessonGiven {
  std::map<std::string, lesson::Answer> answers;            // by step
  std::map<std::string, lesson::Answer> drafts;             // that are not given yet
  std::map<std::string, std::map<std::string, int>> votes;  // by step and choice
};

struct LessonState : LessonGiven {
  std::vector<lesson::Listed> all;             // that come with the program
  std::shared_ptr<const lesson::Lesson> open;  // null: none
  lesson::Language language = lesson::Language::en;
  std::optional<lesson::Language> chosen_language;  // in the window; it is remembered
  std::size_t step = 0;
  std::map<std::string, LessonRun> runs;       // by the lesson's names
  std::set<std::string> preparing;             // that have come back and are not among them yet
  std::map<std::string, std::string> failed;   // why one could not be made
  LessonRun changed;                           // of the program as it was changed in this step
  bool hint = false;                           // it was asked for in this step
  std::map<std::string, std::size_t> reached;  // the step, of each lesson that was begun
  std::map<std::string, LessonGiven> left;     // by lesson
  std::vector<kernels::OwnSource> own_code;    // of its folder, as it was read when the person let it run
  std::optional<Setup> before;                 // what was set when a lesson took its place
  std::uint64_t shown_before = 0;              // the run in view then, by its number
  std::string device;                          // that was named to begin with; empty: none, it stays as it was set
};

// What is to be made of a run that has come back.
struct LessonWork {
  std::shared_ptr<const lesson::Lesson> of;
  std::string name;  // empty: it is of the changed program
  bool causes = false;
  FinishedRun run;
};
struct LessonAnswers {
  std::shared_ptr<const lesson::Lesson> of;
  lesson::Answers answers;
};

namespace command {
struct LessonsListed {
  std::vector<lesson::Listed> all;
  lesson::Language own = lesson::Language::en;  // of the system
};
struct OpenLesson {
  std::filesystem::path folder;
  std::string device = {};  // until lessons are left; empty: the one that is set
};
struct LessonOpened {
  std::shared_ptr<const lesson::Lesson> lesson;
};
struct LeaveLesson {};
struct StepLesson {
  int by;
};
struct SpeakLesson {
  lesson::Language language;
  bool chosen = true;  // here, not by how the program was started
};
struct DraftAnswer {  // of the step at hand
  lesson::Answer answer;
};
struct GiveAnswer {
  lesson::Answer answer;
};
struct CountVote {
  std::string choice;
  int by;
};
struct AskHint {};
struct ShowSolution {};   // of a change: its program is put into the editor and run
struct BackToProgram {};  // and the one that it begins with
struct LessonRunReady {
  std::shared_ptr<const lesson::Lesson> of;
  std::string name;  // empty: of the changed program
  LessonRun run;
};
struct LessonRunFailed {
  std::string name, why;
};
struct SaveAnswers {};
}  // namespace command

using LessonCommand =
    std::variant<command::LessonsListed, command::OpenLesson, command::LessonOpened, command::LeaveLesson,
                 command::StepLesson, command::SpeakLesson, command::DraftAnswer, command::GiveAnswer,
                 command::CountVote, command::AskHint, command::ShowSolution, command::BackToProgram,
                 command::LessonRunReady, command::LessonRunFailed, command::SaveAnswers>;

const lesson::Step* step_at(const LessonState& state);  // null: no lesson is open
lesson::Runs facts(const LessonState& state);
// The step asks for something that is not answered yet: its run is not to be seen.
bool hides_run(const LessonState& state);
// This program is of a run that a later step still asks about and this one does not show.
bool asked_later(const LessonState& state, const std::string& program);
// A later step still asks: what is said of this run may give its answer away.
bool hides_verdict(const LessonState& state);
const lesson::Answer* answer_to(const LessonState& state, const lesson::Step& step);  // null: none yet
// What is answered where a question is revealed: what most of a class said, or what was put in and not given yet; else
// it is skipped.
lesson::Answer revealed(const LessonState& state, const lesson::Step& step);
// The step whose run is beside the one at hand: it, or where it has none, the last before it that has; null: none.
const lesson::Step* step_with_run(const LessonState& state);
// The run that the step at hand shows; null: none, or it is not made yet.
std::shared_ptr<const ShownRun> run_of_step(const LessonState& state);

void forget_runs(LessonState& state);  // they are made again, on another device
// The run that is to be made next; null: all are made, or cannot be.
const lesson::RunToMake* next_lesson_run(const LessonState& state);
// Where it is made, and all that runs while a lesson is open: where no other would do, on the device that is set.
lesson::Place lesson_place(const LessonState& state, const RunSettings& settings);

}  // namespace streamscope::window
