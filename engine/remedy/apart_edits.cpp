// What shares no data apart.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/translate.h"
#include "engine/remedy/statements.h"
#include "engine/remedy/text_edits.h"

namespace streamscope::remedy {

using program::Syntax;
using program::syntax::Line;
using program::syntax::Range;
using program::syntax::Statement;
using program::syntax::Verb;

namespace {

struct Bytes {
  std::string buffer;
  std::int64_t from = 0, to = std::numeric_limits<std::int64_t>::max();
};

std::vector<Bytes> touched_by(const Statement& statement) {
  std::vector<Bytes> all;
  for (const auto& one : statement.arguments) {
    const auto* const range = std::get_if<Range>(&one);
    if (range == nullptr) continue;
    const bool is_whole = !range->offset || !range->offset->expression.nodes.empty() ||
                          !range->bytes->expression.nodes.empty();  // or moves with a turn
    if (is_whole) {
      all.push_back({range->buffer.text});
    } else {
      all.push_back({range->buffer.text, range->offset->value, range->offset->value + range->bytes->value});
    }
  }
  return all;
}

bool meet(const std::vector<Bytes>& a, const std::vector<Bytes>& b) {
  return std::ranges::any_of(a, [&](const Bytes& one) {
    return std::ranges::any_of(b, [&](const Bytes& other) {
      return one.buffer == other.buffer && one.from < other.to && other.from < one.to;
    });
  });
}

bool is_work_in(const Line& line, const std::string& stream) {
  if (!line.statement) return true;
  const Statement& one = *line.statement;
  if (!one.stream || one.opens_block || one.stream->text != stream) return false;
  return one.verb == Verb::h2d || one.verb == Verb::d2h || one.verb == Verb::d2d || one.verb == Verb::memset ||
         one.verb == Verb::kernel || one.verb == Verb::hostfn;
}

// Of each line which group it is in: those that share data, by way of others too, are one. What touches nothing goes
// with what stands before it.
std::vector<std::size_t> groups(const std::vector<Line>& lines, std::size_t from, std::size_t end) {
  std::vector<std::size_t> of;
  std::vector<std::vector<Bytes>> bytes;  // of each group
  for (std::size_t i = from; i < end; ++i) {
    const std::vector<Bytes> its = lines[i].statement ? touched_by(*lines[i].statement) : std::vector<Bytes>();
    std::size_t to = bytes.size();
    for (std::size_t other = bytes.size(); other-- > 0;) {
      if (!meet(its, bytes[other])) continue;
      if (to < bytes.size()) {
        std::ranges::replace(of, to, other);
        bytes[other].insert(bytes[other].end(), bytes[to].begin(), bytes[to].end());
        bytes[to].clear();
      }
      to = other;
    }
    if (its.empty()) to = of.empty() ? 0 : of.back();
    if (to == bytes.size()) bytes.emplace_back();
    bytes[to].insert(bytes[to].end(), its.begin(), its.end());
    of.push_back(to);
  }
  return of;
}

}  // namespace

// The statements of one stream that stand in a row, each group that shares data in a stream of its own, for which that
// one waits.
void apart_by_data(const Syntax& syntax, TextEdits& edits) {
  constexpr std::size_t kMostLines = 64, kMostStreams = 8;
  const std::vector<Line>& lines = syntax.lines;
  for (std::size_t from = 0, end = 0; from < lines.size(); from = std::max(from + 1, end)) {
    const auto& first = lines[from].statement;
    if (!first || !first->stream || !first->stream->pieces.empty() || first->stream->text == "default") continue;
    const std::string stream = first->stream->text;
    end = from;
    while (end < lines.size() && end - from < kMostLines && is_work_in(lines[end], stream)) ++end;
    const std::vector<std::size_t> of = groups(lines, from, end);
    const std::set<std::size_t> different(of.begin(), of.end());
    if (different.size() < 2 || different.size() > kMostStreams) continue;
    Syntax changed = syntax;
    const std::string name = unused_name(syntax, "S");
    const std::string begun = unused_name(syntax, "begun"), done = unused_name(syntax, "done");
    std::string begin = stream + ": record " + begun + "\n", joined;
    std::size_t number = 0;
    for (const std::size_t group : different) {
      const std::string own = name + std::to_string(number), event = done + std::to_string(number);
      ++number;
      for (std::size_t i = from; i < end; ++i) {
        if (lines[i].statement && of[i - from] == group) changed.lines[i].statement->stream->text = own;
      }
      begin += own + ": wait " + begun + "\n";
      joined += own + ": record " + event + "\n" + stream + ": wait " + event + "\n";
    }
    insert(changed, end, joined);
    insert(changed, from, begin);
    insert(changed, behind_declarations(changed),
           "streams " + name + " " + std::to_string(different.size()) + device_of(syntax, *first->stream) +
               " nonblocking\n");
    add(edits, verdict::Cause::one_stream,
        tr("what shares no data from line {} on in {} streams", first->location.line, different.size()),
        std::move(changed));
  }
}

}  // namespace streamscope::remedy
