#include "engine/program/expand.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/program/cursor.h"
#include "engine/program/grammar.h"
#include "engine/program/weigh.h"

namespace streamscope {
namespace {

using syntax::Line;
using syntax::Statement;
using syntax::Verb;

bool declares(Verb verb) {
  return verb == Verb::buffer || verb == Verb::stream || verb == Verb::streams || verb == Verb::event;
}

class Walk {
 public:
  Walk(Expansion& expansion, const Syntax& syntax) : x_(expansion), weights_(syntax) {}

  void lines(const std::vector<Line>& all) {
    for (const Line& line : all) {
      if (line.statement) one(*line.statement);
    }
  }

 private:
  void one(const Statement& statement) {
    if (statement.opens_block) return block(statement);
    if (statement.broken && !has_all_arguments(statement)) return forgive(x_, statement);
    if (++used_ > kMaximumOperations && !over_) {
      over_ = true;
      x_.report.error(statement.place,
                      fmt::format("the program expands to more than {} operations by this line{}; repeat less often",
                                  kMaximumOperations, x_.scope.values()));
    }
    if (declares(statement.verb)) return declare(x_, statement);
    auto operation = make_operation(x_, statement);
    if (!operation || over_) return;
    const auto index = static_cast<OperationIndex>(x_.program.operations.size());
    if (const auto* record = std::get_if<op::Record>(&operation->work)) x_.last_record[record->event.value] = index;
    x_.program.operations.push_back(std::move(*operation));
  }

  // An option was wrong, or something stood behind; the rest of the line is worth looking at.
  static bool has_all_arguments(const Statement& statement) {
    return statement.verb != Verb::none && statement.verb != Verb::repeat &&
           statement.arguments.size() == grammar::form(statement.verb).arguments.size();
  }

  void block(const Statement& statement) {
    if (statement.broken) {
      ++x_.scope.forgiving;
      body_once(statement);
      --x_.scope.forgiving;
      return;
    }
    if (statement.variable) {
      if (const auto* outer = x_.scope.find(statement.variable->text)) {
        x_.report.error(statement.variable->place,
                        fmt::format("'{}' is the variable of the repeat of line {} already; choose another name",
                                    shown(statement.variable->text), outer->line));
      }
    }
    const auto passes = this->passes(statement);
    if (!passes) return body_once(statement);
    if (statement.variable) x_.scope.push({statement.variable->text, statement.place.line, 0});
    // The limit may be passed in the body: what follows is then read once, for its errors.
    for (std::int64_t pass = 0; pass < *passes && (pass == 0 || !over_); ++pass) {
      if (statement.variable) x_.scope.top().value = pass;
      lines(statement.body);
    }
    if (statement.variable) x_.scope.pop();
  }

  // Nothing after an error.
  std::optional<std::int64_t> passes(const Statement& statement) {
    const auto& count = std::get<syntax::Number>(statement.arguments[0]);
    const auto value = x_.scope.value(count);
    if (!value) return std::nullopt;
    if (*value < 1) {
      x_.scope.error(
          count,
          fmt::format("'{}'{}: a block is repeated at least once; put '#' before its lines to leave it out",
                      shown(count.text), count.expression.nodes.empty() ? "" : fmt::format(" comes to {}", *value)));
      return std::nullopt;
    }
    if (over_) return std::nullopt;
    // Nothing in it can differ from pass to pass.
    const std::uint64_t body = weights_.body(statement).least;
    if (body == 0) return 1;
    const std::uint64_t left = kMaximumOperations - std::min(used_, kMaximumOperations);
    const std::uint64_t all = weights_.passes(statement, static_cast<std::uint64_t>(*value), left, x_.scope);
    if (all <= left) return value;
    over_ = true;
    const std::string others = used_ == 0 ? "" : fmt::format(" after {} others", used_);
    x_.scope.error(count,
                   fmt::format("'{}' passes of this block are more than {} operations{}; a program expands to at most "
                               "{}: repeat less often",
                               shown(count.text), left, others, kMaximumOperations));
    return std::nullopt;
  }

  // For the errors in it; what the variable comes to is not known.
  void body_once(const Statement& statement) {
    if (statement.variable) x_.scope.push({statement.variable->text, statement.place.line, std::nullopt});
    lines(statement.body);
    if (statement.variable) x_.scope.pop();
  }

  Expansion& x_;
  Weights weights_;
  std::uint64_t used_ = 0;  // statements carried out
  bool over_ = false;
};

}  // namespace

void expand(Expansion& expansion, const Syntax& syntax) { Walk(expansion, syntax).lines(syntax.lines); }

}  // namespace streamscope
