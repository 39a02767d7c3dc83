// What is wrong with a stream program's text, and where.
#pragma once

#include <cstddef>
#include <cstdint>
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

}  // namespace streamscope::program
