#include "engine/remedy/text_edits.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/program/syntax/parse.h"
#include "engine/program/syntax/print.h"

namespace streamscope::remedy {
namespace {

using program::Syntax;
using program::syntax::Argument;
using program::syntax::Line;
using program::syntax::Name;
using program::syntax::Option;
using program::syntax::Range;
using program::syntax::Statement;
using program::syntax::Verb;
using program::syntax::Word;
using verdict::Cause;

// Where a statement stands: the index of a line at each depth.
using Place = std::vector<std::size_t>;

std::vector<Line>& lines_around(Syntax& syntax, const Place& place) {
  std::vector<Line>* lines = &syntax.lines;
  for (std::size_t depth = 0; depth + 1 < place.size(); ++depth) lines = &(*lines)[place[depth]].statement->body;
  return *lines;
}
Statement& at(Syntax& syntax, const Place& place) { return *lines_around(syntax, place)[place.back()].statement; }

template <class Visit>
void each_statement(const std::vector<Line>& lines, Place& place, const Visit& visit) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].statement) continue;
    place.push_back(i);
    visit(*lines[i].statement, place);
    each_statement(lines[i].statement->body, place, visit);
    place.pop_back();
  }
}
template <class Visit>
void each_statement(const Syntax& syntax, const Visit& visit) {
  Place place;
  each_statement(syntax.lines, place, visit);
}

std::vector<Place> places(const Syntax& syntax, const auto& wanted) {
  std::vector<Place> found;
  each_statement(syntax, [&](const Statement& statement, const Place& place) {
    if (wanted(statement)) found.push_back(place);
  });
  return found;
}

Syntax without(Syntax syntax, const Place& place) {
  std::vector<Line>& lines = lines_around(syntax, place);
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(place.back()));
  return syntax;
}

// The lines of a text that stands in the place of others.
std::vector<Line> parsed_lines(const std::string& text) { return program::parse(text).syntax.lines; }

Option* option(Statement& statement, std::string_view key) {
  const auto found = std::ranges::find(statement.options, key, &Option::key);
  return found == statement.options.end() ? nullptr : &*found;
}
const Option* option(const Statement& statement, std::string_view key) {
  return option(const_cast<Statement&>(statement), key);
}

std::string text_of(const Argument& argument) {
  if (const auto* range = std::get_if<Range>(&argument)) {
    return range->buffer.text + (range->offset ? "[" + range->offset->text + ":" + range->bytes->text + "]" : "");
  }
  std::string text;
  std::visit(
      [&](const auto& one) {
        if constexpr (requires { one.text; }) text = one.text;
      },
      argument);
  return text;
}
std::string argument(const Statement& statement, std::size_t index) {
  return index < statement.arguments.size() ? text_of(statement.arguments[index]) : std::string();
}
std::string buffer_of(const Argument& argument) {
  const auto* const range = std::get_if<Range>(&argument);
  return range == nullptr ? std::string() : range->buffer.text;
}
bool uses(const Statement& statement, const std::string& buffer) {
  return std::ranges::any_of(statement.arguments, [&](const Argument& one) { return buffer_of(one) == buffer; });
}

std::string value_of(const Option* option) {
  return option == nullptr || !option->value ? "" : text_of(*option->value);
}

bool waits_on_host(const Statement& statement) { return statement.verb == Verb::sync || statement.verb == Verb::poll; }
bool is_in_block(const Place& place) { return place.size() > 1; }

// A name that no statement has.
std::string unused_name(const Syntax& syntax, const std::string& wish) {
  std::set<std::string> taken;
  each_statement(syntax, [&](const Statement& statement, const Place&) {
    for (const Argument& one : statement.arguments) taken.insert(text_of(one));
    if (statement.stream) taken.insert(statement.stream->text);
  });
  std::string name = wish;
  for (int number = 2; taken.contains(name); ++number) name = wish + std::to_string(number);
  return name;
}

// Behind the last of the declarations that it needs.
std::size_t behind_declarations(const Syntax& syntax) {
  std::size_t behind = 0;
  for (std::size_t i = 0; i < syntax.lines.size(); ++i) {
    const auto& statement = syntax.lines[i].statement;
    if (!statement) continue;
    const Verb verb = statement->verb;
    if (verb == Verb::buffer || verb == Verb::stream || verb == Verb::streams || verb == Verb::event) behind = i + 1;
  }
  return behind;
}
void insert(Syntax& syntax, std::size_t index, const std::string& text) {
  const std::vector<Line> lines = parsed_lines(text);
  syntax.lines.insert(syntax.lines.begin() + static_cast<std::ptrdiff_t>(index), lines.begin(), lines.end());
}

class TextEditor {
 public:
  explicit TextEditor(const Syntax& syntax) : syntax_(syntax) {}

  void add_for(Cause cause) {
    switch (cause) {
      case Cause::pageable_copy: return host_memory("pageable", Cause::pageable_copy);
      case Cause::implicit_sync: return allocations();
      case Cause::legacy_barrier: return legacy_stream();
      case Cause::host_sync: return host_waits();
      case Cause::host_late: return gather_in_graph();
      case Cause::event_needless:
      case Cause::event_late: return events();
      case Cause::graph_serial: return second_graph();
      case Cause::pool_reuse: return allocations();
      case Cause::page_migration: return prefetch();
      case Cause::copy_engine_shared:
      case Cause::issue_order: return issue_order(cause);
      case Cause::chunks_too_small: return other_chunks(Cause::chunks_too_small, true);
      case Cause::chunks_too_large: return other_chunks(Cause::chunks_too_large, false);
      case Cause::one_stream: return more_streams();
      case Cause::priority: return priorities();
      case Cause::sm_full: return fewer_blocks();
      case Cause::tile_stages: return more_stages();
      default: return;
    }
  }
  std::vector<TextEdit> take() { return std::move(edits_); }

 private:
  void add(Cause cause, std::string change, Syntax changed) {
    edits_.push_back({cause, std::move(change), std::move(changed)});
  }

  void host_memory(std::string_view from, Cause cause) {
    Syntax changed = syntax_;
    bool any = false;
    for (const Place& place : places(syntax_, [&](const Statement& one) {
           return one.verb == Verb::buffer && value_of(option(one, "host")) == from;
         })) {
      std::get<Word>(*option(at(changed, place), "host")->value).text = "pinned";
      any = true;
    }
    if (any) add(cause, tr("pinned host memory"), std::move(changed));
  }

  // Allocated before the run is timed, or in stream order.
  void allocations() {
    for (const Place& made : places(syntax_, [](const Statement& one) {
           return one.verb == Verb::malloc || one.verb == Verb::malloc_async;
         })) {
      if (is_in_block(made)) continue;
      Syntax copy = syntax_;
      const Statement allocation = at(copy, made);
      const std::string name = argument(allocation, 0), bytes = argument(allocation, 1);
      const auto frees = places(syntax_, [&](const Statement& one) {
        return (one.verb == Verb::free || one.verb == Verb::free_async) && argument(one, 0) == name;
      });
      Syntax outside = syntax_;
      for (auto place = frees.rbegin(); place != frees.rend(); ++place) outside = without(std::move(outside), *place);
      outside = without(std::move(outside), made);
      insert(outside, 0, "buffer " + name + " " + bytes + "\n");
      add(allocation.verb == Verb::malloc ? Cause::implicit_sync : Cause::pool_reuse,
          tr("{} allocated before the run", name), std::move(outside));
      if (allocation.verb == Verb::malloc_async) continue;

      const auto users = places(syntax_, [&](const Statement& one) { return one.stream && uses(one, name); });
      if (users.empty() || is_in_block(users.front()) || is_in_block(users.back())) continue;
      Syntax ordered = syntax_;
      lines_around(ordered, made)[made.back()] =
          parsed_lines(at(ordered, users.front()).stream->text + ": malloc " + name + " " + bytes + "\n").front();
      for (const Place& place : frees) {
        lines_around(ordered, place)[place.back()] =
            parsed_lines(at(ordered, users.back()).stream->text + ": free " + name + "\n").front();
      }
      add(Cause::implicit_sync, tr("{} allocated and freed in stream order", name), std::move(ordered));
    }
    // A free alone, of what was allocated in time.
    const auto freed = places(syntax_, [](const Statement& one) { return one.verb == Verb::free; });
    if (freed.empty()) return;
    Syntax later = syntax_;
    std::vector<Line> moved;
    for (auto place = freed.rbegin(); place != freed.rend(); ++place) {
      if (is_in_block(*place)) return;
      moved.insert(moved.begin(), lines_around(later, *place)[place->back()]);
      later = without(std::move(later), *place);
    }
    later.lines.insert(later.lines.end(), moved.begin(), moved.end());
    add(Cause::implicit_sync, tr("memory freed at the end"), std::move(later));
  }

  void legacy_stream() {
    Syntax nonblocking = syntax_;
    bool any = false;
    const auto make_nonblocking = [&](Syntax& in) {
      for (const Place& place : places(syntax_, [](const Statement& one) {
             return (one.verb == Verb::stream || one.verb == Verb::streams) && option(one, "nonblocking") == nullptr;
           })) {
        std::vector<Option>& options = at(in, place).options;
        options.insert(options.begin(), Option{.location = {}, .key = "nonblocking", .value = {}});
        any = true;
      }
    };
    make_nonblocking(nonblocking);
    if (any) add(Cause::legacy_barrier, tr("streams that are nonblocking"), nonblocking);

    const auto in_default =
        places(syntax_, [](const Statement& one) { return one.stream && one.stream->text == "default"; });
    if (in_default.empty()) return;
    const std::string name = unused_name(syntax_, "D");
    Syntax own = syntax_;
    for (const Place& place : in_default) at(own, place).stream->text = name;
    insert(own, behind_declarations(own), "stream " + name + " nonblocking\n");
    add(Cause::legacy_barrier, tr("a stream of its own for the default stream's work"), own);
  }

  // Each wait of the host without it, all but the last without them, of the whole device for one stream; blocking
  // copies as copies in a stream.
  void host_waits() {
    std::vector<Place> waits = places(syntax_, waits_on_host);
    // The last of all is what the run ends with.
    if (!waits.empty() && !is_in_block(waits.back()) && nothing_behind(waits.back())) waits.pop_back();
    Syntax none = syntax_;
    for (auto place = waits.rbegin(); place != waits.rend(); ++place) {
      add(Cause::host_sync, tr("the host's wait in line {} left out", line_of(*place)), without(syntax_, *place));
      none = without(std::move(none), *place);
    }
    if (waits.size() > 1) add(Cause::host_sync, tr("the host's waits in between left out"), std::move(none));
    std::set<std::string> streams;
    each_statement(syntax_, [&](const Statement& one, const Place& place) {
      if (one.stream && one.stream->pieces.empty() && !is_in_block(place)) streams.insert(one.stream->text);
    });
    for (const Place& place : waits) {
      Syntax copy = syntax_;
      if (argument(at(copy, place), 0) != "device" || streams.size() < 2 || streams.size() > 8) continue;
      for (const std::string& stream : streams) {
        Syntax one = syntax_;
        lines_around(one, place)[place.back()] = parsed_lines("host: sync " + stream + "\n").front();
        add(Cause::host_sync, tr("a wait for {} alone in line {}", stream, line_of(place)), std::move(one));
      }
    }
    blocking_copies();
  }

  bool nothing_behind(const Place& place) const {
    for (std::size_t i = place.back() + 1; i < syntax_.lines.size(); ++i) {
      if (syntax_.lines[i].statement) return false;
    }
    return true;
  }

  std::uint32_t line_of(const Place& place) const { return at(const_cast<Syntax&>(syntax_), place).location.line; }

  void blocking_copies() {
    const auto copies = places(syntax_, [](const Statement& one) { return one.verb == Verb::memcpy; });
    if (copies.empty()) return;
    Syntax changed = syntax_;
    for (const Place& place : copies) {
      Statement& copy = at(changed, place);
      std::string stream = "default";
      each_statement(syntax_, [&](const Statement& one, const Place&) {
        if (one.stream && uses(one, buffer_of(copy.arguments[1]))) stream = one.stream->text;
      });
      const std::string text = stream + ": " + argument(copy, 0) + " " + argument(copy, 1) + "\n";
      lines_around(changed, place)[place.back()] = parsed_lines(text).front();
    }
    add(Cause::host_sync, tr("copies that do not hold the host"), std::move(changed));
  }

  // All that is issued, as one graph: one call in place of many.
  void gather_in_graph() {
    std::vector<Line> body, tail;
    std::set<std::string> streams;
    Syntax changed;
    bool issued = false;
    for (const Line& line : syntax_.lines) {
      const auto& one = line.statement;
      const bool declares = one && (one->verb == Verb::buffer || one->verb == Verb::stream ||
                                    one->verb == Verb::streams || one->verb == Verb::event);
      if (!one || declares) {
        (issued ? body : changed.lines).push_back(line);
        continue;
      }
      if (!tail.empty() && !waits_on_host(*one)) return;
      if (waits_on_host(*one)) {
        tail.push_back(line);
        continue;
      }
      if (one->verb == Verb::graph || one->verb == Verb::thread || one->verb == Verb::launch) return;
      if (!one->stream && one->verb != Verb::repeat) return;
      issued = true;
      body.push_back(line);
    }
    bool capturable = issued;
    Syntax inside;
    inside.lines = body;
    each_statement(inside, [&](const Statement& one, const Place&) {
      if (one.verb == Verb::repeat) return;
      if (!one.stream || !one.stream->pieces.empty()) capturable = false;
      if (one.stream &&
          (one.stream->text == "default" || one.verb == Verb::malloc_async || one.verb == Verb::free_async))
        capturable = false;
      if (one.stream) streams.insert(one.stream->text);
    });
    if (!capturable || streams.empty()) return;
    const std::string graph = unused_name(syntax_, "all"), fork = unused_name(syntax_, "begin");
    const std::string origin = *streams.begin();
    std::string before = streams.size() > 1 ? origin + ": record " + fork + "\n" : "", behind;
    for (const std::string& stream : streams) {
      if (stream == origin) continue;
      before += stream + ": wait " + fork + "\n";
      behind += stream + ": record end" + stream + "\n" + origin + ": wait end" + stream + "\n";
    }
    std::vector<Line> whole = parsed_lines("graph " + graph + " on " + origin + " {\n" + before + behind + "}\n");
    std::vector<Line>& captured = whole.front().statement->body;
    const auto middle = captured.begin() + static_cast<std::ptrdiff_t>(std::ranges::count(before, '\n'));
    captured.insert(middle, body.begin(), body.end());
    changed.lines.insert(changed.lines.end(), whole.begin(), whole.end());
    const std::vector<Line> launch = parsed_lines(origin + ": launch " + graph + "\n");
    changed.lines.insert(changed.lines.end(), launch.begin(), launch.end());
    changed.lines.insert(changed.lines.end(), tail.begin(), tail.end());
    add(Cause::host_late, tr("all calls gathered in a graph"), std::move(changed));
  }

  // Each wait left out, and each record as much earlier as its stream has statements before it.
  void events() {
    for (const Place& place : places(syntax_, [](const Statement& one) { return one.verb == Verb::wait; })) {
      add(Cause::event_needless, tr("the wait for an event in line {} left out", line_of(place)),
          without(syntax_, place));
    }
    for (const Place& place : places(syntax_, [](const Statement& one) { return one.verb == Verb::record; })) {
      Syntax moved = syntax_;
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
        const Line line = lines[index];
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(index));
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(before), line);
        index = before;
        ++steps;
        add(Cause::event_late, tr("the event of line {} recorded earlier", line_of(place)), moved);
      }
    }
  }

  // Every other launch of a graph is of a second one like it.
  void second_graph() {
    for (const Place& place : places(syntax_, [](const Statement& one) { return one.verb == Verb::graph; })) {
      Syntax changed = syntax_;
      const std::string name = argument(at(changed, place), 0);
      const std::string second = unused_name(syntax_, name + "2");
      std::size_t count = 0;
      for (const Place& launch : places(
               syntax_, [&](const Statement& one) { return one.verb == Verb::launch && argument(one, 0) == name; })) {
        if (count++ % 2 == 1) std::get<Name>(at(changed, launch).arguments[0]).text = second;
      }
      if (count < 2) continue;
      std::vector<Line>& lines = lines_around(changed, place);
      Line copy = lines[place.back()];
      std::get<Name>(copy.statement->arguments[0]).text = second;
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(place.back()) + 1, copy);
      add(Cause::graph_serial, tr("a second instance of the graph {}", name), std::move(changed));
    }
  }

  // Before the first statement that works on each managed buffer, in its stream.
  void prefetch() {
    Syntax changed = syntax_;
    bool any = false;
    for (const Place& place : places(syntax_, [](const Statement& one) {
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
    if (any) add(Cause::page_migration, tr("managed memory prefetched"), std::move(changed));
  }

  // A repeat over several statements as several repeats; adjacent repeats of the same count as one.
  void issue_order(Cause cause) {
    for (const Place& place : places(syntax_, [](const Statement& one) { return one.verb == Verb::repeat; })) {
      Syntax changed = syntax_;
      std::vector<Line>& lines = lines_around(changed, place);
      const Line whole = lines[place.back()];
      const bool host_works = std::ranges::any_of(whole.statement->body, [](const Line& line) {
        return line.statement && (!line.statement->stream || line.statement->opens_block);
      });
      if (host_works) continue;
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
        add(cause, tr("breadth-first: each step for all chunks, then the next"), std::move(changed));
      }
    }
    depth_first(cause);
  }

  void depth_first(Cause cause) {
    Syntax changed;
    bool joined = false;
    const auto same_turns = [](const Statement& a, const Statement& b) {
      return a.verb == Verb::repeat && b.verb == Verb::repeat && argument(a, 0) == argument(b, 0) && a.variable &&
             b.variable && a.variable->text == b.variable->text;
    };
    for (const Line& line : syntax_.lines) {
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
    if (joined) add(cause, tr("depth-first: all steps for a chunk, then the next chunk"), std::move(changed));
  }

  // The turns of a repeat that is all in one stream, spread over two and over four.
  void more_streams() {
    for (const Place& place : places(syntax_, [](const Statement& one) { return one.verb == Verb::repeat; })) {
      Syntax copy = syntax_;
      const Statement& repeat = at(copy, place);
      if (!repeat.variable) continue;
      std::set<std::string> streams;
      bool plain = true;
      for (const Line& line : repeat.body) {
        if (!line.statement) continue;
        if (!line.statement->stream || line.statement->opens_block) {
          plain = false;
        } else {
          streams.insert(line.statement->stream->text);
        }
      }
      if (!plain || streams.size() != 1) continue;
      for (const int count : {2, 4}) {
        Syntax changed = syntax_;
        const std::string name = unused_name(syntax_, "S");
        for (Line& line : at(changed, place).body) {
          if (line.statement) {
            line.statement->stream->text = name + "{" + repeat.variable->text + "%" + std::to_string(count) + "}";
          }
        }
        insert(changed, behind_declarations(changed),
               "streams " + name + " " + std::to_string(count) + " nonblocking\n");
        add(Cause::one_stream, tr("the turns of the repeat in line {} over {} streams", line_of(place), count),
            std::move(changed));
      }
    }
  }

  // A repeat over equal chunks, over fewer larger or more smaller ones.
  void other_chunks(Cause cause, bool larger) {
    for (const Place& place : places(syntax_, [](const Statement& one) { return one.verb == Verb::repeat; })) {
      for (const std::int64_t by : {2, 4}) {
        if (auto changed = with_chunks(place, by, larger)) {
          const Range* const range = first_range(at(*changed, place));
          if (range != nullptr)
            add(cause, tr("chunks of {} in line {}", range->bytes->text, line_of(place)), std::move(*changed));
        }
      }
    }
  }

  static const Range* first_range(const Statement& repeat) {
    for (const Line& line : repeat.body) {
      if (!line.statement) continue;
      for (const Argument& one : line.statement->arguments) {
        if (const auto* range = std::get_if<Range>(&one); range != nullptr && range->bytes) return range;
      }
    }
    return nullptr;
  }

  std::optional<Syntax> with_chunks(const Place& place, std::int64_t by, bool larger) const {
    Syntax changed = syntax_;
    Statement& repeat = at(changed, place);
    auto* const count = repeat.arguments.empty() ? nullptr : std::get_if<program::syntax::Number>(&repeat.arguments[0]);
    const Range* const first = first_range(repeat);
    if (count == nullptr || !count->expression.nodes.empty() || !repeat.variable || first == nullptr) return {};
    const std::int64_t bytes = first->bytes->value;
    if (larger ? count->value % by != 0 : bytes % (by * kSmallestPiece) != 0) return {};
    const std::int64_t new_bytes = larger ? bytes * by : bytes / by;
    const std::string& variable = repeat.variable->text;
    for (Line& line : repeat.body) {
      if (!line.statement) continue;
      if (!line.statement->stream || line.statement->opens_block) return {};
      for (Argument& one : line.statement->arguments) {
        auto* const range = std::get_if<Range>(&one);
        if (range == nullptr) continue;
        const bool is_chunk = range->offset && range->bytes->expression.nodes.empty() && range->bytes->value == bytes &&
                              !range->offset->expression.nodes.empty();
        if (!is_chunk) return {};
        const std::string inside = braced(range->offset->text);
        if (inside.empty()) return {};
        if (larger) {
          range->offset->text.replace(1, inside.size(),
                                      with_variable(inside, variable, "(" + variable + "*" + std::to_string(by) + ")"));
        } else {
          range->offset->text = "{(" +
                                with_variable(inside, variable, "(" + variable + "/" + std::to_string(by) + ")") +
                                ")*" + std::to_string(range->offset->factor) + "+" + variable + "%" +
                                std::to_string(by) + "*" + std::to_string(new_bytes) + "}";
        }
        range->bytes->text = exact_bytes(static_cast<std::uint64_t>(new_bytes));
      }
    }
    count->text = std::to_string(larger ? count->value / by : count->value * by);
    return changed;
  }

  // What stands in the braces that a text begins with; empty where there is more than one pair.
  static std::string braced(const std::string& text) {
    const std::size_t end = text.find('}');
    if (text.empty() || text[0] != '{' || end == std::string::npos || text.find('{', 1) != std::string::npos) return {};
    return text.substr(1, end - 1);
  }
  static std::string with_variable(const std::string& expression, const std::string& variable, const std::string& by) {
    const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    std::string out;
    for (std::size_t at = 0; at < expression.size();) {
      std::size_t end = at;
      while (end < expression.size() && is_letter(expression[end])) ++end;
      if (end == at) {
        out += expression[at++];
      } else {
        const std::string word = expression.substr(at, end - at);
        out += word == variable ? by : word;
        at = end;
      }
    }
    return out;
  }

  void priorities() {
    Syntax changed = syntax_;
    bool any = false;
    for (const Place& place : places(syntax_, [](const Statement& one) {
           return (one.verb == Verb::stream || one.verb == Verb::streams) && option(one, "priority") != nullptr;
         })) {
      std::erase_if(at(changed, place).options, [](const Option& one) { return one.key == "priority"; });
      any = true;
    }
    if (any) add(Cause::priority, tr("streams of one priority"), std::move(changed));
  }

  void fewer_blocks() {
    // A kernel without data does less where it has fewer blocks; the others share the same work among them.
    for (const Place& place : places(syntax_, [](const Statement& one) {
           return one.verb == Verb::kernel && one.kernel->operands != kernels::Operands::none &&
                  option(one, "blocks") != nullptr;
         })) {
      for (const std::int64_t by : {2, 4}) {
        Syntax changed = syntax_;
        Option& blocks = *option(at(changed, place), "blocks");
        if (!blocks.value) continue;
        auto* const number = std::get_if<program::syntax::Number>(&*blocks.value);
        if (number == nullptr || !number->expression.nodes.empty() || number->value < 2 * by) continue;
        number->text = std::to_string(number->value / by);
        add(Cause::sm_full, tr("{} blocks in line {}, so that kernels fit side by side", number->text, line_of(place)),
            std::move(changed));
      }
    }
  }

  void more_stages() {
    for (const Place& place : places(syntax_, [](const Statement& one) {
           return one.verb == Verb::kernel && option(one, "stages") != nullptr;
         })) {
      Syntax changed = syntax_;
      Option& stages = *option(at(changed, place), "stages");
      if (!stages.value) continue;
      auto* const number = std::get_if<program::syntax::Number>(&*stages.value);
      if (number == nullptr || !number->expression.nodes.empty()) continue;
      number->text = std::to_string(number->value + 1);
      add(Cause::tile_stages, tr("{} stages in line {}", number->text, line_of(place)), std::move(changed));
    }
  }

  static constexpr std::int64_t kSmallestPiece = 4096;  // bytes

  const Syntax& syntax_;
  std::vector<TextEdit> edits_;
};

}  // namespace

std::vector<TextEdit> ordering_edits(const Syntax& syntax, std::uint32_t first_line, std::uint32_t second_line) {
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

std::vector<TextEdit> text_edits(const Syntax& syntax, const std::vector<Cause>& causes) {
  TextEditor editor(syntax);
  for (const Cause cause : causes) editor.add_for(cause);
  return editor.take();
}

}  // namespace streamscope::remedy
