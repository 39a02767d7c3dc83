#include "engine/program/check/scope.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/suggest.h"
#include "engine/base/translate.h"
#include "engine/program/syntax/characters.h"
#include "engine/program/syntax/expression.h"

namespace streamscope::program {

const Scope::Variable* Scope::find(std::string_view name) const {
  const auto at =
      std::find_if(variables_.rbegin(), variables_.rend(), [&](const Variable& one) { return one.name == name; });
  return at == variables_.rend() ? nullptr : &*at;
}

std::optional<std::int64_t> Scope::evaluated(const syntax::Expression& expression) {
  bool unknown_value = false;
  std::string_view missing;
  const auto evaluated = evaluate(expression, [&](std::string_view name) -> std::optional<std::int64_t> {
    const Variable* variable = find(name);
    if (!variable) missing = name;
    if (variable && !variable->value) unknown_value = true;
    return variable ? variable->value : std::nullopt;
  });
  if (const auto* value = std::get_if<std::int64_t>(&evaluated)) return *value;
  if (unknown_value) return std::nullopt;
  const auto& problem = std::get<ExpressionError>(evaluated);
  if (missing.empty()) {
    diagnostics_.error(problem.location, problem.message + values());
  } else if (suppress_unknown == 0) {
    std::vector<std::string_view> names;
    for (const Variable& variable : variables_) names.push_back(variable.name);
    const std::string hint = names.empty() ? tr("; a variable comes from `repeat 16 as i {` around the line")
                                           : tr("; the variables here are {}", fmt::join(names, ", "));
    const std::string meant = did_you_mean(missing, names);
    diagnostics_.error(problem.location,
                       tr("'{}' is no variable here{}", printable(missing), meant.empty() ? hint : meant));
  }
  return std::nullopt;
}

std::optional<std::int64_t> Scope::value(const syntax::Number& number) {
  if (number.expression.nodes.empty()) return number.value;
  const auto value = evaluated(number.expression);
  if (!value) return std::nullopt;
  std::int64_t product = 0;
  if (__builtin_mul_overflow(*value, number.factor, &product)) {
    error(number, tr("integer overflow: '{}' comes to {} times {}", printable(number.text), *value, number.factor));
    return std::nullopt;
  }
  return product;
}

std::optional<std::int64_t> Scope::quiet_value(const syntax::Number& number) const {
  if (number.expression.nodes.empty()) return number.value;
  const auto evaluated = evaluate(number.expression, [&](std::string_view name) -> std::optional<std::int64_t> {
    const Variable* variable = find(name);
    return variable ? variable->value : std::nullopt;
  });
  const auto* value = std::get_if<std::int64_t>(&evaluated);
  std::int64_t product = 0;
  if (!value || __builtin_mul_overflow(*value, number.factor, &product)) return std::nullopt;
  return product;
}

std::optional<std::string_view> Scope::text(const syntax::Name& name) {
  if (name.pieces.empty()) return name.text;
  built_.clear();
  for (const syntax::Name::Piece& piece : name.pieces) {
    built_ += piece.letters;
    if (piece.expression.nodes.empty()) continue;
    const auto value = evaluated(piece.expression);
    if (!value) return std::nullopt;
    const fmt::format_int digits(*value);
    built_.append(digits.data(), digits.size());
  }
  return built_;
}

void Scope::error(const syntax::Name& name, std::string message) {
  diagnostics_.error(name.location, std::move(message) + (name.pieces.empty() ? std::string() : values()));
}

void Scope::error(const syntax::Number& number, std::string message) {
  diagnostics_.error(number.location,
                     std::move(message) + (number.expression.nodes.empty() ? std::string() : values()));
}

std::string Scope::values() const {
  std::string list;
  for (const Variable& variable : variables_) {
    if (!variable.value) continue;
    list += fmt::format("{}{}={}", list.empty() ? "" : ", ", variable.name, *variable.value);
  }
  return list.empty() ? list : tr(" (with {})", list);
}

}  // namespace streamscope::program
