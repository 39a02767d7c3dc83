#include "engine/base/translate.h"

#include <gtest/gtest.h>

#include <cstring>

namespace streamscope {
namespace {

class Translated : public ::testing::Test {
 protected:
  void TearDown() override { translate_by(nullptr); }
};

const char* backwards(const char* text, const char* plural, unsigned long count) {
  if (plural) return count == 0 ? "none" : count == 1 ? "{} one" : "{} many";
  if (*text == '\0') return "the catalogue's head";
  if (std::strcmp(text, "{} before {}") == 0) return "{1} after {0}";
  if (std::strcmp(text, "needs {}") == 0) return "needs {} and {}";
  if (*text == '\0') return "Language: en";
  return std::strcmp(text, "word") == 0 ? "drow" : text;
}

TEST_F(Translated, EnglishIsWhatStandsInTheSources) {
  EXPECT_STREQ(tr("word"), "word");
  EXPECT_EQ(tr("{} before {}", 1, "two"), "1 before two");
  EXPECT_EQ(tr_n("{} copy", "{} copies", 1, 1), "1 copy");
  EXPECT_EQ(tr_n("{} copy", "{} copies", 0, 0), "0 copies");
  EXPECT_EQ(tr_n("one piece", "{} chunks of {}", 4, 4, "1MiB"), "4 chunks of 1MiB");
}

TEST_F(Translated, ACatalogueMayChangeTheOrderOfValuesAndTheRuleOfPlurals) {
  translate_by(backwards);
  EXPECT_STREQ(tr("word"), "drow");
  EXPECT_STREQ(tr(""), "");
  EXPECT_EQ(tr(std::string_view()), "");
  EXPECT_EQ(tr(std::string_view("word")), "drow");
  EXPECT_EQ(tr(tr_later("word")), std::string("drow"));
  EXPECT_EQ(tr("{} before {}", 1, "two"), "two after 1");
  EXPECT_EQ(tr_n("{} copy", "{} copies", 0, 0), "none");
  EXPECT_EQ(tr_n("{} copy", "{} copies", 3, 3), "3 many");
}

TEST_F(Translated, NothingStaysNothing) {
  translate_by(backwards);
  EXPECT_STREQ(tr(""), "");
  EXPECT_EQ(tr(std::string_view("")), "");
}

TEST_F(Translated, ATranslationThatAsksForOtherValuesIsNotUsed) {
  translate_by(backwards);
  EXPECT_EQ(tr("needs {}", 7), "needs 7");
}

}  // namespace
}  // namespace streamscope
