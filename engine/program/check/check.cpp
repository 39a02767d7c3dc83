// Tree to program, and the whole way from text to program.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "engine/program/check/expand.h"
#include "engine/program/order/hazard_scan.h"
#include "engine/program/order/races.h"
#include "engine/program/text.h"

namespace streamscope::program {
namespace {

void sort(std::vector<Diagnostic>& diagnostics) {
  std::stable_sort(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& left, const Diagnostic& right) {
    return std::pair(left.line, left.column) < std::pair(right.line, right.column);
  });
}

bool any_error(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& one) { return one.severity == Diagnostic::Severity::error; });
}

void warn_of_waits_for_nothing(Expansion& expansion) {
  for (const auto& [place, wait] : expansion.unrecorded) {
    if (wait.found) continue;
    expansion.report.warning(place,
                             fmt::format("no record of '{}' comes before this line, so it waits for nothing; put a "
                                         "`record {}` before it",
                                         wait.event, wait.event));
  }
}

constexpr std::size_t kMostHazards = 16;

// The column at which the statement of each line begins.
void columns(const std::vector<syntax::Line>& lines, std::vector<std::uint32_t>& all) {
  for (const syntax::Line& line : lines) {
    if (!line.statement) continue;
    const syntax::Place place = line.statement->place;
    if (all.size() <= place.line) all.resize(place.line + 1, 1);
    all[place.line] = place.column;
    columns(line.statement->body, all);
  }
}

std::string who(const Program& program, const Operation& one) {
  const std::string name = one.stream ? program.streams[one.stream->value].name : std::string("host");
  return one.thread == ThreadId{0} ? name
                                   : fmt::format("{} of thread {}", name, program.threads[one.thread.value].name);
}

std::string earlier_line(const Operation& first, const Operation& second) {
  return first.line == second.line ? "an earlier pass of this line" : fmt::format("line {}", first.line);
}

std::string hazard_advice(const Program& program, const Operation& first, const Operation& second) {
  if (first.thread != second.thread) {
    return "let the main thread join or start one of the two threads between them, and wait for the stream as within "
           "one "
           "thread";
  }
  if (!second.stream) {
    const Operation& call = first.launch == kNoOperation ? first : program.operations[first.launch];
    return fmt::format("write `host: sync {}` before it", who(program, call));
  }
  if (first.launch != kNoOperation && first.launch == second.launch) {
    return "record an event behind the one in the graph and wait for it before the other";
  }
  return fmt::format("record an event behind {} and wait for it before this one, or use one stream",
                     first.line == second.line ? "the one" : earlier_line(first, second));
}

std::string hazard_message(const Program& program, const Hazard& hazard) {
  const Operation& first = program.operations[hazard.first];
  const Operation& second = program.operations[hazard.second];
  const Buffer& buffer = program.buffers[hazard.buffer.value];
  return fmt::format(
      "hazard: '{}' {} is used by this line (line {}, {}: {}) while {} ({}: {}) may still be using it, "
      "and one of them writes; nothing orders the two: {}",
      buffer.name,
      is_shared(buffer.host) ? "in memory that both sides share"
      : hazard.on_host       ? "on the host"
                             : "on the device",
      second.line, who(program, second), label(second.work), earlier_line(first, second), who(program, first),
      label(first.work), hazard_advice(program, first, second));
}

void warn_of_races(const Program& program, const std::vector<std::uint32_t>& column, Report& report) {
  std::size_t told = 0;
  for (const Race& race : find_races(program)) {
    if (++told > kMostHazards) return;
    const Operation& first = program.operations[race.first];
    const Operation& second = program.operations[race.second];
    report.further_warning(
        {second.line, column[second.line]},
        fmt::format("'{}' is {} here (line {}, {}) and by {} ({}), and nothing orders the two threads: {} differs from "
                    "run to run; write a `host: join` between them, or use {} each",
                    race.stream ? program.streams[race.stream->value].name : program.events[race.event.value].name,
                    race.stream ? "given work" : "used", second.line, who(program, second), earlier_line(first, second),
                    who(program, first), race.stream ? "which comes first" : "which record a wait is for",
                    race.stream ? "a stream" : "an event"));
  }
}

void warn_of_disorder(const Program& program, const Syntax& syntax, Report& report) {
  std::vector<std::uint32_t> column;
  columns(syntax.lines, column);
  warn_of_races(program, column, report);
  std::set<std::tuple<std::uint32_t, std::uint32_t, bool>> told;
  const auto gave_up = scan_hazards(program, [&](const Hazard& hazard) {
    const std::uint32_t line = program.operations[hazard.second].line;
    // One for each pair of lines.
    if (told.emplace(program.operations[hazard.first].line, line, hazard.on_host).second) {
      report.further_warning({line, column[line]}, hazard_message(program, hazard));
    }
    return told.size() < kMostHazards;
  });
  if (gave_up == kNoOperation) return;
  const std::uint32_t line = std::max(1u, program.operations[gave_up].line);
  report.warning(
      {line, line < column.size() ? column[line] : 1},
      fmt::format("from operation {} on there are too many accesses in too many streams to tell whether they are "
                  "ordered; the data will not be verified",
                  gave_up));
}

// Joins what is not joined, then waits for the device.
void end_all_threads_and_synchronise(Program& program) {
  auto& operations = program.operations;
  std::vector<bool> joined(program.threads.size(), false);
  joined[0] = true;
  if (program.threads.size() > 1) {
    for (const Operation& operation : operations) {
      if (const auto* join = std::get_if<op::JoinThread>(&operation.work)) joined[join->thread.value] = true;
    }
  }
  for (std::uint32_t thread = 0; thread < joined.size(); ++thread) {
    if (!joined[thread]) operations.push_back({op::JoinThread{ThreadId{thread}}, std::nullopt, ThreadId{0}, 0});
  }
  if (!operations.empty() && operations.back().thread == ThreadId{0} &&
      std::holds_alternative<op::SyncDevice>(operations.back().work)) {
    return;
  }
  operations.push_back({op::SyncDevice{}, std::nullopt, ThreadId{0}, 0});
}

}  // namespace

std::string format(const std::vector<Diagnostic>& diagnostics, std::string_view file) {
  std::vector<Diagnostic> sorted = diagnostics;
  sort(sorted);
  const std::size_t total = sorted.size();
  if (total > kMostTold) {
    std::stable_partition(sorted.begin(), sorted.end(),
                          [](const Diagnostic& one) { return one.severity == Diagnostic::Severity::error; });
    sorted.resize(kMostTold);
    sort(sorted);
  }
  std::string text;
  for (const Diagnostic& one : sorted) {
    if (!text.empty()) text += '\n';
    text += fmt::format("{}:{}:{}: {}: {}", file, one.line, one.column,
                        one.severity == Diagnostic::Severity::error ? "error" : "warning", one.message);
  }
  if (total > kMostTold) text += fmt::format("\n{}: and {} more", file, total - kMostTold);
  return text;
}

Checked check(const Syntax& syntax) {
  Checked checked;
  Expansion expansion(checked.diagnostics);
  expand(expansion, syntax);
  expansion.names.finish(expansion.report);
  if (!expansion.report.failed()) {
    if (expansion.program.operations.empty()) {
      expansion.report.warning({1, 1}, "the program does nothing; write for example `default: spin 100us`");
    }
    warn_of_waits_for_nothing(expansion);
    warn_of_disorder(expansion.program, syntax, expansion.report);
  }
  end_all_threads_and_synchronise(expansion.program);
  checked.program = std::move(expansion.program);
  sort(checked.diagnostics);
  return checked;
}

Result<ReadProgram> read_program(std::string_view text, std::string_view file) {
  Parsed parsed = parse(text);
  Checked checked = check(parsed.syntax);
  std::vector<Diagnostic> all = std::move(parsed.diagnostics);
  all.insert(all.end(), checked.diagnostics.begin(), checked.diagnostics.end());
  if (any_error(all)) {
    std::erase_if(all, [](const Diagnostic& one) { return one.severity != Diagnostic::Severity::error; });
    return fail(ErrorKind::bad_input, format(all, file));
  }
  return ReadProgram{std::move(checked.program), std::move(all)};
}

}  // namespace streamscope::program
