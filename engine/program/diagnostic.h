// What is wrong with a stream program's text, and where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace streamscope::program {

struct Diagnostic {
  enum class Severity : std::uint8_t { error, warning };
  Severity severity = Severity::error;
  std::uint32_t line = 0;    // from 1
  std::uint32_t column = 0;  // from 1, in characters (UTF-8 code points)
  std::string message;       // what was found, what was expected, what to write instead
};

// By line and column; those of one location keep their order.
void sort_by_location(std::vector<Diagnostic>& diagnostics);

// "file:line:column: error: message", one a line, sorted by location. At most kMostReported, errors before warnings,
// then "file: and 12 more".
inline constexpr std::size_t kMostReported = 1000;
std::string format(const std::vector<Diagnostic>& diagnostics, std::string_view file);

// "line 7: …": what a device says is wrong with a line of a program.
std::string at_line(std::uint32_t line, std::string_view what);
struct LineAndWhat {
  std::uint32_t line = 0;
  std::string_view what;  // within the text
};
// Of a text that at_line() made; of any other nothing.
std::optional<LineAndWhat> behind_line(std::string_view text);

}  // namespace streamscope::program
