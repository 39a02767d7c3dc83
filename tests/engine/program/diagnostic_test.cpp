#include "engine/program/diagnostic.h"

#include <gtest/gtest.h>

#include <cstring>

#include "engine/base/translate.h"

namespace streamscope::program {
namespace {

class AtLine : public ::testing::Test {
 protected:
  void TearDown() override { translate_by(nullptr); }
};

void expect_line_7(const std::string& text, std::string_view what) {
  const auto found = behind_line(text);
  ASSERT_TRUE(found) << text;
  EXPECT_EQ(found->line, 7u);
  EXPECT_EQ(found->what, what);
}

TEST_F(AtLine, WhatIsWrongIsFoundBehindTheLine) {
  EXPECT_EQ(at_line(7, "too much"), "line 7: too much");
  expect_line_7(at_line(7, "3 are too much"), "3 are too much");
}

TEST_F(AtLine, OtherTextsNameNoLine) {
  for (const char* text : {"", "no digits", "7: too much", "line 7, too much", "line : 7", "line 99999999999: x"})
    EXPECT_FALSE(behind_line(text)) << text;
}

TEST_F(AtLine, ItIsFoundInAnotherLanguageAndInEnglish) {
  translate_by([](const char* text, const char*, unsigned long) {
    return std::strcmp(text, "line {}: {}") == 0 ? "Zeile {}: „{}“" : text;
  });
  EXPECT_EQ(at_line(7, "zu viel"), "Zeile 7: „zu viel“");
  expect_line_7(at_line(7, "zu viel"), "zu viel");
  expect_line_7("line 7: too much", "too much");
}

}  // namespace
}  // namespace streamscope::program
