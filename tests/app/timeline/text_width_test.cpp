// How much room a text takes, and how it is cut and broken to fit.
#include "app/timeline/text_width.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace streamscope::timeline {
namespace {

using ::testing::ElementsAre;

TEST(TextWidth, OfChineseAndKoreanIsAnEmALetter) {
  for (const Font font : {Font::regular, Font::mono}) {
    EXPECT_FLOAT_EQ(text_width("四个流", font, 10), 30);
    EXPECT_FLOAT_EQ(text_width("스트림", font, 10), 30);
    EXPECT_FLOAT_EQ(text_width("ストリーム，", font, 10), 60);
  }
  EXPECT_FLOAT_EQ(text_width("\xF0\xA0\x80\x80", Font::regular, 10), 10) << "U+20000";
  EXPECT_LT(text_width("é", Font::regular, 10), 7);
}

TEST(TextWidth, IsThatOfRobotosLetters) {
  EXPECT_NEAR(text_width("cudaDeviceSynchronize", Font::regular, 100), 1058, 26)
      << "as Regular draws it, a little on top";
  EXPECT_NEAR(text_width("NVIDIA H200 · profile h200", Font::regular, 100), 1193, 40);
  EXPECT_GT(text_width("H2D", Font::bold, 100), 193);
}

TEST(TextWidth, FitsAsMuchAsThereIsRoomFor) {
  EXPECT_EQ(fitted("four streams", Font::regular, 10, 200), "four streams");
  EXPECT_EQ(fitted("四个流和内核", Font::regular, 10, 60), "四个流和内核");
  EXPECT_EQ(fitted("四个流和内核", Font::regular, 10, 50), "四个流和…");
  EXPECT_EQ(fitted("四个流", Font::regular, 10, 5), "");
  for (const std::string& text : {std::string("a \xE5\x9B b"), std::string("\xFF\xFE\xF4"), std::string(200'000, 'x')})
    for (const float width : {0.0F, 15.0F, 40.0F})
      EXPECT_LE(text_width(fitted(text, Font::bold, 10, width), Font::bold, 10), width);
}

TEST(TextWidth, WrapsBetweenWordsAndWideLetters) {
  EXPECT_THAT(wrapped("one two three four", Font::regular, 10, 55, 9), ElementsAre("one two", "three four"));
  EXPECT_THAT(wrapped("one\ntwo", Font::regular, 10, 500, 9), ElementsAre("one", "two"));
  EXPECT_THAT(wrapped("四个流和内核", Font::regular, 10, 30, 9), ElementsAre("四个流", "和内核"));
  EXPECT_THAT(wrapped("四个流，和内核", Font::regular, 10, 30, 9), ElementsAre("四个", "流，和", "内核"));
  EXPECT_THAT(wrapped("四个（流）和", Font::regular, 10, 30, 9), ElementsAre("四个", "（流）", "和"));
  EXPECT_THAT(wrapped("四个GPU和", Font::regular, 10, 42, 9), ElementsAre("四个GPU", "和"));
  EXPECT_THAT(wrapped("abcdefghij", Font::mono, 10, 31, 9), ElementsAre("abcde", "fghij"));
  const auto cut = wrapped("one two three four five", Font::regular, 10, 50, 2);
  ASSERT_EQ(cut.size(), 2u);
  EXPECT_TRUE(cut[1].ends_with("…")) << cut[1];
  EXPECT_TRUE(wrapped("one\ntwo\nthree", Font::regular, 10, 500, 2)[1].ends_with("…"));
  EXPECT_TRUE(wrapped("x", Font::regular, 10, 1, 2).empty());
  EXPECT_TRUE(wrapped("", Font::regular, 10, 100, 2).empty());
}

}  // namespace
}  // namespace streamscope::timeline
