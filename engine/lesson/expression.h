// What a lesson says of its runs: "makespan(four) < 0.6 * makespan(one)". Numbers with units, quantities of runs and
// operations (quantities.h), arithmetic, comparisons, `and`, `or`, `not`.
//
//   10us 16MiB 55GB/s 50% 3      a number; 50% is 0.5
//   "pageable-copy"              a text, compared with == and !=
//   makespan(four) start(@copy)  a quantity; without a run of the one at hand
//   answer                       where a learner's number is judged
//
// Units are checked when the text is read: a time compares with a time. Plain 0 compares with anything.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/result.h"
#include "engine/lesson/operation_name.h"
#include "engine/lesson/run_facts.h"

namespace streamscope::lesson {

// Powers of nanoseconds and bytes: GB/s are bytes a nanosecond.
struct Dimension {
  int time = 0, bytes = 0;
  friend bool operator==(const Dimension&, const Dimension&) = default;
};
inline constexpr Dimension kNumber{}, kTime{1, 0}, kBytes{0, 1}, kRate{-1, 1};

struct Unit {
  std::string_view name;  // "us"
  double factor = 1;      // 1000
  Dimension dimension;
};
const Unit* unit_named(std::string_view name);  // null: there is none

enum class Sort : std::uint8_t { number, text, truth };
// How a number without a dimension is shown.
enum class Shown : std::uint8_t { plain, count, share, ratio };
struct Type {
  Sort sort = Sort::number;
  Dimension dimension{};
  Shown shown = Shown::plain;
};

struct Quantity;

struct Expression {
  enum class Kind : std::uint8_t { number, text, quantity, answer, negate, arithmetic, compare, all, any, no };
  Kind kind = Kind::number;
  Type type;
  std::string place;    // of its beginning: "lesson.toml:12:9"
  std::string written;  // of a whole one, as it stands there
  double number = 0;
  std::string text;                    // of a text, an operator; of a quantity the word behind the run
  const Quantity* quantity = nullptr;  // in the table
  std::string run;                     // of a quantity; empty: the one at hand
  std::optional<OperationName> operation;
  std::vector<Expression> operands;
};

// Where the text stands, for messages; the column is that of its first letter.
struct TextPlace {
  std::string file;
  std::size_t line = 1, column = 1;
  std::string at(std::size_t offset) const;
};
struct Names {
  std::set<std::string, std::less<>> runs;
  std::optional<Dimension> answer{};  // of `answer`; nothing: there is none
};
Result<Expression> parse_expression(std::string_view text, const TextPlace& place, const Names& names);

// All quantities in it, for what must be known of them before a run.
void each_quantity(const Expression& in, const std::function<void(const Expression&)>& found);

using Value = std::variant<double, std::string, bool>;
struct Scope {
  const Runs& runs;
  const RunFacts* at_hand = nullptr;  // what a quantity without a run is of
  std::optional<double> answer{};
};
// Error: what it asks for is not known of that run, with the place.
Result<Value> evaluate(const Expression& expression, const Scope& scope);
Result<bool> holds(const Expression& truth, const Scope& scope);
Result<double> number(const Expression& number, const Scope& scope);

// For people, in their language: "time in the call (@in) < 0.2 × duration (slow, @in)".
std::string in_words(const Expression& expression);
std::string_view sign_in_words(const Expression& comparison);  // "≤" of <=

// For people: "1.2 ms", "55.4 GB/s", "12 %", "2.41×", "3"; a text as it is.
std::string display(const Value& value, const Type& type);

}  // namespace streamscope::lesson
