#include "engine/program/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/translate.h"

namespace streamscope::program {

void sort_by_location(std::vector<Diagnostic>& diagnostics) {
  std::stable_sort(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& left, const Diagnostic& right) {
    return std::pair(left.line, left.column) < std::pair(right.line, right.column);
  });
}

std::string format(const std::vector<Diagnostic>& diagnostics, std::string_view file) {
  std::vector<Diagnostic> sorted = diagnostics;
  sort_by_location(sorted);
  const std::size_t total = sorted.size();
  if (total > kMostReported) {
    std::stable_partition(sorted.begin(), sorted.end(),
                          [](const Diagnostic& one) { return one.severity == Diagnostic::Severity::error; });
    sorted.resize(kMostReported);
    sort_by_location(sorted);
  }
  std::string text;
  for (const Diagnostic& one : sorted) {
    if (!text.empty()) text += '\n';
    text += fmt::format("{}:{}:{}: {}: {}", file, one.line, one.column,
                        one.severity == Diagnostic::Severity::error ? "error" : "warning", one.message);
  }
  if (total > kMostReported) text += fmt::format("\n{}", tr("{}: and {} more", file, total - kMostReported));
  return text;
}

}  // namespace streamscope::program
