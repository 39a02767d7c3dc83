#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "engine/base/translate.h"
#include "engine/program/check/expansion.h"
#include "engine/program/order/order.h"

namespace streamscope::program {
namespace {

constexpr std::size_t kMostHazards = 16;

// The column at which the statement of each line begins.
void columns(const std::vector<syntax::Line>& lines, std::vector<std::uint32_t>& all) {
  for (const syntax::Line& line : lines) {
    if (!line.statement) continue;
    const SourceLocation location = line.statement->location;
    if (all.size() <= location.line) all.resize(location.line + 1, 1);
    all[location.line] = location.column;
    columns(line.statement->body, all);
  }
}

std::string who(const Program& program, const Operation& one) {
  const std::string name = one.stream ? program.streams[one.stream->value].name : std::string("host");
  return one.thread == ThreadId{0} ? name : tr("{} of thread {}", name, program.threads[one.thread.value].name);
}

std::string earlier_line(const Operation& first, const Operation& second) {
  return first.line == second.line ? tr("an earlier pass of this line") : tr("line {}", first.line);
}

std::string hazard_advice(const Program& program, const Operation& first, const Operation& second) {
  if (first.thread != second.thread) {
    return tr(
        "let the main thread join or start one of the two threads between them, and wait for the stream as within "
        "one thread");
  }
  if (!second.stream) {
    const Operation& call = first.launch == kNoOperation ? first : program.operations[first.launch];
    return tr("write `host: sync {}` before it", who(program, call));
  }
  if (first.launch != kNoOperation && first.launch == second.launch) {
    return tr("record an event behind the one in the graph and wait for it before the other");
  }
  return first.line == second.line
             ? std::string(tr("record an event behind the one and wait for it before this one, or use one stream"))
             : tr("record an event behind {} and wait for it before this one, or use one stream",
                  earlier_line(first, second));
}

std::string hazard_message(const Program& program, const Hazard& hazard) {
  const Operation& first = program.operations[hazard.first];
  const Operation& second = program.operations[hazard.second];
  const Buffer& buffer = program.buffers[hazard.buffer.value];
  return tr(
      "hazard: '{}' {} is used by this line (line {}, {}: {}) while {} ({}: {}) may still be using it, "
      "and one of them writes; nothing orders the two: {}",
      buffer.name,
      is_shared(buffer.host) ? tr("in memory that both sides share")
      : hazard.on_host       ? tr("on the host")
                             : tr("on the device"),
      second.line, who(program, second), label(program, second.work), earlier_line(first, second), who(program, first),
      label(program, first.work), hazard_advice(program, first, second));
}

void warn_of_races(const Program& program, const std::vector<std::uint32_t>& column, Diagnostics& diagnostics) {
  std::size_t reported = 0;
  for (const Race& race : find_races(program)) {
    if (++reported > kMostHazards) return;
    const Operation& first = program.operations[race.first];
    const Operation& second = program.operations[race.second];
    diagnostics.further_warning(
        {second.line, column[second.line]},
        race.stream
            ? tr("'{}' is given work here (line {}, {}) and by {} ({}), and nothing orders the two threads: which "
                 "comes first differs from run to run; write a `host: join` between them, or use a stream each",
                 program.streams[race.stream->value].name, second.line, who(program, second),
                 earlier_line(first, second), who(program, first))
            : tr("'{}' is used here (line {}, {}) and by {} ({}), and nothing orders the two threads: which record a "
                 "wait is for differs from run to run; write a `host: join` between them, or use an event each",
                 program.events[race.event.value].name, second.line, who(program, second), earlier_line(first, second),
                 who(program, first)));
  }
}

}  // namespace

void warn_of_missing_order(const Program& program, const Syntax& syntax, Diagnostics& diagnostics) {
  std::vector<std::uint32_t> column;
  columns(syntax.lines, column);
  warn_of_races(program, column, diagnostics);
  std::set<std::tuple<std::uint32_t, std::uint32_t, bool>> reported;
  const auto gave_up = scan_hazards(program, [&](const Hazard& hazard) {
    const std::uint32_t line = program.operations[hazard.second].line;
    // One for each pair of lines.
    if (reported.emplace(program.operations[hazard.first].line, line, hazard.on_host).second) {
      diagnostics.further_warning({line, column[line]}, hazard_message(program, hazard));
    }
    return reported.size() < kMostHazards;
  });
  if (gave_up == kNoOperation) return;
  const std::uint32_t line = std::max(1u, program.operations[gave_up].line);
  diagnostics.warning(
      {line, line < column.size() ? column[line] : 1},
      tr("from operation {} on there are too many accesses in too many streams to tell whether they are "
         "ordered; the data will not be verified",
         gave_up));
}

}  // namespace streamscope::program
