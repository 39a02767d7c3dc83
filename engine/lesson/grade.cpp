#include "engine/lesson/grade.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/place.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/lesson/quantities.h"

namespace streamscope::lesson {
namespace {

using Mark = Grade::Mark;

tl::unexpected<Error> wrong_at(const Step& step, std::string_view what) {
  return fail(ErrorKind::bad_input, error_at(step.place, what));
}

// Nothing where `when` of no other is right.
Result<bool> is_right(const Step& step, const Choice& choice, const Scope& scope) {
  if (choice.when) return holds(*choice.when, scope);
  for (const Choice& other : step.choices) {
    if (!other.when) continue;
    const bool right = TRY(holds(*other.when, scope));
    if (right) return false;
  }
  return true;
}

Result<Grade> of_choice(const Step& step, const answer::Chosen& given, const Scope& scope) {
  const auto at = std::ranges::find(step.choices, given.name, &Choice::name);
  const bool right = TRY(is_right(step, *at, scope));
  return Grade{right ? Mark::right : Mark::wrong, right ? "right" : given.name};
}

Result<Grade> of_number(const Step& step, double given, Scope scope) {
  const double right = TRY(number(*step.value, scope));
  const double room = step.tolerance.relative ? step.tolerance.value * std::abs(right) : step.tolerance.value;
  if (std::abs(given - right) <= room) return Grade{Mark::right, "right"};
  scope.answer = given;
  for (const WrongNumber& each : step.wrong) {
    const bool it_is = TRY(holds(each.when, scope));
    if (it_is) return Grade{Mark::wrong, each.name};
  }
  return Grade{Mark::wrong, given < right ? "too-low" : "too-high"};
}

struct Keyed {
  std::string name;
  double key;
};
Result<std::vector<Keyed>> keys(const Step& step, const Scope& scope) {
  std::vector<Keyed> all;
  for (const Item& each : step.items) {
    const double key = TRY(number(each.key, scope));
    all.push_back({each.name, key});
  }
  return all;
}

Result<Grade> of_order(const Step& step, const answer::Ordered& given, const Scope& scope) {
  const std::vector<Keyed> all = TRY(keys(step, scope));
  std::vector<double> in_order;
  for (const std::string& name : given.items) in_order.push_back(std::ranges::find(all, name, &Keyed::name)->key);
  const double room = step.items[0].key.type.dimension == kTime ? kTie : 0;
  double latest = in_order.front();
  for (const double key : in_order) {
    if (key < latest - room) return Grade{Mark::wrong, "wrong"};
    latest = std::max(latest, key);
  }
  return Grade{Mark::right, "right"};
}

// The start of the operation, and what the makespan of its run is.
struct Bar {
  Nanoseconds start, makespan;
};
Result<Bar> bar(const Step& step, const Scope& scope) {
  const OperationIndex named = TRY(operation(scope.at_hand->program, scope.at_hand->tags, *step.operation));
  const Nanoseconds start = scope.at_hand->run.trace.spans[named].start, makespan = scope.at_hand->analysis.makespan;
  if (!known(start) || !known(makespan)) return wrong_at(step, tr("its start is not known of this run"));
  return Bar{start, makespan};
}

Result<Grade> of_bar(const Step& step, const answer::Start& given, const Scope& scope) {
  const Bar right = TRY(bar(step, scope));
  const double room =
      step.tolerance.relative ? step.tolerance.value * static_cast<double>(right.makespan) : step.tolerance.value;
  const bool near = std::abs(static_cast<double>(given.at) - static_cast<double>(right.start)) <= room;
  return Grade{near ? Mark::right : Mark::wrong, near ? "right" : "wrong"};
}

Result<Grade> of_change(const Step& step, const answer::Changed& given, const Runs& runs) {
  if (given.run == nullptr) return Grade{Mark::wrong, "hint"};
  const bool reached = all_hold(held(step.relations, {runs, given.run.get()}));
  return Grade{reached ? Mark::right : Mark::wrong, reached ? "done" : "hint"};
}

// All of these, each once.
std::string why_no_order(const Step& step, std::vector<std::string> names) {
  for (const std::string& name : names)
    if (std::ranges::find(step.items, name, &Item::name) == step.items.end())
      return tr("the step '{}' has no item '{}'", step.name, name);
  std::ranges::sort(names);
  if (names.size() == step.items.size() && std::ranges::adjacent_find(names) == names.end()) return {};
  return tr("all {} items are to be put in order, each once", step.items.size());
}

}  // namespace

Scope scope_of(const Step& step, const Runs& runs) {
  const auto at = runs.find(step.run);
  return {runs, at == runs.end() ? nullptr : at->second.get()};
}

std::string why_no_answer(const Step& step, const Answer& given) {
  if (std::holds_alternative<answer::Skipped>(given)) return {};
  if (step.kind == StepKind::change && std::holds_alternative<answer::Changed>(given)) return {};
  if (asks(step)) {
    if (const auto* chosen = std::get_if<answer::Chosen>(&given); chosen != nullptr && step.ask == Ask::choice) {
      if (std::ranges::find(step.choices, chosen->name, &Choice::name) != step.choices.end()) return {};
      return tr("the step '{}' has no choice '{}'", step.name, chosen->name);
    }
    if (const auto* ordered = std::get_if<answer::Ordered>(&given); ordered != nullptr && step.ask == Ask::order)
      return why_no_order(step, ordered->items);
    if (std::holds_alternative<answer::Number>(given) && step.ask == Ask::number) return {};
    if (std::holds_alternative<answer::Start>(given) && step.ask == Ask::bar) return {};
  }
  return tr("this is no answer to the step '{}'", step.name);
}

Result<Grade> grade(const Step& step, const Answer& given, const Runs& runs) {
  if (const std::string why = why_no_answer(step, given); !why.empty()) return wrong_at(step, why);
  const Scope scope = scope_of(step, runs);
  if (scope.at_hand == nullptr) return wrong_at(step, tr("the run '{}' was not made", step.run));
  struct {
    const Step& step;
    const Scope& scope;
    Result<Grade> operator()(const answer::Skipped&) const { return Grade{}; }
    Result<Grade> operator()(const answer::Chosen& chosen) const { return of_choice(step, chosen, scope); }
    Result<Grade> operator()(const answer::Number& number) const { return of_number(step, number.value, scope); }
    Result<Grade> operator()(const answer::Ordered& ordered) const { return of_order(step, ordered, scope); }
    Result<Grade> operator()(const answer::Start& start) const { return of_bar(step, start, scope); }
    Result<Grade> operator()(const answer::Changed& changed) const { return of_change(step, changed, scope.runs); }
  } const graded{step, scope};
  return std::visit(graded, given);
}

Result<Answer> right_answer(const Step& step, const Runs& runs) {
  const Scope scope = scope_of(step, runs);
  if (scope.at_hand == nullptr || !asks(step)) return wrong_at(step, tr("the run '{}' was not made", step.run));
  switch (step.ask) {
    case Ask::choice: {
      std::string right;
      for (const Choice& each : step.choices) {
        const bool it_is = TRY(is_right(step, each, scope));
        if (!it_is) continue;
        if (!right.empty()) return wrong_at(step, tr("both '{}' and '{}' are right of this run", right, each.name));
        right = each.name;
      }
      if (right.empty()) return wrong_at(step, tr("no choice is right of this run"));
      return answer::Chosen{right};
    }
    case Ask::number: {
      const double value = TRY(number(*step.value, scope));
      return answer::Number{value};
    }
    case Ask::order: {
      std::vector<Keyed> all = TRY(keys(step, scope));
      std::ranges::stable_sort(all, {}, &Keyed::key);
      answer::Ordered right;
      for (Keyed& each : all) right.items.push_back(std::move(each.name));
      return right;
    }
    case Ask::bar: break;
  }
  const Bar right = TRY(bar(step, scope));
  return answer::Start{right.start};
}

std::vector<std::string> first_order(const Lesson& lesson, const Step& step, const Runs& runs) {
  answer::Ordered order;
  for (const Item& each : step.items) order.items.push_back(each.name);
  const std::vector<std::string> written = order.items;
  std::uint32_t seed = 2'166'136'261;  // FNV-1a: the same on every machine
  for (const char c : lesson.name + "/" + step.name) seed = (seed ^ static_cast<unsigned char>(c)) * 16'777'619;
  for (std::size_t left = order.items.size(); left > 1; --left) {
    seed = seed * 1'664'525 + 1'013'904'223;
    std::swap(order.items[left - 1], order.items[(seed >> 16) % left]);
  }
  // Turned further where it is not to be shown; where all are at the same time each order is right.
  for (std::size_t i = 0; i < written.size(); ++i) {
    const auto graded = grade(step, order, runs);
    if (graded ? graded->mark != Mark::right : order.items != written) break;
    std::ranges::rotate(order.items, order.items.begin() + 1);
  }
  return order.items;
}

std::vector<Held> held(const std::vector<Expression>& relations, const Scope& scope) {
  std::vector<Held> out;
  for (const Expression& each : relations) {
    const auto it_holds = holds(each, scope);
    out.push_back({&each, it_holds.value_or(false), it_holds ? "" : it_holds.error().message,
                   it_holds && asks_unchecked_data(each, scope)});
  }
  return out;
}

bool all_hold(const std::vector<Held>& relations) { return std::ranges::all_of(relations, &Held::holds); }

std::string display(const Step& step, const Answer& given) {
  struct {
    const Step& step;
    std::string operator()(const answer::Skipped&) const { return tr("skipped"); }
    std::string operator()(const answer::Chosen& chosen) const { return chosen.name; }
    std::string operator()(const answer::Number& number) const {
      return fmt::format("{:.4g}{}{}", number.value / step.unit.factor, step.unit.name == "%" ? "" : " ",
                         step.unit.name == "count" ? std::string_view() : step.unit.name);
    }
    std::string operator()(const answer::Ordered& order) const {
      return fmt::format("{}", fmt::join(order.items, ", "));
    }
    std::string operator()(const answer::Start& start) const { return display_duration(start.at); }
    std::string operator()(const answer::Changed& changed) const {
      return changed.run ? tr("changed") : tr("changed, not run");
    }
  } const in_words{step};
  return std::visit(in_words, given);
}

}  // namespace streamscope::lesson
