// The integer arithmetic between braces: + - * / % ( ), names of repeat variables, decimal numbers.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "engine/program/syntax/tree.h"

namespace streamscope::program {

struct ExpressionError {
  SourceLocation location;
  std::string message;
};

using ParsedExpression = std::variant<syntax::Expression, ExpressionError>;
// `place_of` gives the place of a byte of `text`.
ParsedExpression parse_expression(std::string_view text, const std::function<SourceLocation(std::size_t)>& location_of);

// The value of a variable; nothing where there is none of that name.
using Variables = std::function<std::optional<std::int64_t>(std::string_view)>;
using Evaluated = std::variant<std::int64_t, ExpressionError>;
// Division and remainder cut toward zero, as in C++. Overflow and division by zero are errors.
Evaluated evaluate(const syntax::Expression& expression, const Variables& variables);

}  // namespace streamscope::program
