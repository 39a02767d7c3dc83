// Texts with one error, and what is to be said of it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "engine/program/check/check.h"
#include "engine/program/diagnostic.h"
#include "engine/program/syntax/parse.h"

namespace streamscope::program {

struct Row {
  std::string text;
  std::uint32_t line, column;
  std::vector<std::string> words;  // all stand in the message
};
inline void PrintTo(const Row& row, std::ostream* out) { *out << row.text; }

// Text of two declarations, so that a row shows only what it is about. Its statement is on line 3.
inline std::string with_x(const std::string& statement) { return "buffer x 1MiB\nstream A\n" + statement; }

inline std::vector<Diagnostic> errors(std::string_view text) {
  Parsed parsed = parse(text);
  const Checked checked = check(parsed.syntax);
  std::vector<Diagnostic> all = parsed.diagnostics;
  all.insert(all.end(), checked.diagnostics.begin(), checked.diagnostics.end());
  std::erase_if(all, [](const Diagnostic& one) { return one.severity != Diagnostic::Severity::error; });
  return all;
}

inline void expect_one_error(const Row& row) {
  const auto all = errors(row.text);
  ASSERT_EQ(all.size(), 1u) << format(all, "text");
  EXPECT_EQ(all[0].line, row.line) << all[0].message;
  EXPECT_EQ(all[0].column, row.column) << all[0].message;
  for (const std::string& word : row.words) EXPECT_THAT(all[0].message, ::testing::HasSubstr(word));
}

}  // namespace streamscope::program
