// Calls gathered in graphs, and graphs that need not wait for each other.
#include "engine/remedy/text_edits.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/base/translate.h"
#include "engine/remedy/statements.h"

namespace streamscope::remedy {

using program::Syntax;
using program::syntax::Line;
using program::syntax::Name;
using program::syntax::Statement;
using program::syntax::Verb;
using verdict::Cause;

// All that is issued, as one graph: one call in place of many.
void gather_in_graph(const Syntax& syntax, TextEdits& edits) {
  std::vector<Line> body, tail;
  std::set<std::string> streams;
  Syntax changed;
  bool issued = false;
  for (const Line& line : syntax.lines) {
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
    if (one.stream && (one.stream->text == "default" || one.verb == Verb::malloc_async || one.verb == Verb::free_async))
      capturable = false;
    if (one.stream) streams.insert(one.stream->text);
  });
  if (!capturable || streams.empty()) return;
  const std::string graph = unused_name(syntax, "all"), fork = unused_name(syntax, "begin");
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
  add(edits, Cause::host_late, tr("all calls gathered in a graph"), std::move(changed));
}

namespace {

// The launches of a graph by the turns of a repeat, by turns of several like it.
void graph_of_each_turn(const Syntax& syntax, const Place& graph, const Place& launch, TextEdits& edits) {
  const std::string name = argument(at(syntax, graph), 0);
  const Place around(launch.begin(), launch.end() - 1);
  if (!is_in_block(launch) || !at(syntax, around).variable) return;
  for (const int count : {2, 4}) {
    Syntax changed = syntax;
    const std::string several = unused_name(syntax, name + "_");
    std::get<Name>(at(changed, launch).arguments[0]).text =
        several + "{" + at(syntax, around).variable->text + "%" + std::to_string(count) + "}";
    std::vector<Line>& lines = lines_around(changed, graph);
    const Line one = lines[graph.back()];
    for (int i = 0; i < count; ++i) {
      Line copy = one;
      std::get<Name>(copy.statement->arguments[0]).text = several + std::to_string(i);
      const auto place = lines.begin() + static_cast<std::ptrdiff_t>(graph.back()) + i;
      if (i == 0) {
        *place = std::move(copy);
      } else {
        lines.insert(place, std::move(copy));
      }
    }
    add(edits, Cause::graph_serial, tr("{} instances of the graph {}", count, name), std::move(changed));
  }
}

// As many of the graph as it has launches: with one more at a time the longest chain of launches need not get shorter.
void graph_of_each_launch(const Syntax& syntax, const Place& graph, const std::vector<Place>& launches,
                          TextEdits& edits) {
  constexpr std::size_t kMostInstances = 16;
  if (launches.size() < 3 || launches.size() > kMostInstances) return;
  Syntax changed = syntax;
  const std::string name = argument(at(syntax, graph), 0);
  std::vector<Line> copies;
  for (std::size_t i = 1; i < launches.size(); ++i) {
    const std::string its = unused_name(changed, name + std::to_string(i + 1));
    std::get<Name>(at(changed, launches[i]).arguments[0]).text = its;
    copies.push_back(lines_around(changed, graph)[graph.back()]);
    std::get<Name>(copies.back().statement->arguments[0]).text = its;
  }
  std::vector<Line>& lines = lines_around(changed, graph);
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(graph.back()) + 1, copies.begin(), copies.end());
  add(edits, Cause::graph_serial, tr("{} instances of the graph {}", launches.size(), name), std::move(changed));
}

}  // namespace

// Every other launch of a graph is of a second one like it.
void second_graph(const Syntax& syntax, TextEdits& edits) {
  for (const Place& place : places(syntax, [](const Statement& one) { return one.verb == Verb::graph; })) {
    Syntax changed = syntax;
    const std::string name = argument(at(changed, place), 0);
    const std::string second = unused_name(syntax, name + "2");
    const auto launches =
        places(syntax, [&](const Statement& one) { return one.verb == Verb::launch && argument(one, 0) == name; });
    if (launches.size() == 1) graph_of_each_turn(syntax, place, launches.front(), edits);
    graph_of_each_launch(syntax, place, launches, edits);
    std::size_t count = 0;
    for (const Place& launch : launches) {
      if (count++ % 2 == 1) std::get<Name>(at(changed, launch).arguments[0]).text = second;
    }
    if (count < 2) continue;
    std::vector<Line>& lines = lines_around(changed, place);
    Line copy = lines[place.back()];
    std::get<Name>(copy.statement->arguments[0]).text = second;
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(place.back()) + 1, copy);
    add(edits, Cause::graph_serial, tr("a second instance of the graph {}", name), std::move(changed));
  }
}

}  // namespace streamscope::remedy
