// Texts that are large or odd: what they take, and that their errors are at the right place.
#include "tests/engine/program/bad_input.h"

#include "engine/program/syntax/print.h"

namespace streamscope::program {
namespace {

using ::testing::Each;
using ::testing::Field;
using ::testing::Gt;
using ::testing::HasSubstr;

TEST(LargeText, BlankLinesInARowAreOneInTheTreeAndAllInThePrint) {
  const std::string text = "\n\n\n# a\n\nstream A\nrepeat 2 {\n\n\n\n  A: spin 1us\n\n\n}\n\n\n";
  const Parsed parsed = parse(text);
  EXPECT_EQ(parsed.syntax.lines.size(), 6u);
  EXPECT_EQ(print(parsed.syntax), text);
  EXPECT_EQ(print(parse(std::string(100'000, '\n')).syntax), std::string(100'000, '\n'));
}

TEST(LargeText, AnErrorBehindManyBlankLinesIsAtItsLine) {
  expect_one_error({std::string(70'000, '\n') + "strem A", 70'001, 1, {"strem"}});
}

TEST(LargeText, WhatIsBehindTenThousandErrorsIsNotRead) {
  std::string text;
  for (int line = 0; line < 20'000; ++line) text += "x\n";
  const Parsed parsed = parse(text);
  ASSERT_EQ(parsed.diagnostics.size(), 10'001u);
  EXPECT_EQ(parsed.diagnostics.back().line, 10'000u);
  EXPECT_THAT(parsed.diagnostics.back().message, HasSubstr("10000 errors up to here; what follows was not read"));
  EXPECT_EQ(parsed.syntax.lines.size(), 10'000u);
}

TEST(LargeText, NoErrorIsAtNoLine) {
  const auto all = errors("bufer x 1MiB\nstrem A{k}\n");
  EXPECT_THAT(all, Each(Field(&Diagnostic::line, Gt(0u)))) << format(all, "text");
}

TEST(LargeText, ANameThatALaterPassDeclaresIsNotSuggestedInItsOwnPlace) {
  expect_one_error({"repeat 2 as i {\n  stream S{i}\n  S{1}: spin 1us\n}\n", 3, 3,
                    {"'S1' is used here before line 2 declares it, in a later pass"}});
}

}  // namespace
}  // namespace streamscope::program
