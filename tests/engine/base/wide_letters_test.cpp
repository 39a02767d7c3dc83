#include "engine/base/wide_letters.h"

#include <gtest/gtest.h>

#include <string>

namespace streamscope {
namespace {

// The text with a | where a line may end.
std::string ends_of(std::string_view text) {
  std::string out(text.substr(0, 1));
  for (std::size_t at = 1; at < text.size(); ++at) {
    if ((text[at] & 0xC0) != 0x80 && may_break(text, at)) out += '|';
    out += text[at];
  }
  return out;
}

TEST(WideLetters, LinesEndBetweenChineseOnesAndAfterWords) {
  EXPECT_EQ(ends_of("two streams"), "two| |streams");
  EXPECT_EQ(ends_of("四个流"), "四|个|流");
  EXPECT_EQ(ends_of("H2D引擎忙"), "H2D|引|擎|忙");
  EXPECT_EQ(ends_of("스트림 두 개"), "스트림| |두| |개");
}

TEST(WideLetters, SignsStayBesideWhatTheyBelongTo) {
  EXPECT_EQ(ends_of("流，图（核）。"), "流，|图|（核）。");
  EXPECT_EQ(ends_of("“流”、88 %。"), "“流”、|88 %。");
}

TEST(WideLetters, ABlankStandsAloneBeforeAnySign) {
  EXPECT_EQ(ends_of("forms: .ca and"), "forms:| |.ca| |and");
  EXPECT_EQ(ends_of("they say ..."), "they| |say| |...");
}

TEST(WideLetters, ANumberStaysBesideItsUnit) {
  EXPECT_EQ(ends_of("in 506 ms it is"), "in| |506 ms| |it| |is");
  EXPECT_EQ(ends_of("at 55 GB/s."), "at| |55 GB/s.");
  EXPECT_EQ(ends_of("506 ms가"), "506 ms가");
  EXPECT_EQ(ends_of("16 streams, 4 side by side"), "16| |streams,| |4| |side| |by| |side");
  EXPECT_EQ(ends_of("stream 1."), "stream| |1.");
}

TEST(WideLetters, ASentenceBehindAFullWidthStopHasNoSpaceBeforeIt) {
  EXPECT_EQ(behind("It waits.", "It costs 1 us."), "It waits. It costs 1 us.");
  EXPECT_EQ(behind("它等待。", "代价 1 us。"), "它等待。代价 1 us。");
  EXPECT_EQ(behind("기다린다.", "비용"), "기다린다. 비용");
  EXPECT_EQ(behind("", "代价"), "代价");
}

TEST(WideLetters, TakeTwoColumns) {
  EXPECT_EQ(columns("stream"), 6u);
  EXPECT_EQ(columns("4 个流"), 6u);
  EXPECT_EQ(columns("±5 µs"), 5u);
  EXPECT_EQ(columns("스트림"), 6u);
  EXPECT_EQ(columns("\xFF\xFE"), 2u) << "no UTF-8";
}

}  // namespace
}  // namespace streamscope
