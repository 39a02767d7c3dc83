// What streams wait for.
#include "engine/remedy/text_edits.h"

#include <optional>
#include <utility>

#include "engine/base/translate.h"
#include "engine/program/order/order.h"
#include "engine/program/read_program.h"
#include "engine/program/syntax/print.h"
#include "engine/remedy/statements.h"

namespace streamscope::remedy {

using program::Syntax;
using program::syntax::Line;
using program::syntax::Statement;
using program::syntax::Verb;
using verdict::Cause;

namespace {

// All waits for events together without which there are no more hazards than with them.
void needless_waits(const Syntax& syntax, TextEdits& edits) {
  constexpr std::size_t kMostWaits = 32, kMostHazards = 16;
  const auto hazards_of = [](const Syntax& one) -> std::optional<std::size_t> {
    const auto read = program::read_program(program::print(one), "changed");
    if (!read) return std::nullopt;
    return program::hazards(read->program, kMostHazards).size();
  };
  const std::vector<Place> waits = places(syntax, [](const Statement& one) { return one.verb == Verb::wait; });
  const auto now = hazards_of(syntax);
  if (waits.size() < 2 || waits.size() > kMostWaits || !now) return;
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

// Of two repeats of the same turns with an event between them: one, so that each turn has the event behind it.
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
    if (j == syntax.lines.size() || !any || !same_turns(*first, *syntax.lines[j].statement)) continue;
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
    int steps = 0;
    for (std::size_t before = index; before-- > 0 && steps < 4;) {
      const auto& other = lines[before].statement;
      if (!other) continue;
      if (!other->stream || other->stream->text != stream) {
        if (other->opens_block || !other->stream) break;
        continue;
      }
      const std::uint32_t other_line = other->location.line;
      const Line line = lines[index];
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(index));
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(before), line);
      index = before;
      ++steps;
      add(edits, Cause::event_late,
          tr("the event of line {} recorded ahead of line {}", line_of(syntax, place), other_line), moved);
    }
  }
}

}  // namespace streamscope::remedy
