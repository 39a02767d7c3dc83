// What a learner answered, and whether the runs say so.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "engine/lesson/lesson.h"
#include "engine/lesson/run_facts.h"

namespace streamscope::lesson {

namespace answer {
struct Skipped {
  friend bool operator==(const Skipped&, const Skipped&) = default;
};
struct Chosen {
  std::string name;
  friend bool operator==(const Chosen&, const Chosen&) = default;
};
struct Number {
  double value = 0;  // in nanoseconds, bytes, bytes a nanosecond or by itself: the step's unit is a multiple of it
  friend bool operator==(const Number&, const Number&) = default;
};
struct Ordered {
  std::vector<std::string> items;  // all, the first one first
  friend bool operator==(const Ordered&, const Ordered&) = default;
};
struct Start {
  Nanoseconds at = 0;  // where the bar was dragged to
  friend bool operator==(const Start&, const Start&) = default;
};
struct Changed {
  std::string program;
  SharedFacts run = nullptr;  // of it; null: it was not run
  friend bool operator==(const Changed&, const Changed&) = default;
};
}  // namespace answer
using Answer =
    std::variant<answer::Skipped, answer::Chosen, answer::Number, answer::Ordered, answer::Start, answer::Changed>;

struct Grade {
  enum class Mark : std::uint8_t { right, wrong, skipped };
  Mark mark = Mark::skipped;
  std::string reply;  // the answer section that speaks to it: "half", "too-low", "right", "hint"; empty: skipped
};

// Why it is no answer to the step, as of a choice that the step does not have; empty where it is one.
std::string why_no_answer(const Step& step, const Answer& given);
// The step is graded, and the answer is one to it. Error: that it is none; or what is not known of the runs.
Result<Grade> grade(const Step& step, const Answer& given, const Runs& runs);
// What the runs say: the choice, the number, an order, the start.
Result<Answer> right_answer(const Step& step, const Runs& runs);

// Of relations those that hold, one by one; an error of one that is not known.
struct Held {
  const Expression* relation = nullptr;
  bool holds = false;
  std::string why_not;     // where it is not known
  bool unchecked = false;  // of data that no hazard leaves open and that was not checked
};
std::vector<Held> held(const std::vector<Expression>& relations, const Scope& scope);
bool all_hold(const std::vector<Held>& relations);

// The items of a step that asks for their order, as they are put before a learner: the same each time, and not in the
// right order; where the runs are not made yet, not as the lesson's file has them.
std::vector<std::string> first_order(const Lesson& lesson, const Step& step, const Runs& runs);

// Items in order may be swapped where their times are no further apart.
inline constexpr Nanoseconds kTie = 1'000;

// Where quantities of a step that name no run look, and its words.
Scope scope_of(const Step& step, const Runs& runs);
// In words, with the unit: "half", "12.3 us", "a, b, c".
std::string display(const Step& step, const Answer& given);

}  // namespace streamscope::lesson
