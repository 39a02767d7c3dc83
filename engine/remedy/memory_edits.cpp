// Where memory is, and when it is allocated.
#include "engine/remedy/text_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "engine/base/translate.h"
#include "engine/program/read_changed.h"
#include "engine/program/syntax/parse.h"
#include "engine/program/syntax/print.h"
#include "engine/remedy/statements.h"
#include "engine/verdict/touched.h"

namespace streamscope::remedy {

using program::Syntax;
using program::syntax::Argument;
using program::syntax::Line;
using program::syntax::Statement;
using program::syntax::Verb;
using program::syntax::Word;
using verdict::Cause;

namespace {

// Of the buffers that the run registers, or of the others. Whether there is one.
bool pin_from_the_start(Syntax& changed, bool registered) {
  std::vector<std::string> names;
  for (const Place& place : places(changed, [](const Statement& one) { return one.verb == Verb::pin; }))
    names.push_back(argument(at(changed, place), 0));
  const auto pageable = places(changed, [&](const Statement& one) {
    return one.verb == Verb::buffer && value_of(option(one, "host")) == "pageable" &&
           registered == (std::ranges::find(names, argument(one, 0)) != names.end());
  });
  for (const Place& place : pageable) std::get<Word>(*option(at(changed, place), "host")->value).text = "pinned";
  return !pageable.empty();
}

}  // namespace

void pinned_memory(const Syntax& syntax, TextEdits& edits) {
  Syntax changed = syntax;
  if (pin_from_the_start(changed, false))
    add(edits, Cause::pageable_copy, tr("pinned host memory"), std::move(changed));
}

// Memory that the run registers is pinned from the start.
void registered_memory(const Syntax& syntax, TextEdits& edits) {
  Syntax changed = syntax;
  if (!pin_from_the_start(changed, true)) return;
  const auto lines =
      places(changed, [](const Statement& one) { return one.verb == Verb::pin || one.verb == Verb::unpin; });
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) changed = without(std::move(changed), *line);
  // To register takes the host's time alone; to give back waits for the device, too (docs/cuda-rules.md 4).
  const bool gives_back =
      std::ranges::any_of(lines, [&](const Place& line) { return at(syntax, line).verb == Verb::unpin; });
  const bool beside_others = std::ranges::any_of(
      lines, [&](const Place& line) { return is_in_block(line) && at(syntax, {line.front()}).verb == Verb::thread; });
  const Cause cause = gives_back ? Cause::implicit_sync : beside_others ? Cause::driver_lock : Cause::host_late;
  add(edits, cause, tr("memory pinned before the run"), std::move(changed));
}

namespace {

// What each turn of a repeat allocates, works on in one stream and frees: that stream does all three.
void allocations_of_turns(const Syntax& syntax, TextEdits& edits) {
  const auto is = [](Verb verb) { return [verb](const Statement& one) { return one.verb == verb; }; };
  for (const Place& made : places(syntax, is(Verb::malloc))) {
    if (!is_in_block(made)) continue;
    Syntax ordered = syntax;
    std::vector<Line>& turn = lines_around(ordered, made);
    const std::string name = argument(*turn[made.back()].statement, 0),
                      bytes = argument(*turn[made.back()].statement, 1);
    std::string stream;
    std::size_t freed = made.back();
    bool one_stream = true;
    for (std::size_t i = made.back() + 1; i < turn.size(); ++i) {
      const auto& each = turn[i].statement;
      if (!each) continue;
      if (each->verb == Verb::free && argument(*each, 0) == name) freed = i;
      if (!each->stream || !uses(*each, name)) continue;
      one_stream = one_stream && (stream.empty() || stream == each->stream->text);
      stream = each->stream->text;
    }
    const auto names_it = [&](const Statement& one) { return uses(one, name) || argument(one, 0) == name; };
    const std::size_t in_all = places(syntax, names_it).size();
    const auto in_turn = static_cast<std::size_t>(
        std::ranges::count_if(turn, [&](const Line& line) { return line.statement && names_it(*line.statement); }));
    if (freed == made.back() || stream.empty() || !one_stream || in_all != in_turn) continue;
    turn[made.back()] = parsed_lines(stream + ": malloc " + name + " " + bytes + "\n").front();
    turn[freed] = parsed_lines(stream + ": free " + name + "\n").front();
    add(edits, Cause::implicit_sync, tr("{} allocated and freed in stream order", name), std::move(ordered));
  }
}

}  // namespace

// Allocated before the run is timed, or in stream order.
void allocations(const Syntax& syntax, TextEdits& edits) {
  allocations_of_turns(syntax, edits);
  for (const Place& made : places(syntax, [](const Statement& one) {
         return one.verb == Verb::malloc || one.verb == Verb::malloc_async || one.verb == Verb::malloc_host;
       })) {
    if (is_in_block(made)) continue;
    const Statement allocation = at(syntax, made);
    const std::string name = argument(allocation, 0), bytes = argument(allocation, 1);
    const auto frees = places(syntax, [&](const Statement& one) {
      return (one.verb == Verb::free || one.verb == Verb::free_async || one.verb == Verb::free_host) &&
             argument(one, 0) == name;
    });
    Syntax outside = syntax;
    for (auto place = frees.rbegin(); place != frees.rend(); ++place) outside = without(std::move(outside), *place);
    outside = without(std::move(outside), made);
    insert(outside, 0, "buffer " + name + " " + bytes + "\n");
    add(edits, allocation.verb == Verb::malloc_async ? Cause::pool_reuse : Cause::implicit_sync,
        tr("{} allocated before the run", name), std::move(outside));
    if (allocation.verb != Verb::malloc) continue;

    const auto users = places(syntax, [&](const Statement& one) { return one.stream && uses(one, name); });
    if (users.empty() || is_in_block(users.front()) || is_in_block(users.back())) continue;
    Syntax ordered = syntax;
    lines_around(ordered, made)[made.back()] =
        parsed_lines(at(ordered, users.front()).stream->text + ": malloc " + name + " " + bytes + "\n").front();
    for (const Place& place : frees) {
      lines_around(ordered, place)[place.back()] =
          parsed_lines(at(ordered, users.back()).stream->text + ": free " + name + "\n").front();
    }
    add(edits, Cause::implicit_sync, tr("{} allocated and freed in stream order", name), std::move(ordered));
  }
  // A free alone, of what was allocated in time.
  const auto freed =
      places(syntax, [](const Statement& one) { return one.verb == Verb::free || one.verb == Verb::free_host; });
  if (freed.empty()) return;
  Syntax later = syntax;
  std::vector<Line> moved;
  for (auto place = freed.rbegin(); place != freed.rend(); ++place) {
    if (is_in_block(*place)) return;
    moved.insert(moved.begin(), lines_around(later, *place)[place->back()]);
    later = without(std::move(later), *place);
  }
  later.lines.insert(later.lines.end(), moved.begin(), moved.end());
  add(edits, Cause::implicit_sync, tr("memory freed at the end"), std::move(later));
}

// Before the first statement that works on each managed buffer, in its stream.
void prefetch(const Syntax& syntax, TextEdits& edits) {
  Syntax changed = syntax;
  bool any = false;
  for (const Place& place : places(syntax, [](const Statement& one) {
         return one.verb == Verb::buffer && value_of(option(one, "host")) == "managed";
       })) {
    const std::string buffer = argument(at(changed, place), 0);
    const auto users = places(
        changed, [&](const Statement& one) { return one.stream && one.verb != Verb::prefetch && uses(one, buffer); });
    if (users.empty()) continue;
    const Statement user = at(changed, users.front());
    std::string range;
    for (const Argument& one : user.arguments) {
      if (buffer_of(one) == buffer) range = text_of(one);
    }
    std::vector<Line>& lines = lines_around(changed, users.front());
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(users.front().back()),
                 parsed_lines(user.stream->text + ": prefetch " + range + " to=device\n").front());
    any = true;
  }
  if (any) add(edits, Cause::page_migration, tr("managed memory prefetched"), std::move(changed));
}

namespace {

using Pair = std::pair<DeviceId, DeviceId>;  // the lower one first
using program::op::PeerAccess;
using program::op::PeerCopy;

// Of copies that are staged.
std::set<Pair> staged_pairs(const program::Program& program) {
  std::set<Pair> pairs;
  for (const OperationIndex i : verdict::staged_peer_copies(&program)) {
    const auto& copy = std::get<PeerCopy>(program.operations[i].work);
    pairs.insert(std::minmax(copy.to_device, copy.from_device));
  }
  return pairs;
}

// Of a block of which nothing is left.
Syntax without_with_blocks(Syntax syntax, Place place) {
  syntax = without(std::move(syntax), place);
  const auto says = [](const Line& line) { return line.statement.has_value(); };
  while (is_in_block(place) && std::ranges::none_of(lines_around(syntax, place), says)) {
    place.pop_back();
    syntax = without(std::move(syntax), place);
  }
  return syntax;
}

// The call maps what is allocated, the longer the larger it is (docs/measuring.md, "Several GPUs").
std::string turned_on(const program::Program& program, const std::set<Pair>& pairs) {
  constexpr std::uint64_t kLarge = 512ULL << 20U;
  constexpr int kMilliseconds = 1, kMillisecondsOfLarge = 18;
  int all = 0;
  for (const Pair& pair : pairs) {
    const bool large = std::ranges::any_of(program.buffers, [&](const program::Buffer& one) {
      const auto on = [&](DeviceId device) { return program::has_side(one, device); };
      return one.bytes >= kLarge && (on(pair.first) || on(pair.second));
    });
    all += large ? kMillisecondsOfLarge : kMilliseconds;
  }
  return tr("peer access, for about {} ms more of the host's time at the start", all);
}

}  // namespace

std::string peer_access_words(const program::Program& program) { return turned_on(program, staged_pairs(program)); }

// Peer access from the start, between devices of which a copy is staged; where it comes too late, no later. A program
// that turns it off shows what it is without it: nothing is offered there.
void peer_access(const Syntax& syntax, TextEdits& edits) {
  if (places(syntax, [](const Statement& one) { return one.verb == Verb::peer; }).empty()) return;
  const std::string text = program::print(syntax);  // whose lines the operations name
  const auto program = program::read_changed(text, "program");
  if (!program) return;
  std::set<Pair> staged = staged_pairs(*program), off, lacking;
  std::map<std::uint32_t, std::set<Pair>> on;  // by line
  for (const program::Operation& operation : program->operations) {
    const auto* const access = std::get_if<PeerAccess>(&operation.work);
    if (access == nullptr) continue;
    (access->on ? on[operation.line] : off).insert(std::minmax(access->first, access->second));
  }
  const auto in = [](const std::set<Pair>& pairs) { return [&](const Pair& one) { return pairs.contains(one); }; };
  std::erase_if(staged, in(off));
  lacking = staged;
  Syntax changed = program::parse(text).syntax;
  const auto late = places(changed, [&](const Statement& one) {
    return one.verb == Verb::peer_access && on.contains(one.location.line) &&
           std::ranges::any_of(on[one.location.line], in(staged));
  });
  for (auto place = late.rbegin(); place != late.rend(); ++place) {
    const std::set<Pair>& its = on[line_of(changed, *place)];
    if (std::ranges::any_of(its, in(off))) return;
    staged.insert(its.begin(), its.end());
    std::erase_if(lacking, in(its));
    changed = without_with_blocks(std::move(changed), *place);
  }
  if (staged.empty()) return;
  std::string lines;
  for (const Pair& pair : staged) lines += fmt::format("host: peer {} {} on\n", pair.first.value, pair.second.value);
  const auto first = std::ranges::find_if(
      changed.lines, [](const Line& line) { return line.statement && !declares(*line.statement); });
  insert(changed, static_cast<std::size_t>(first - changed.lines.begin()), lines);
  add(edits, Cause::peer_staged, lacking.empty() ? tr("peer access from the start") : turned_on(*program, lacking),
      std::move(changed));
}

}  // namespace streamscope::remedy
