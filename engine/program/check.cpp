// Tree to program, and the whole way from text to program.
#include <fmt/format.h>

#include <algorithm>

#include "engine/program/expand.h"
#include "engine/program/order.h"
#include "engine/program/text.h"

namespace streamscope {
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

void end_with_a_synchronisation(Program& program) {
  auto& operations = program.operations;
  if (!operations.empty() && std::holds_alternative<op::SyncDevice>(operations.back().work)) return;
  operations.push_back({op::SyncDevice{}, std::nullopt, ThreadId{0}, 0});
}

}  // namespace

std::string format(const std::vector<Diagnostic>& diagnostics, std::string_view file) {
  std::vector<Diagnostic> sorted = diagnostics;
  sort(sorted);
  std::string text;
  for (const Diagnostic& one : sorted) {
    if (!text.empty()) text += '\n';
    text += fmt::format("{}:{}:{}: {}: {}", file, one.line, one.column,
                        one.severity == Diagnostic::Severity::error ? "error" : "warning", one.message);
  }
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
  }
  end_with_a_synchronisation(expansion.program);
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

}  // namespace streamscope
