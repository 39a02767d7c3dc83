// Which stream work is in, and how urgent it is.
#include "engine/remedy/text_edits.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/base/translate.h"
#include "engine/remedy/statements.h"

namespace streamscope::remedy {

using program::Syntax;
using program::syntax::Line;
using program::syntax::Number;
using program::syntax::Option;
using program::syntax::Statement;
using program::syntax::Verb;
using verdict::Cause;

void legacy_stream(const Syntax& syntax, TextEdits& edits) {
  Syntax nonblocking = syntax;
  bool any = false;
  for (const Place& place : places(syntax, [](const Statement& one) {
         return (one.verb == Verb::stream || one.verb == Verb::streams) && option(one, "nonblocking") == nullptr;
       })) {
    std::vector<Option>& options = at(nonblocking, place).options;
    options.insert(options.begin(), Option{.location = {}, .key = "nonblocking", .value = {}});
    any = true;
  }
  if (any) add(edits, Cause::legacy_barrier, tr("streams that are nonblocking"), nonblocking);

  const auto in_default =
      places(syntax, [](const Statement& one) { return one.stream && one.stream->text == "default"; });
  // Where the host chooses devices, each has a default stream.
  const bool chooses = !places(syntax, [](const Statement& one) { return one.verb == Verb::device; }).empty();
  if (in_default.empty() || chooses) return;
  const std::string name = unused_name(syntax, "D");
  Syntax own = syntax;
  for (const Place& place : in_default) at(own, place).stream->text = name;
  insert(own, behind_declarations(own), "stream " + name + " nonblocking\n");
  add(edits, Cause::legacy_barrier, tr("a stream of its own for the default stream's work"), own);
}

namespace {

// Whether a stream is given work outside that statement.
bool stands_elsewhere(const Syntax& syntax, const std::string& stream, const Place& place) {
  return std::ranges::any_of(syntax.lines, [&](const Line& line) {
    const bool here = &line == &syntax.lines[place.front()];
    return !here && line.statement && line.statement->stream && line.statement->stream->text == stream;
  });
}

}  // namespace

// The turns of a repeat that is all in one stream, spread over two and over four.
void more_streams(const Syntax& syntax, TextEdits& edits) {
  for (const Place& place : places(syntax, [](const Statement& one) { return one.verb == Verb::repeat; })) {
    const Statement& repeat = at(syntax, place);
    // Turns that are all the same are steps of one thing.
    if (!repeat.variable) continue;
    std::set<std::string> streams;
    const program::syntax::Name* of = nullptr;
    bool plain = true;
    for (const Line& line : repeat.body) {
      if (!line.statement) continue;
      if (!line.statement->stream || line.statement->opens_block) {
        plain = false;
      } else {
        of = &*line.statement->stream;
        streams.insert(of->text);
      }
    }
    if (!plain || streams.size() != 1) continue;
    for (const int count : {2, 4}) {
      Syntax changed = syntax;
      const std::string name = unused_name(syntax, "S");
      for (Line& line : at(changed, place).body) {
        if (line.statement) {
          line.statement->stream->text = name + "{" + repeat.variable->text + "%" + std::to_string(count) + "}";
        }
      }
      const std::string declared =
          "streams " + name + " " + std::to_string(count) + device_of(syntax, *of) + " nonblocking\n";
      const std::string words = tr("the turns of the repeat in line {} over {} streams", line_of(syntax, place), count);
      if (!is_in_block(place) && stands_elsewhere(syntax, *streams.begin(), place)) {
        // What came before it in the stream, and comes behind it, still does.
        Syntax joined = changed;
        const std::string from = unused_name(syntax, "begun"), to = unused_name(syntax, "turned");
        std::string begin = *streams.begin() + ": record " + from + "\n", end;
        for (int i = 0; i < count; ++i) {
          const std::string one = name + std::to_string(i), done = to + std::to_string(i);
          begin += one + ": wait " + from + "\n";
          end += one + ": record " + done + "\n" + *streams.begin() + ": wait " + done + "\n";
        }
        insert(joined, place.front() + 1, end);
        insert(joined, place.front(), begin);
        insert(joined, behind_declarations(joined), declared);
        add(edits, Cause::one_stream, tr("{}, which its stream waits for", words), std::move(joined));
      }
      insert(changed, behind_declarations(changed), declared);
      add(edits, Cause::one_stream, words, std::move(changed));
    }
  }
}

// All of one priority; each stream alone the most urgent one.
void priorities(const Syntax& syntax, TextEdits& edits) {
  const std::vector<Place> declared =
      places(syntax, [](const Statement& one) { return one.verb == Verb::stream || one.verb == Verb::streams; });
  Syntax same = syntax;
  bool any = false;
  for (const Place& place : declared) {
    any = std::erase_if(at(same, place).options, [](const Option& one) { return one.key == "priority"; }) > 0 || any;
  }
  if (any) add(edits, Cause::priority, tr("streams of one priority"), same);
  constexpr std::size_t kMost = 6;
  if (declared.size() < 2 || declared.size() > kMost) return;
  for (const Place& place : declared) {
    Syntax changed = same;
    at(changed, place)
        .options.push_back({.location = {},
                            .key = "priority",
                            .value = Number{.location = {}, .text = "-5", .value = -5, .expression = {}}});
    add(edits, Cause::priority, tr("{} as the most urgent stream", argument(at(syntax, place), 0)), std::move(changed));
  }
}

}  // namespace streamscope::remedy
