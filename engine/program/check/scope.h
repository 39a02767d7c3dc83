// The variables of the repeats around a statement, and the values of names and numbers with them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/program/check/diagnostics.h"
#include "engine/program/syntax/tree.h"

namespace streamscope::program {

class Scope {
 public:
  explicit Scope(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  struct Variable {
    std::string_view name;
    std::uint32_t line = 0;
    std::optional<std::int64_t> value;  // none where it is not known because of an earlier error
  };
  void push(Variable variable) { variables_.push_back(variable); }
  void pop() { variables_.pop_back(); }
  Variable& top() { return variables_.back(); }
  const Variable* find(std::string_view name) const;

  // While it is above 0, unknown variables are not reported: the `repeat` line that declares them has an error.
  int suppress_unknown = 0;

  // Nothing after an error, or where a variable has no known value.
  std::optional<std::int64_t> value(const syntax::Number& number);
  // The same, without reporting errors.
  std::optional<std::int64_t> quiet_value(const syntax::Number& number) const;
  // The view lasts until the next call.
  std::optional<std::string_view> text(const syntax::Name& name);

  // Reports, with the values of the variables where the name or number has braces: "(with i=3)".
  void error(const syntax::Name& name, std::string message);
  void error(const syntax::Number& number, std::string message);
  std::string values() const;

 private:
  std::optional<std::int64_t> evaluated(const syntax::Expression& expression);

  Diagnostics& diagnostics_;
  std::vector<Variable> variables_;
  std::string built_;
};

}  // namespace streamscope::program
