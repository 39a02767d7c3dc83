// The way from a stream program's text to a Program and back: parse, print, check.
//
//   parse(text)   -> the syntax tree, and all errors of the text, not only the first
//   print(tree)   -> the text in its one canonical form; parse(print(t)) gives t again, comments kept
//   check(tree)   -> the Program: repeats expanded, names resolved, ranges checked, event records bound
//   read_program  -> both steps at once, what most callers want
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/program/program.h"
#include "engine/program/syntax/syntax.h"

namespace streamscope::program {

struct Diagnostic {
  enum class Severity : std::uint8_t { error, warning };
  Severity severity = Severity::error;
  std::uint32_t line = 0;    // from 1
  std::uint32_t column = 0;  // from 1, in characters (UTF-8 code points)
  std::string message;       // what was found, what was expected, what to write instead
};

// "file:line:column: error: message", one a line, sorted by place. At most kMostTold, errors before warnings, then
// "file: and 12 more".
inline constexpr std::size_t kMostTold = 1000;
std::string format(const std::vector<Diagnostic>& diagnostics, std::string_view file);

struct Parsed {
  Syntax syntax;  // what could be understood, also where there are errors
  std::vector<Diagnostic> diagnostics;
};
Parsed parse(std::string_view text);

std::string print(const Syntax& syntax);

// Limits of stream-program.md.
inline constexpr std::uint64_t kMaximumOperations = 10'000'000;
inline constexpr std::uint32_t kMaximumNesting = 32;
// Limits of one program's tables and durations. Ten million operations of the longest duration still sum to less than
// int64 nanoseconds hold.
inline constexpr std::uint32_t kMaximumStreams = 65'536;
inline constexpr std::uint32_t kMaximumHostThreads = 256;  // the main one among them
// Edges between the nodes of graphs, over all launches.
inline constexpr std::uint64_t kMaximumGraphEdges = 40'000'000;
inline constexpr std::uint32_t kMaximumNames = 1'000'000;  // declared buffers, and events
inline constexpr Nanoseconds kLongestDuration = 600'000'000'000;
inline constexpr Nanoseconds kShortestPoll = 1'000;  // a query takes the host about that long
inline constexpr Nanoseconds kDefaultPoll = 10'000;

struct Checked {
  Program program;                      // valid only where no diagnostic is an error
  std::vector<Diagnostic> diagnostics;  // errors; hazards (two unordered accesses to one range) as warnings
};
Checked check(const Syntax& syntax);

struct ReadProgram {
  Program program;
  std::vector<Diagnostic> warnings;
};
// All errors in one Error of kind bad_input, formatted with `file` as the name.
Result<ReadProgram> read_program(std::string_view text, std::string_view file);

}  // namespace streamscope::program
