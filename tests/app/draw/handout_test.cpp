// Pages to be written on.
#include "app/draw/handout.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>

#include "app/timeline/text_width.h"
#include "engine/base/files.h"

namespace streamscope::draw {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Kind = HandoutPart::Kind;

std::string words(const timeline::Scene& page) {
  std::string all;
  for (const timeline::Text& each : page.texts) all += each.text + "\n";
  return all;
}

TEST(Handout, LinesAreNoWiderThanThePaper) {
  std::string english, chinese;
  for (int i = 0; i < 200; ++i) english += "stream ", chinese += "流";
  const auto pages = handout_pages({{.text = english}, {.text = chinese}, {.text = std::string(300, 'x')}});
  ASSERT_EQ(pages.size(), 1u);
  EXPECT_GT(pages[0].texts.size(), 8u);
  for (const timeline::Text& each : pages[0].texts)
    EXPECT_LE(timeline::text_width(each.text, each.font, each.size), kHandoutWidth + 1) << each.text;
}

TEST(Handout, NoChineseLineBeginsWithAFullStop) {
  for (int letters = 40; letters < 60; ++letters) {
    std::string text;
    for (int i = 0; i < letters; ++i) text += "流";
    text += "。" + text;
    const auto pages = handout_pages({{.text = text}});
    ASSERT_EQ(pages.size(), 1u);
    for (const timeline::Text& each : pages[0].texts)
      EXPECT_FALSE(each.text.starts_with("。")) << letters;
  }
}

TEST(Handout, AHeadingHasItsStepOnTheSamePage) {
  for (int lines = 20; lines < 60; ++lines) {
    std::vector<HandoutPart> parts;
    for (int i = 0; i < lines; ++i) parts.push_back({.kind = Kind::item, .text = "item"});
    parts.push_back({.kind = Kind::heading, .text = "heading"});
    parts.push_back({.text = "behind it"});
    const auto pages = handout_pages(parts);
    for (const timeline::Scene& page : pages)
      EXPECT_EQ(words(page).find("heading") == std::string::npos, words(page).find("behind it") == std::string::npos);
  }
}

TEST(Handout, APictureStandsWhereThereIsRoom) {
  timeline::Scene picture = timeline::blank_scene(kHandoutWidth, 700, {});
  picture.rectangles.push_back({0, 0, kHandoutWidth, 700, {}, timeline::Fill::solid});
  const auto pages =
      handout_pages({{.kind = Kind::picture, .picture = picture}, {.kind = Kind::picture, .picture = picture}});
  ASSERT_EQ(pages.size(), 2u);
  for (const timeline::Scene& page : pages) {
    ASSERT_EQ(page.rectangles.size(), 1u);
    EXPECT_LE(page.rectangles[0].x1, page.width);
    EXPECT_LE(page.rectangles[0].y1, page.height);
  }
}

TEST(Handout, IsOnePdfOfAllPages) {
  const auto path = std::filesystem::temp_directory_path() / ("handout-" + std::to_string(getpid()) + ".pdf");
  std::vector<HandoutPart> parts{{.kind = Kind::title, .text = "Title"}};
  for (int i = 0; i < 3; ++i) parts.push_back({.kind = Kind::answer, .lines = 30});
  ASSERT_EQ(handout_pages(parts).size(), 3u);
  const auto written = write_handout(parts, {"Title", "about", {}}, path);
  ASSERT_TRUE(written) << written.error().message;
  const auto text = read_text(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, StartsWith("%PDF"));
  EXPECT_THAT(*text, HasSubstr("/Count 3"));
}

}  // namespace
}  // namespace streamscope::draw
