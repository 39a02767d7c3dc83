// A lesson: predict, run, see why, change it. A folder of its own (docs/lessons.md):
//
//   lesson.toml             the steps in order, and what they refer to
//   en, zh, ko, with .md    the words (words.h), the same sections in each; a language without its own has English
//   *.streams *.toml        its programs and experiments
//
// The right answer comes from the run at hand, not from the lesson: on any device it is true. Nothing in a folder is
// carried out but its stream programs.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/name_table.h"
#include "engine/base/result.h"
#include "engine/experiment/read_input.h"
#include "engine/lesson/expression.h"
#include "engine/lesson/operation_name.h"
#include "engine/lesson/words.h"

namespace streamscope::lesson {

enum class Language : std::uint8_t { en, zh, ko };
enum class StepKind : std::uint8_t {
  say,      // text, and a part of the run's timeline
  predict,  // a question about a run that is not shown yet
  run,      // the run is shown, and what was predicted of it
  check,    // relations that hold in the run
  change,   // the program is edited until a goal holds
  code,     // the CUDA C++ of the run
  vote,     // a question to a class, whose answers are counted
};
enum class Ask : std::uint8_t { choice, number, order, bar };

}  // namespace streamscope::lesson

template <>
inline constexpr streamscope::NameTable<3> streamscope::kNames<streamscope::lesson::Language>{"en", "zh", "ko"};
template <>
inline constexpr streamscope::NameTable<7> streamscope::kNames<streamscope::lesson::StepKind>{
    "say", "predict", "run", "check", "change", "code", "vote"};
template <>
inline constexpr streamscope::NameTable<4> streamscope::kNames<streamscope::lesson::Ask>{"choice", "number", "order",
                                                                                         "bar"};

namespace streamscope::lesson {

struct Choice {
  std::string name;
  std::optional<Expression> when;  // nothing: where no other holds
};
struct WrongNumber {  // a wrong answer that has words of its own
  std::string name;
  Expression when;
};
struct Item {
  std::string name;
  Expression key;  // items are in order by it
};
struct Tolerance {
  double value = 0;      // of a relative one 0.2 is 20 %: of the right number; of a bar of the makespan
  bool relative = true;  // else in nanoseconds, bytes or whatever the number's unit is a multiple of
};

struct Step {
  std::string name, place;
  StepKind kind = StepKind::say;
  std::string run;  // empty: none
  std::vector<OperationName> show;
  bool slow_motion = false;
  Ask ask = Ask::choice;
  std::vector<Choice> choices;
  Unit unit;  // of a number
  std::optional<Expression> value;
  Tolerance tolerance;
  std::vector<WrongNumber> wrong;
  std::vector<Item> items;
  std::optional<OperationName> operation;     // whose bar is dragged
  std::vector<Expression> relations;          // of check: they hold; of change: the goal
  std::optional<experiment::Input> solution;  // of change: one that reaches it
  std::vector<OperationName> lines;           // of code: they are lit
};
// Whether a learner answers it, and is graded.
constexpr bool asks(const Step& step) { return step.kind == StepKind::predict || step.kind == StepKind::vote; }
constexpr bool is_graded(const Step& step) { return asks(step) || step.kind == StepKind::change; }

struct RunToMake {
  std::string name;
  experiment::Input input;
  Tags tags;
  bool stages = false;  // blocks of tiles and attention record what they do
  bool causes = false;  // some expression asks for the verdict's causes
};

struct Needs {
  bool gpu = false;
  int gpus = 1;
  bool peer = false;           // they reach each other's memory
  double compute = 0;          // compute capability: 9.0
  std::string otherwise = {};  // the device where they are not met: "model:h200"
};

struct Lesson {
  std::filesystem::path folder;
  std::string name;  // of the folder
  std::vector<std::string> covers;
  Needs needs;
  bool shows_verdict = false;  // of a run that is seen, while later steps still ask
  std::vector<RunToMake> runs;
  std::vector<Step> steps;
  std::array<std::optional<Words>, kNames<Language>.size()> words;  // English is always there
};
// All that is wrong in one error, each line with its place.
Result<Lesson> read_lesson(const std::filesystem::path& folder);

const RunToMake* run_named(const Lesson& lesson, std::string_view name);  // null: there is none
const Step* step_named(const Lesson& lesson, std::string_view name);
// In that language, else in English: the whole of a section is in one.
const Words& words_in(const Lesson& lesson, Language language);
const Section& section_of(const Lesson& lesson, const Step& step, Language language);

// Of the person's system, by LANGUAGE, LC_ALL, LC_MESSAGES and LANG; English where that is none of these.
Language own_language();

// What a list says of a lesson, without all else that is in its folder.
struct Listed {
  std::filesystem::path folder;
  std::string name, title, about;
  experiment::Keywords keywords = {};  // what people look for who should find it
};
std::vector<Listed> list_lessons(Language language);

// The folders of lessons that come with the program, by name; and one by its name, its number or its path. Error: there
// is none, and what there is.
std::vector<std::filesystem::path> shipped_lessons();
Result<std::filesystem::path> find_lesson(const std::string& name);

}  // namespace streamscope::lesson
