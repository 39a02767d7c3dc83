// What the host waits for, and what orders two statements.
#include "engine/remedy/text_edits.h"

#include <algorithm>
#include <iterator>
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

// The streams that are given work between that line and the next wait of the host; of the last wait of a block those
// ahead of it, which its next turn begins with.
std::vector<std::string> given_work_behind(const std::vector<Line>& lines, std::size_t index) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string> streams;
  for (std::size_t step = 1; step < lines.size(); ++step) {
    const std::size_t i = (index + step) % lines.size();
    if (i < index && !streams.empty()) break;
    const auto& statement = lines[i].statement;
    if (!statement) continue;
    if (waits_on_host(*statement) || streams.size() == kMost) break;
    const bool is_new = statement->stream && std::ranges::find(streams, statement->stream->text) == streams.end();
    if (is_new) streams.push_back(statement->stream->text);
  }
  return streams;
}

// The host's wait for an event or a stream left to those streams: the host can give them more. Nothing where it waits
// for the device.
std::optional<Syntax> left_to_streams(Syntax syntax, const Place& place, const std::vector<std::string>& streams,
                                      const std::set<std::string>& events) {
  std::vector<Line>& lines = lines_around(syntax, place);
  const std::string waited_for = argument(*lines[place.back()].statement, 0);
  if (waited_for.empty() || waited_for == "device") return std::nullopt;
  std::string event = waited_for, text;
  if (!events.contains(waited_for)) {
    event = unused_name(syntax, "reached");
    text = waited_for + ": record " + event + "\n";
  }
  bool any = false;
  for (const std::string& stream : streams) {
    if (stream == waited_for) continue;
    text += stream + ": wait " + event + "\n";
    any = true;
  }
  if (!any) return std::nullopt;
  std::vector<Line> instead = parsed_lines(text);
  const auto at = lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(place.back()));
  lines.insert(at, std::make_move_iterator(instead.begin()), std::make_move_iterator(instead.end()));
  return syntax;
}

void waits_of_streams(const Syntax& syntax, const std::vector<Place>& waits, TextEdits& edits) {
  std::set<std::string> events;
  each_statement(syntax, [&](const Statement& one, const Place&) {
    if (one.verb == Verb::record) events.insert(argument(one, 0));
  });
  Syntax all = syntax;
  std::size_t count = 0;
  for (auto place = waits.rbegin(); place != waits.rend(); ++place) {  // so that earlier places stay what they are
    Syntax as_is = syntax;
    const std::vector<std::string> streams = given_work_behind(lines_around(as_is, *place), place->back());
    if (auto one = left_to_streams(std::move(as_is), *place, streams, events)) {
      add(edits, Cause::host_sync,
          tr("an event that streams wait for, not the host, in line {}", line_of(syntax, *place)), std::move(*one));
    }
    if (auto more = left_to_streams(all, *place, streams, events)) {
      all = std::move(*more);
      ++count;
    }
  }
  if (count > 1) add(edits, Cause::host_sync, tr("events that streams wait for, not the host"), std::move(all));
}

}  // namespace

// Each wait of the host without it, all but the last without them, left to streams, of the whole device for one stream;
// blocking copies as copies in a stream.
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
  waits_of_streams(syntax, waits, edits);
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
