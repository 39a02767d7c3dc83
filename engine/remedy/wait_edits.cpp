// What the host waits for, and what orders two statements.
#include "engine/remedy/text_edits.h"

#include <algorithm>
#include <optional>
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

bool nothing_behind(const Syntax& syntax, const Place& place) {
  for (std::size_t i = place.back() + 1; i < syntax.lines.size(); ++i) {
    if (syntax.lines[i].statement) return false;
  }
  return true;
}

}  // namespace

// Each wait of the host without it, all but the last without them, of the whole device for one stream; blocking
// copies as copies in a stream.
void host_waits(const Syntax& syntax, TextEdits& edits) {
  std::vector<Place> waits = places(syntax, waits_on_host);
  // The last of all is what the run ends with.
  if (!waits.empty() && !is_in_block(waits.back()) && nothing_behind(syntax, waits.back())) waits.pop_back();
  Syntax none = syntax;
  for (auto place = waits.rbegin(); place != waits.rend(); ++place) {
    add(edits, Cause::host_sync, tr("the host's wait in line {} left out", line_of(syntax, *place)),
        without(syntax, *place));
    none = without(std::move(none), *place);
  }
  if (waits.size() > 1) add(edits, Cause::host_sync, tr("the host's waits in between left out"), std::move(none));
  std::set<std::string> streams;
  each_statement(syntax, [&](const Statement& one, const Place& place) {
    if (one.stream && one.stream->pieces.empty() && !is_in_block(place)) streams.insert(one.stream->text);
  });
  for (const Place& place : waits) {
    if (argument(at(syntax, place), 0) != "device" || streams.size() < 2 || streams.size() > 8) continue;
    for (const std::string& stream : streams) {
      Syntax one = syntax;
      lines_around(one, place)[place.back()] = parsed_lines("host: sync " + stream + "\n").front();
      add(edits, Cause::host_sync, tr("a wait for {} alone in line {}", stream, line_of(syntax, place)),
          std::move(one));
    }
  }
}

void blocking_copies(const Syntax& syntax, TextEdits& edits) {
  const auto copies = places(syntax, [](const Statement& one) { return one.verb == Verb::memcpy; });
  if (copies.empty()) return;
  Syntax changed = syntax;
  for (const Place& place : copies) {
    Statement& copy = at(changed, place);
    std::string stream = "default";
    each_statement(syntax, [&](const Statement& one, const Place&) {
      if (one.stream && uses(one, buffer_of(copy.arguments[1]))) stream = one.stream->text;
    });
    const std::string text = stream + ": " + argument(copy, 0) + " " + argument(copy, 1) + "\n";
    lines_around(changed, place)[place.back()] = parsed_lines(text).front();
  }
  add(edits, Cause::host_sync, tr("copies that do not hold the host"), std::move(changed));
}

TextEdits ordering_edits(const Syntax& syntax, std::uint32_t first_line, std::uint32_t second_line) {
  std::optional<Place> first, second;
  each_statement(syntax, [&](const Statement& one, const Place& place) {
    if (one.location.line == first_line) first = place;
    if (one.location.line == second_line) second = place;
  });
  if (!first || !second || first == second) return {};
  Syntax changed = syntax;
  const Statement before = at(changed, *first), behind = at(changed, *second);
  if (!before.stream) return {};
  struct Addition {
    Place place;
    std::string text;
  };
  std::vector<Addition> additions;
  std::string change;
  if (behind.stream) {
    std::string event = unused_name(syntax, "ordered");
    // In a loop each turn has an event of its own.
    if (first->size() > 1 && first->size() == second->size() &&
        std::equal(first->begin(), first->end() - 1, second->begin())) {
      const Place around(first->begin(), first->end() - 1);
      if (const auto& variable = at(changed, around).variable) event += "{" + variable->text + "}";
    }
    Place after = *first;
    ++after.back();
    additions = {{*second, behind.stream->text + ": wait " + event + "\n"},
                 {after, before.stream->text + ": record " + event + "\n"}};
    change = tr("an event that orders lines {} and {}", first_line, second_line);
  } else {
    additions = {{*second, "host: sync " + before.stream->text + "\n"}};
    change = tr("a wait of the host before line {}", second_line);
  }
  // The later one first, so that the place of the other stays what it is.
  std::ranges::stable_sort(additions, std::greater{}, &Addition::place);
  for (const Addition& each : additions) {
    std::vector<Line>& lines = lines_around(changed, each.place);
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(each.place.back()), parsed_lines(each.text).front());
  }
  return {{Cause::hazard, std::move(change), std::move(changed)}};
}

}  // namespace streamscope::remedy
