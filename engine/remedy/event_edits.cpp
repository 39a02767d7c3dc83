// What streams wait for.
#include "engine/remedy/text_edits.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/base/translate.h"
#include "engine/program/order/order.h"
#include "engine/program/read_changed.h"
#include "engine/program/syntax/print.h"
#include "engine/remedy/statements.h"

namespace streamscope::remedy {

using program::Syntax;
using program::syntax::Line;
using program::syntax::Statement;
using program::syntax::Verb;
using verdict::Cause;

namespace {

constexpr std::size_t kMostCounted = 16;

std::optional<std::size_t> hazards_of(const Syntax& syntax) {
  const auto read = program::read_changed(program::print(syntax), "changed");
  if (!read) return std::nullopt;
  return program::hazards(*read, kMostCounted).size();
}

bool is_repeat(const Statement& statement) { return statement.verb == Verb::repeat; }
bool is_of(const Statement& statement, const std::string& stream) {
  return statement.stream && statement.stream->text == stream;
}

// The lines ahead of that one at which its stream could be given something instead, the nearest first: its own
// statements and repeats, of which none is stepped into.
std::vector<std::size_t> earlier(const std::vector<Line>& lines, std::size_t from, const std::string& stream) {
  constexpr std::size_t kMostSteps = 4;
  std::vector<std::size_t> found;
  for (std::size_t before = from; before-- > 0 && found.size() < kMostSteps;) {
    const auto& other = lines[before].statement;
    if (!other) continue;
    if (is_of(*other, stream) || is_repeat(*other)) {
      found.push_back(before);
    } else if (other->opens_block || !other->stream) {
      break;
    }
  }
  return found;
}

// All waits for events together without which there are no more hazards than with them.
void needless_waits(const Syntax& syntax, TextEdits& edits) {
  constexpr std::size_t kMostWaits = 32;
  const std::vector<Place> waits = places(syntax, [](const Statement& one) { return one.verb == Verb::wait; });
  if (waits.size() < 2 || waits.size() > kMostWaits) return;
  const auto now = hazards_of(syntax);
  if (!now) return;
  Syntax left = syntax;
  std::size_t count = 0;
  for (auto place = waits.rbegin(); place != waits.rend(); ++place) {
    Syntax fewer = without(left, *place);
    const auto then = hazards_of(fewer);
    if (!then || *then > *now) continue;
    left = std::move(fewer);
    ++count;
  }
  if (count < 2) return;
  add(edits, Cause::event_needless, tr("{} waits for events left out, which nothing needs", count), std::move(left));
}

// Whether each turn of the second repeat waits for the event that each of the first records: the last one's.
bool waits_for_the_last_turn(const Statement& first, const Statement& second) {
  const auto has = [](const Statement& repeat, Verb verb, const std::string& event) {
    return std::ranges::any_of(repeat.body, [&](const Line& line) {
      return line.statement && line.statement->verb == verb && argument(*line.statement, 0) == event;
    });
  };
  return std::ranges::any_of(first.body, [&](const Line& line) {
    if (!line.statement || line.statement->verb != Verb::record) return false;
    const std::string event = argument(*line.statement, 0);
    return event.find('{') == std::string::npos && has(second, Verb::wait, event);
  });
}

// Of two repeats of the same turns with an event between them, or one that all turns share: one, so that each turn has
// the event behind it.
void event_of_each_turn(const Syntax& syntax, TextEdits& edits) {
  const auto marks = [](const Statement& one) { return one.verb == Verb::record || one.verb == Verb::wait; };
  for (std::size_t i = 0; i < syntax.lines.size(); ++i) {
    const auto& first = syntax.lines[i].statement;
    if (!first || first->verb != Verb::repeat) continue;
    std::size_t j = i + 1;
    bool any = false;
    for (; j < syntax.lines.size(); ++j) {
      const auto& between = syntax.lines[j].statement;
      if (between && !marks(*between)) break;
      any = any || between;
    }
    if (j == syntax.lines.size() || !same_turns(*first, *syntax.lines[j].statement)) continue;
    if (!any && !waits_for_the_last_turn(*first, *syntax.lines[j].statement)) continue;
    Syntax changed = syntax;
    const auto at = changed.lines.begin() + static_cast<std::ptrdiff_t>(i);
    const auto last = changed.lines.begin() + static_cast<std::ptrdiff_t>(j);
    std::vector<Line>& body = at->statement->body;
    body.insert(body.end(), at + 1, last);
    body.insert(body.end(), last->statement->body.begin(), last->statement->body.end());
    changed.lines.erase(at + 1, last + 1);
    add(edits, Cause::event_late, tr("an event behind each turn of the repeat in line {}", first->location.line),
        std::move(changed));
  }
}

// For one wait an event of its own, recorded earlier than the one that others need, too; what its stream needs of that
// comes as late as it may.
void events_of_their_own(const Syntax& syntax, TextEdits& edits) {
  constexpr int kMostLooked = 64;
  const auto now = hazards_of(syntax);
  if (!now) return;
  int looked = 0;
  for (const Place& place : places(syntax, [](const Statement& one) { return one.verb == Verb::wait; })) {
    Syntax copy = syntax;
    const std::vector<Line>& lines = lines_around(copy, place);
    const std::size_t wait = place.back();
    const std::string event = argument(*lines[wait].statement, 0), waiter = lines[wait].statement->stream->text;
    std::size_t record = wait;
    while (record-- > 0) {
      const auto& one = lines[record].statement;
      if (one && one->verb == Verb::record && argument(*one, 0) == event) break;
    }
    if (record >= wait) continue;
    const std::string recorder = lines[record].statement->stream->text;
    // Where the old wait could stand: nowhere, else ahead of the last statement of its stream, and so on.
    std::vector<std::size_t> later{lines.size()};
    for (std::size_t i = lines.size(); --i > wait + 1;) {
      if (lines[i].statement && (is_of(*lines[i].statement, waiter) || is_repeat(*lines[i].statement)))
        later.push_back(i);
    }
    const auto waits =
        places(syntax, [&](const Statement& one) { return one.verb == Verb::wait && argument(one, 0) == event; });
    const bool is_its_only_wait = waits.size() == 1;
    const std::string own = unused_name(syntax, event);
    for (const std::size_t before : earlier(lines, record, recorder)) {
      for (const std::size_t at : later) {
        if (++looked > kMostLooked) return;
        std::vector<Line> changed;
        for (std::size_t i = 0; i < lines.size(); ++i) {
          if (i == before) changed.push_back(parsed_lines(recorder + ": record " + own).front());
          if (i == at) changed.push_back(lines[wait]);
          changed.push_back(i == wait ? parsed_lines(waiter + ": wait " + own).front() : lines[i]);
        }
        Syntax moved = syntax;
        lines_around(moved, place) = std::move(changed);
        const auto then = hazards_of(moved);
        if (!then || *then > *now) continue;
        // Where nothing else waits for the event it is the record that moves.
        if (at == lines.size() && is_its_only_wait) break;
        add(edits, Cause::event_late,
            tr("an event of its own for the wait in line {}, recorded ahead of line {}", line_of(syntax, place),
               lines[before].statement->location.line),
            std::move(moved));
        break;
      }
    }
  }
}

}  // namespace

// Each wait left out, and each record as much earlier as its stream has statements before it.
void events(const Syntax& syntax, TextEdits& edits) {
  for (const Place& place : places(syntax, [](const Statement& one) { return one.verb == Verb::wait; })) {
    add(edits, Cause::event_needless, tr("the wait for an event in line {} left out", line_of(syntax, place)),
        without(syntax, place));
  }
  needless_waits(syntax, edits);
  event_of_each_turn(syntax, edits);
  for (const Place& place : places(syntax, [](const Statement& one) { return one.verb == Verb::record; })) {
    Syntax moved = syntax;
    std::vector<Line>& lines = lines_around(moved, place);
    const std::string stream = lines[place.back()].statement->stream->text;
    std::size_t index = place.back();
    for (const std::size_t before : earlier(lines, index, stream)) {
      const std::uint32_t line = lines[before].statement->location.line;
      std::rotate(lines.begin() + static_cast<std::ptrdiff_t>(before),
                  lines.begin() + static_cast<std::ptrdiff_t>(index),
                  lines.begin() + static_cast<std::ptrdiff_t>(index) + 1);
      index = before;
      add(edits, Cause::event_late, tr("the event of line {} recorded ahead of line {}", line_of(syntax, place), line),
          moved);
    }
  }
  events_of_their_own(syntax, edits);
}

}  // namespace streamscope::remedy
