#include "engine/program/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "engine/base/place.h"
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
    const std::string place = fmt::format("{}:{}:{}", file, one.line, one.column);
    text += one.severity == Diagnostic::Severity::error ? error_at(place, one.message) : warning_at(place, one.message);
  }
  if (total > kMostReported) text += fmt::format("\n{}", tr("{}: and {} more", file, total - kMostReported));
  return text;
}

std::string at_line(std::uint32_t line, std::string_view what) { return tr("line {}: {}", line, what); }

std::optional<LineAndWhat> behind_line(std::string_view text) {
  const std::size_t digits = text.find_first_of("0123456789");
  if (digits == std::string_view::npos) return std::nullopt;
  constexpr std::string_view kMark = "\x1f";  // in place of what is wrong
  LineAndWhat found;
  if (std::from_chars(text.data() + digits, text.data() + text.size(), found.line).ec != std::errc{})
    return std::nullopt;
  // An engine elsewhere may speak English.
  for (const std::string& pattern : {at_line(found.line, kMark), fmt::format("line {}: {}", found.line, kMark)}) {
    const std::size_t mark = pattern.find(kMark);
    const std::string_view behind = std::string_view(pattern).substr(mark + kMark.size());
    if (!text.starts_with(pattern.substr(0, mark)) || !text.ends_with(behind)) continue;
    found.what = text.substr(mark, text.size() - mark - behind.size());
    return found;
  }
  return std::nullopt;
}

}  // namespace streamscope::program
