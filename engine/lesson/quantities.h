// What can be asked of a run, as a table: the checker, the evaluation and the documents read it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/lesson/expression.h"

namespace streamscope::lesson {

enum class Takes : std::uint8_t {
  run,        // overlap, overlap(four)
  operation,  // start(@copy), start(four, @copy)
  word,       // count(h2d), count(four, h2d); a text too: causes("hazard")
};

struct Asked {
  const RunFacts& facts;
  OperationIndex operation = kNoOperation;
  std::string_view word{};
};

struct Quantity {
  std::string_view name;
  std::string_view title;  // how people read of it, to be shown by tr(): "wall time"
  Takes takes;
  Type type;
  std::string_view meaning;                            // a sentence, to be shown by tr()
  Result<Value> (*of)(const Asked& asked);             // error: it is not known, in words without a place
  std::vector<std::string_view> (*words)() = nullptr;  // that it takes, or, of a text, that it may be
};
std::span<const Quantity> quantities();
// Whether it asks for the data of a run that is right only as far as its order tells: it was not checked, as a model
// moves none.
bool asks_unchecked_data(const Expression& relation, const Scope& scope);
const Quantity* quantity_named(std::string_view name);  // null: there is none
// Of figure(): by the figure's unit.
Type type_of(const Quantity& quantity, std::string_view word);

}  // namespace streamscope::lesson
