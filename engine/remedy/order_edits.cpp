// In which order work is issued.
#include "engine/remedy/text_edits.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "engine/base/translate.h"
#include "engine/remedy/statements.h"

namespace streamscope::remedy {

using program::Syntax;
using program::syntax::Line;
using program::syntax::Statement;
using program::syntax::Verb;
using verdict::Cause;

namespace {

// Whether the host itself does nothing in it, and nothing is repeated within.
bool is_all_in_streams(const Statement& repeat) {
  return std::ranges::none_of(repeat.body, [](const Line& line) {
    return line.statement && (!line.statement->stream || line.statement->opens_block);
  });
}

}  // namespace

// A repeat over several statements as several repeats; adjacent repeats of the same count as one.
void breadth_first(const Syntax& syntax, TextEdits& edits) {
  for (const Place& place : places(syntax, [](const Statement& one) { return one.verb == Verb::repeat; })) {
    Syntax changed = syntax;
    std::vector<Line>& lines = lines_around(changed, place);
    const Line whole = lines[place.back()];
    if (!is_all_in_streams(*whole.statement)) continue;
    std::vector<Line> parts;
    for (const Line& inner : whole.statement->body) {
      if (!inner.statement) continue;
      Line part = whole;
      part.statement->body = {inner};
      // Records stay behind, and waits before, what they stand beside.
      const bool joins = !parts.empty() && inner.statement->verb == Verb::record;
      const bool after_wait = !parts.empty() && parts.back().statement->body.back().statement->verb == Verb::wait;
      if (joins || after_wait) {
        parts.back().statement->body.push_back(inner);
      } else {
        parts.push_back(std::move(part));
      }
    }
    if (parts.size() > 1) {
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(place.back()));
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(place.back()), parts.begin(), parts.end());
      add(edits, Cause::issue_order, tr("breadth-first: each step for all chunks, then the next"), std::move(changed));
    }
  }
}

void depth_first(const Syntax& syntax, TextEdits& edits) {
  Syntax changed;
  bool joined = false;
  for (const Line& line : syntax.lines) {
    const bool joins = line.statement && !changed.lines.empty() && changed.lines.back().statement &&
                       same_turns(*changed.lines.back().statement, *line.statement);
    if (joins) {
      std::vector<Line>& body = changed.lines.back().statement->body;
      body.insert(body.end(), line.statement->body.begin(), line.statement->body.end());
      joined = true;
    } else {
      changed.lines.push_back(line);
    }
  }
  if (joined)
    add(edits, Cause::issue_order, tr("depth-first: all steps for a chunk, then the next chunk"), std::move(changed));
}

namespace {

// Whether a statement takes another time in another turn: a number of it goes with the turn, which no offset is.
bool differs_by_turn(const Statement& one) {
  const auto with_turn = [](const program::syntax::Argument& argument) {
    if (const auto* range = std::get_if<program::syntax::Range>(&argument))
      return range->bytes && !range->bytes->expression.nodes.empty();
    const auto* const number = std::get_if<program::syntax::Number>(&argument);
    return number != nullptr && !number->expression.nodes.empty();
  };
  return std::ranges::any_of(one.arguments, with_turn) ||
         std::ranges::any_of(one.options, [&](const auto& each) { return each.value && with_turn(*each.value); });
}

}  // namespace

// The turns of a repeat that are each in a stream of their own and of different lengths, or that others wait for one by
// one, the last one first.
void turns_in_reverse(const Syntax& syntax, TextEdits& edits) {
  for (const Place& place : places(syntax, [](const Statement& one) { return one.verb == Verb::repeat; })) {
    Syntax changed = syntax;
    Statement& repeat = at(changed, place);
    if (!repeat.variable) continue;
    const std::string variable = repeat.variable->text;
    const bool apart = std::ranges::all_of(repeat.body, [&](const Line& line) {
      return !line.statement || (line.statement->stream && !line.statement->opens_block &&
                                 line.statement->stream->text.ends_with("{" + variable + "}"));
    });
    const bool differ = std::ranges::any_of(
        repeat.body, [](const Line& line) { return line.statement && differs_by_turn(*line.statement); });
    const bool waited_for = std::ranges::any_of(repeat.body, [](const Line& line) {
      return line.statement && line.statement->verb == Verb::record &&
             argument(*line.statement, 0).find('{') != std::string::npos;
    });
    if (!(apart && differ) && !(waited_for && is_all_in_streams(repeat))) continue;
    for (Line& line : repeat.body) {
      if (line.statement)
        replace_variable(*line.statement, variable, "(" + argument(repeat, 0) + "-1-" + variable + ")");
    }
    add(edits, Cause::issue_order,
        tr("the turns of the repeat in line {} from the last to the first", line_of(syntax, place)),
        std::move(changed));
  }
}

namespace {

// What stands together in an order of issue: a statement, or a repeat with all that is in it.
struct Unit {
  std::size_t line = 0;         // index into Syntax::lines
  std::set<std::string> names;  // of its streams and events: units without one in common may change places
};

// A repeat's variable and its turns.
struct Turns {
  std::string variable;
  std::int64_t count = 0;
};

// All names that `S{i}` and `S{i%4}` stand for in those turns; `S*` where they are not known.
std::set<std::string> names_of(const program::syntax::Name& name, const Turns& turns) {
  constexpr std::int64_t kMost = 64;
  const std::size_t open = name.text.find('{');
  if (open == std::string::npos) return {name.text};
  const std::string letters = name.text.substr(0, open);
  const std::string inside = name.text.substr(open + 1);
  std::int64_t count = turns.count;
  if (inside != turns.variable + "}") {
    const std::string head = turns.variable + "%";
    if (!inside.starts_with(head) || !inside.ends_with('}')) return {letters + "*"};
    const std::string number = inside.substr(head.size(), inside.size() - head.size() - 1);
    const bool digits = !number.empty() && number.size() < 6 &&
                        std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
    if (!digits) return {letters + "*"};
    count = std::min<std::int64_t>(count, std::stoi(number));
  }
  if (count <= 0 || count > kMost) return {letters + "*"};
  std::set<std::string> all;
  for (std::int64_t i = 0; i < count; ++i) all.insert(letters + std::to_string(i));
  return all;
}

// Adds the names that a statement uses; false where it may not change its place.
bool add_names(const Statement& one, const Turns& turns, std::set<std::string>& names) {
  if (one.verb == Verb::repeat) {
    const auto* const count = one.arguments.empty() ? nullptr : std::get_if<program::syntax::Number>(&one.arguments[0]);
    // Of repeats in repeats the inner one's variable is known.
    const bool counted = count != nullptr && count->expression.nodes.empty() && one.variable;
    const Turns inner = counted ? Turns{one.variable->text, count->value} : Turns{};
    return std::ranges::all_of(
        one.body, [&](const Line& line) { return !line.statement || add_names(*line.statement, inner, names); });
  }
  const bool in_order = !one.stream || one.opens_block || one.verb == Verb::launch || one.stream->text == "default";
  if (in_order) return false;
  names.merge(names_of(*one.stream, turns));
  if (one.verb == Verb::record || one.verb == Verb::wait) {
    const auto* const event = std::get_if<program::syntax::Name>(&one.arguments[0]);
    if (event != nullptr) {
      for (const std::string& name : names_of(*event, turns)) names.insert("event " + name);
    }
  }
  return true;
}

bool meet(const Unit& a, const Unit& b) {
  const auto any_of = [](const std::string& name, const std::set<std::string>& names) {
    if (!name.ends_with('*')) return names.contains(name);
    const std::string_view letters = std::string_view(name).substr(0, name.size() - 1);
    return std::ranges::any_of(names, [&](const std::string& each) { return each.starts_with(letters); });
  };
  return std::ranges::any_of(a.names, [&](const std::string& name) { return any_of(name, b.names); }) ||
         std::ranges::any_of(b.names, [&](const std::string& name) { return any_of(name, a.names); });
}

// Units in a row that may change places as far as they do not meet.
using Row = std::vector<Unit>;
std::vector<Row> rows(const Syntax& syntax) {
  std::vector<Row> all(1);
  for (std::size_t i = 0; i < syntax.lines.size(); ++i) {
    if (!syntax.lines[i].statement) continue;
    Unit unit{i, {}};
    if (add_names(*syntax.lines[i].statement, {}, unit.names)) {
      all.back().push_back(std::move(unit));
    } else if (!all.back().empty()) {
      all.emplace_back();
    }
  }
  return all;
}

// Of each unit to which group it belongs: those that meet, by way of others too, are one.
std::vector<std::size_t> groups(const Row& row) {
  std::vector<std::size_t> of(row.size());
  std::iota(of.begin(), of.end(), std::size_t{0});
  for (std::size_t i = 0; i < row.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (of[i] == of[j] || !meet(row[i], row[j])) continue;
      const std::size_t from = std::max(of[i], of[j]), to = std::min(of[i], of[j]);
      std::ranges::replace(of, from, to);
    }
  }
  return of;
}

Syntax in_order(const Syntax& syntax, const Row& row, const std::vector<std::size_t>& order) {
  Syntax changed = syntax;
  for (std::size_t i = 0; i < row.size(); ++i) changed.lines[row[i].line] = syntax.lines[row[order[i]].line];
  return changed;
}

// Whether they work on one buffer, of which an order in one stream may be what keeps the data right.
bool share_a_buffer(const Statement& a, const Statement& b) {
  return std::ranges::any_of(a.arguments, [&](const program::syntax::Argument& one) {
    const std::string buffer = buffer_of(one);
    return !buffer.empty() && uses(b, buffer);
  });
}

// Work that needs nothing of what stands before it in its stream, moved before all of that, with the record behind it.
void earlier_in_stream(const Syntax& syntax, const Row& row, TextEdits& edits) {
  constexpr std::size_t kMost = 8;
  const auto statement = [&](std::size_t i) -> const Statement& { return *syntax.lines[row[i].line].statement; };
  const auto works = [&](std::size_t i) {
    const Verb verb = statement(i).verb;
    return statement(i).stream && (verb == Verb::h2d || verb == Verb::d2h || verb == Verb::d2d ||
                                   verb == Verb::memset || verb == Verb::kernel || verb == Verb::hostfn);
  };
  std::size_t found = 0;
  for (std::size_t i = 1; i < row.size() && found < kMost; ++i) {
    if (!works(i)) continue;
    const std::string& stream = statement(i).stream->text;
    const auto in_it = [&](std::size_t j) { return statement(j).stream && statement(j).stream->text == stream; };
    const bool recorded = i + 1 < row.size() && statement(i + 1).verb == Verb::record && in_it(i + 1);
    const std::size_t end = recorded ? i + 2 : i + 1;
    Unit moved = row[i];
    if (recorded) moved.names.insert(row[i + 1].names.begin(), row[i + 1].names.end());
    moved.names.erase(stream);
    std::size_t to = i;
    bool overtakes = false;
    while (to > 0) {
      Unit before = row[to - 1];
      before.names.erase(stream);
      const bool holds = in_it(to - 1) && !works(to - 1) && statement(to - 1).verb != Verb::record;
      if (holds || meet(before, moved) || share_a_buffer(statement(i), statement(to - 1))) break;
      --to;
      overtakes = overtakes || (in_it(to) && works(to));
    }
    if (!overtakes) continue;
    std::vector<std::size_t> order(row.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto at = [&](std::size_t place) { return order.begin() + static_cast<std::ptrdiff_t>(place); };
    std::rotate(at(to), at(i), at(end));
    add(edits, Cause::issue_order, tr("line {} moved ahead in its stream", statement(i).location.line),
        in_order(syntax, row, order));
    ++found;
  }
}

}  // namespace

// Statements that have nothing to do with each other, each such group before the others, and all by turns.
void other_orders(const Syntax& syntax, TextEdits& edits) {
  constexpr std::size_t kMostUnits = 256, kMostGroups = 8;
  for (const Row& row : rows(syntax)) {
    if (row.size() < 2 || row.size() > kMostUnits) continue;
    earlier_in_stream(syntax, row, edits);
    const std::vector<std::size_t> group = groups(row);
    const std::set<std::size_t> different(group.begin(), group.end());
    if (different.size() < 2 || different.size() > kMostGroups) continue;
    std::vector<std::size_t> order(row.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto offer = [&](std::vector<std::size_t> changed, std::string words) {
      if (changed != order) add(edits, Cause::issue_order, std::move(words), in_order(syntax, row, changed));
    };
    for (const std::size_t first : different) {
      std::vector<std::size_t> changed = order;
      std::stable_partition(changed.begin(), changed.end(), [&](std::size_t i) { return group[i] == first; });
      offer(std::move(changed),
            tr("what begins in line {} issued first", syntax.lines[row[first].line].statement->location.line));
    }
    std::map<std::size_t, std::size_t> steps;
    std::vector<std::size_t> step(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) step[i] = steps[group[i]]++;
    std::vector<std::size_t> by_turns = order;
    std::ranges::stable_sort(by_turns, {}, [&](std::size_t i) { return step[i]; });
    offer(std::move(by_turns), tr("breadth-first: each step for all, then the next"));
    std::vector<std::size_t> by_group = order;
    std::ranges::stable_sort(by_group, {}, [&](std::size_t i) { return group[i]; });
    offer(std::move(by_group), tr("depth-first: all steps for one, then the next"));
  }
}

}  // namespace streamscope::remedy
