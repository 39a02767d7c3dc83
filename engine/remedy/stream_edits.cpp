// Which stream work is in, and in which order it is issued.
#include "engine/remedy/text_edits.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/base/translate.h"
#include "engine/remedy/statements.h"

namespace streamscope::remedy {

using program::Syntax;
using program::syntax::Line;
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
  if (in_default.empty()) return;
  const std::string name = unused_name(syntax, "D");
  Syntax own = syntax;
  for (const Place& place : in_default) at(own, place).stream->text = name;
  insert(own, behind_declarations(own), "stream " + name + " nonblocking\n");
  add(edits, Cause::legacy_barrier, tr("a stream of its own for the default stream's work"), own);
}

// The turns of a repeat that is all in one stream, spread over two and over four.
void more_streams(const Syntax& syntax, TextEdits& edits) {
  for (const Place& place : places(syntax, [](const Statement& one) { return one.verb == Verb::repeat; })) {
    const Statement& repeat = at(syntax, place);
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
      Syntax changed = syntax;
      const std::string name = unused_name(syntax, "S");
      for (Line& line : at(changed, place).body) {
        if (line.statement) {
          line.statement->stream->text = name + "{" + repeat.variable->text + "%" + std::to_string(count) + "}";
        }
      }
      insert(changed, behind_declarations(changed), "streams " + name + " " + std::to_string(count) + " nonblocking\n");
      add(edits, Cause::one_stream,
          tr("the turns of the repeat in line {} over {} streams", line_of(syntax, place), count), std::move(changed));
    }
  }
}

void priorities(const Syntax& syntax, TextEdits& edits) {
  Syntax changed = syntax;
  bool any = false;
  for (const Place& place : places(syntax, [](const Statement& one) {
         return (one.verb == Verb::stream || one.verb == Verb::streams) && option(one, "priority") != nullptr;
       })) {
    std::erase_if(at(changed, place).options, [](const Option& one) { return one.key == "priority"; });
    any = true;
  }
  if (any) add(edits, Cause::priority, tr("streams of one priority"), std::move(changed));
}

// A repeat over several statements as several repeats; adjacent repeats of the same count as one.
void breadth_first(const Syntax& syntax, TextEdits& edits) {
  for (const Place& place : places(syntax, [](const Statement& one) { return one.verb == Verb::repeat; })) {
    Syntax changed = syntax;
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
      add(edits, Cause::issue_order, tr("breadth-first: each step for all chunks, then the next"), std::move(changed));
    }
  }
}

void depth_first(const Syntax& syntax, TextEdits& edits) {
  Syntax changed;
  bool joined = false;
  const auto same_turns = [](const Statement& a, const Statement& b) {
    return a.verb == Verb::repeat && b.verb == Verb::repeat && argument(a, 0) == argument(b, 0) && a.variable &&
           b.variable && a.variable->text == b.variable->text;
  };
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

}  // namespace streamscope::remedy
