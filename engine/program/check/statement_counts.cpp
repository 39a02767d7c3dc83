#include "engine/program/check/statement_counts.h"

#include <algorithm>
#include <limits>

namespace streamscope::program {
namespace {

using syntax::Line;
using syntax::Statement;

constexpr std::uint64_t kInfinite = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMaximumSteps = 2'000'000;

std::uint64_t product(std::uint64_t left, std::uint64_t right) {
  std::uint64_t value = 0;
  return __builtin_mul_overflow(left, right, &value) ? kInfinite : value;
}
std::uint64_t sum(std::uint64_t left, std::uint64_t right) {
  std::uint64_t value = 0;
  return __builtin_add_overflow(left, right, &value) ? kInfinite : value;
}

// One pass where the count is wrong: the error is reported when the statement is expanded.
std::uint64_t count_of(const Statement& statement, const Scope& scope) {
  if (statement.broken || statement.verb != syntax::Verb::repeat) return 1;
  const auto value = scope.quiet_value(std::get<syntax::Number>(statement.arguments[0]));
  return static_cast<std::uint64_t>(std::max<std::int64_t>(value.value_or(1), 1));
}

// A graph and a thread count as one themselves, a repeat only by its contents.
std::uint64_t own(const Statement& statement) {
  return statement.broken || statement.verb == syntax::Verb::repeat ? 0 : 1;
}

bool constant(const Statement& statement) {
  if (statement.broken || statement.verb != syntax::Verb::repeat) return true;
  const auto& nodes = std::get<syntax::Number>(statement.arguments[0]).expression.nodes;
  return std::none_of(nodes.begin(), nodes.end(), [](const syntax::Expression::Node& node) {
    return node.kind == syntax::Expression::Kind::variable;
  });
}

}  // namespace

StatementCounts::Count StatementCounts::count_bodies(const std::vector<Line>& lines) {
  std::vector<Diagnostic> none;
  Diagnostics ignored(none);
  const Scope scope(ignored);
  Count all;
  for (const Line& line : lines) {
    if (!line.statement) continue;
    const Statement& statement = *line.statement;
    Count one{statement.broken ? 0u : 1u, true};
    if (statement.opens_block) {
      const Count body = count_bodies(statement.body);
      bodies_[&statement] = body;
      one = {product(count_of(statement, scope), body.least), body.exact && (constant(statement) || body.least == 0)};
      one.least = sum(one.least, own(statement));
    }
    all = {sum(all.least, one.least), all.exact && one.exact};
  }
  return all;
}

std::uint64_t StatementCounts::in_passes(const Statement& statement, std::uint64_t passes, std::uint64_t enough,
                                         Scope& scope) const {
  const Count body_count = body(statement);
  const std::uint64_t least = product(passes, body_count.least);
  if (body_count.exact || least > enough) return least;
  std::uint64_t steps = kMaximumSteps;
  return std::max(least, count_passes(statement, passes, enough, scope, steps));
}

std::uint64_t StatementCounts::count_passes(const Statement& statement, std::uint64_t passes, std::uint64_t enough,
                                            Scope& scope, std::uint64_t& steps) const {
  const Count body_count = body(statement);
  if (body_count.exact) return product(passes, body_count.least);
  std::uint64_t all = 0;
  if (statement.variable) scope.push({statement.variable->text, statement.location.line, 0});
  for (std::uint64_t pass = 0; pass < passes && all <= enough && steps > 0; ++pass) {
    if (statement.variable) scope.top().value = static_cast<std::int64_t>(pass);
    for (const Line& line : statement.body) {
      if (!line.statement || steps == 0) continue;
      --steps;
      const Statement& inner = *line.statement;
      all = sum(all, inner.opens_block
                         ? sum(own(inner), count_passes(inner, count_of(inner, scope), enough, scope, steps))
                         : (inner.broken ? 0u : 1u));
    }
  }
  if (statement.variable) scope.pop();
  return all;
}

}  // namespace streamscope::program
