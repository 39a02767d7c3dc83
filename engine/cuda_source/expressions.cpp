#include "engine/cuda_source/expressions.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/program/syntax/expression.h"

namespace streamscope::cuda_source {

using program::syntax::Expression;
using Kind = Expression::Kind;

const Variable* Variables::find(std::string_view name) const {
  const auto at = std::find_if(all_.rbegin(), all_.rend(), [&](const Variable& one) { return one.name == name; });
  return at == all_.rend() ? nullptr : &*at;
}

bool Variables::in_loop() const {
  return std::any_of(all_.begin(), all_.end(), [](const Variable& one) { return !one.value; });
}

std::optional<std::int64_t> Variables::value(const Expression& expression) const {
  const auto evaluated = program::evaluate(expression, [&](std::string_view name) -> std::optional<std::int64_t> {
    const Variable* const variable = find(name);
    return variable == nullptr ? std::nullopt : variable->value;
  });
  const auto* const value = std::get_if<std::int64_t>(&evaluated);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<std::int64_t> Variables::value(const program::syntax::Number& number) const {
  if (number.expression.nodes.empty()) return number.value;
  const auto value = this->value(number.expression);
  return value ? std::optional(*value * number.factor) : std::nullopt;
}

std::optional<std::string> Variables::text(const program::syntax::Name& name) const {
  if (name.pieces.empty()) return name.text;
  std::string text;
  for (const auto& piece : name.pieces) {
    text += piece.letters;
    if (piece.expression.nodes.empty()) continue;
    const auto value = this->value(piece.expression);
    if (!value) return std::nullopt;
    text += fmt::format("{}", *value);
  }
  return text;
}

std::string cpp(const Expression& expression, const Variables& variables, bool factor) {
  // How strongly what stands there binds: 1 a sum, 2 a product, 3 one operand.
  struct Operand {
    std::string text;
    int binds;
  };
  std::vector<Operand> stack;
  const auto bracketed = [](const Operand& one, int least) {
    return one.binds < least ? "(" + one.text + ")" : one.text;
  };
  for (const Expression::Node& node : expression.nodes) {
    if (node.kind == Kind::number) {
      stack.push_back({fmt::format("{}", node.value), 3});
    } else if (node.kind == Kind::variable) {
      const Variable* const variable = variables.find(node.variable);
      const bool known = variable != nullptr && variable->value;
      stack.push_back({known                 ? fmt::format("{}", *variable->value)
                       : variable != nullptr ? variable->cpp
                                             : node.variable,
                       3});
    } else if (node.kind == Kind::negate) {
      stack.back() = {"-" + bracketed(stack.back(), 3), 2};
    } else {
      const Operand right = std::move(stack.back());
      stack.pop_back();
      const int binds = node.kind == Kind::add || node.kind == Kind::subtract ? 1 : 2;
      stack.back() = {fmt::format("{} {} {}", bracketed(stack.back(), binds), static_cast<char>(node.kind),
                                  bracketed(right, binds + 1)),
                      binds};
    }
  }
  return bracketed(stack.back(), factor ? 2 : 1);
}

std::string cpp_bytes(std::uint64_t bytes) {
  for (const auto& [unit, shift] : {std::pair{"MiB", 20}, {"KiB", 10}}) {
    if (bytes == 0 || bytes % (1ull << shift) != 0) continue;
    return bytes >> shift == 1 ? unit : fmt::format("{} * {}", bytes >> shift, unit);
  }
  return fmt::format("{}", bytes);
}

std::string cpp_bytes(const program::syntax::Number& number, const Variables& variables) {
  if (const auto value = variables.value(number)) return cpp_bytes(static_cast<std::uint64_t>(*value));
  if (number.factor == 1) return cpp(number.expression, variables);
  return fmt::format("{} * {}", cpp(number.expression, variables, true),
                     number.factor == 1 << 20   ? "MiB"
                     : number.factor == 1 << 10 ? "KiB"
                                                : fmt::format("size_t{{{}}}", number.factor));
}

std::string cpp(const program::syntax::Number& number, const Variables& variables) {
  if (const auto value = variables.value(number)) return fmt::format("{}", *value);
  if (number.factor == 1) return cpp(number.expression, variables);
  return fmt::format("{} * {}ll", cpp(number.expression, variables, true), number.factor);
}

double magnitude(const Expression& expression, const Variables& variables) {
  std::vector<double> stack;
  double most = 0;
  for (const Expression::Node& node : expression.nodes) {
    if (node.kind == Kind::number) {
      stack.push_back(static_cast<double>(node.value));
    } else if (node.kind == Kind::variable) {
      const Variable* const variable = variables.find(node.variable);
      stack.push_back(variable == nullptr ? 0 : static_cast<double>(variable->most));
    } else if (node.kind != Kind::negate) {
      const double right = stack.back();
      stack.pop_back();
      double& left = stack.back();
      if (node.kind == Kind::multiply) {
        left *= right;
      } else if (node.kind == Kind::add || node.kind == Kind::subtract) {
        left += right;
      }
    }
    most = std::max(most, stack.back());
  }
  return most;
}

}  // namespace streamscope::cuda_source
