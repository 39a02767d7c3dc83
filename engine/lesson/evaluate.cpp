// Expressions over runs.
#include "engine/base/place.h"
#include "engine/base/translate.h"
#include "engine/lesson/expression.h"
#include "engine/lesson/quantities.h"

namespace streamscope::lesson {
namespace {

Result<Value> of_quantity(const Expression& of, const Scope& scope) {
  const RunFacts* facts = scope.at_hand;
  if (!of.run.empty()) {
    const auto at = scope.runs.find(of.run);
    facts = at == scope.runs.end() ? nullptr : at->second.get();
  }
  if (facts == nullptr)
    return fail(ErrorKind::bad_input, error_at(of.place, of.run.empty() ? std::string(tr("there is no run at hand"))
                                                                        : tr("the run '{}' was not made", of.run)));
  OperationIndex named = kNoOperation;
  if (of.operation) named = TRY(operation(facts->program, facts->tags, *of.operation));
  auto value = of.quantity->of({*facts, named, of.text});
  if (!value) return fail(value.error().kind, error_at(of.place, value.error().message));
  return value;
}

bool compared(std::string_view sign, const Value& left, const Value& right) {
  if (sign == "==") return left == right;
  if (sign == "!=") return left != right;
  const double a = std::get<double>(left), b = std::get<double>(right);
  return sign == "<" ? a < b : sign == "<=" ? a <= b : sign == ">" ? a > b : a >= b;
}

Result<Value> of_arithmetic(const Expression& of, const Scope& scope) {
  const double left = TRY(number(of.operands[0], scope)), right = TRY(number(of.operands[1], scope));
  switch (of.text.front()) {
    case '+': return left + right;
    case '-': return left - right;
    case '*': return left * right;
    default: break;
  }
  if (right == 0) return fail(ErrorKind::bad_input, error_at(of.operands[1].place, tr("it is 0, and divides")));
  return left / right;
}

}  // namespace

Result<Value> evaluate(const Expression& expression, const Scope& scope) {
  using Kind = Expression::Kind;
  switch (expression.kind) {
    case Kind::number: return expression.number;
    case Kind::text: return expression.text;
    case Kind::quantity: return of_quantity(expression, scope);
    case Kind::answer: return scope.answer.value_or(0);
    case Kind::negate: {
      const double value = TRY(number(expression.operands[0], scope));
      return -value;
    }
    case Kind::arithmetic: return of_arithmetic(expression, scope);
    case Kind::compare: {
      const Value left = TRY(evaluate(expression.operands[0], scope));
      const Value right = TRY(evaluate(expression.operands[1], scope));
      return compared(expression.text, left, right);
    }
    case Kind::no: {
      const bool of = TRY(holds(expression.operands[0], scope));
      return !of;
    }
    case Kind::all:
    case Kind::any: break;
  }
  const bool decides = expression.kind == Kind::any;
  for (const Expression& each : expression.operands) {
    const bool one = TRY(holds(each, scope));
    if (one == decides) return decides;
  }
  return !decides;
}

Result<bool> holds(const Expression& truth, const Scope& scope) {
  const Value value = TRY(evaluate(truth, scope));
  return std::get<bool>(value);
}

Result<double> number(const Expression& of, const Scope& scope) {
  const Value value = TRY(evaluate(of, scope));
  return std::get<double>(value);
}

}  // namespace streamscope::lesson
