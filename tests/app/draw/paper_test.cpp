#include "app/draw/paper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <random>

#include "app/timeline/pattern.h"
#include "engine/base/files.h"
#include "tests/app/draw/picture_text.h"
#include "tests/support/draw_png.h"

namespace streamscope::draw {
namespace {

class Paper : public ::testing::Test {
 protected:
  Paper() {
    scene.width = 97;
    scene.height = 61;
    scene.background = kBack;
  }
  testing::Pixels2d written(double scale = 1) {
    const auto path = folder / "picture.png";
    const auto result = write_png(scene, scale, path);
    EXPECT_TRUE(result.has_value()) << result.error().message;
    return testing::read_png(path);
  }
  timeline::Colour wanted(int x, int y) const {
    timeline::Colour out = scene.background;
    for (const timeline::Rectangle& r : scene.rectangles) {
      if (x < r.x0 || x >= r.x1 || y < r.y0 || y >= r.y1) continue;
      if (!timeline::drawn(r.fill, x, y)) continue;
      out = r.colour;
    }
    return out;
  }
  static std::size_t different(const testing::Pixels2d& image, timeline::Colour from) {
    return static_cast<std::size_t>(
        std::count_if(image.pixels.begin(), image.pixels.end(), [&](timeline::Colour c) { return c != from; }));
  }
  static timeline::Text text(std::string what) {
    timeline::Text out;
    out.x = 5;
    out.y = 30;
    out.size = 14;
    out.colour = {255, 255, 255};
    out.text = std::move(what);
    return out;
  }

  testing::ScratchFolder folder;
  timeline::Scene scene;
};

TEST_F(Paper, HasExactlyThePixelsOfTheRectangles) {
  std::mt19937 random(5);
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  for (int i = 0; i < 80; ++i) {
    const int x = below(110) - 8, y = below(70) - 8;
    scene.rectangles.push_back({x, y, x + below(30), y + below(30), i % 2 == 0 ? kRed : kGreen,
                                static_cast<timeline::Fill>(below(timeline::kFills))});
  }
  for (const int scale : {1, 2, 3}) {
    const auto image = written(scale);
    ASSERT_EQ(image.width, scene.width * scale);
    ASSERT_EQ(image.height, scene.height * scale);
    for (int y = 0; y < image.height; ++y) {
      for (int x = 0; x < image.width; ++x) {
        ASSERT_EQ(image.at(x, y), wanted(x / scale, y / scale)) << x << "," << y << " scale " << scale;
      }
    }
  }
}

TEST_F(Paper, KeepsEdgesCrispAtAnyScale) {
  scene.rectangles = {{10, 10, 50, 40, kRed, timeline::Fill::solid}};
  const auto image = written(1.37);
  for (const timeline::Colour c : image.pixels) ASSERT_TRUE(c == kRed || c == kBack);
}

TEST_F(Paper, CutsRectanglesFarOutside) {
  constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max();
  scene.rectangles = {{-kFar, 10, kFar, 20, kRed, timeline::Fill::solid},
                      {10, -kFar, 20, kFar, kGreen, timeline::Fill::hatch}};
  const auto image = written();
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) ASSERT_EQ(image.at(x, y), wanted(x, y));
  }
}

TEST_F(Paper, DrawsTextWithinItsColumnsOnly) {
  timeline::Text one = text("MMMMMMMMMMMM");
  one.clip_x0 = 20;
  one.clip_x1 = 40;
  scene.texts = {one};
  const auto image = written();
  EXPECT_GT(different(image, kBack), 20u);
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      if (x < 20 || x >= 40) {
        ASSERT_EQ(image.at(x, y), kBack);
      }
      if (y < 18 || y > 42) {
        ASSERT_EQ(image.at(x, y), kBack) << "the text's middle is at 30";
      }
    }
  }
}

TEST_F(Paper, AnchorsText) {
  const auto extent = [&](timeline::Anchor anchor) {
    timeline::Text one = text("Hxx");
    one.x = 48;
    one.anchor = anchor;
    scene.texts = {one};
    const auto image = written();
    int first = image.width, last = -1;
    for (int y = 0; y < image.height; ++y) {
      for (int x = 0; x < image.width; ++x) {
        if (image.at(x, y) == kBack) continue;
        first = std::min(first, x);
        last = std::max(last, x);
      }
    }
    return std::pair(first, last);
  };
  EXPECT_GE(extent(timeline::Anchor::left).first, 48);
  EXPECT_LE(extent(timeline::Anchor::right).second, 48);
  EXPECT_NEAR((extent(timeline::Anchor::centre).first + extent(timeline::Anchor::centre).second) / 2.0, 48, 1.5);
}

TEST_F(Paper, DrawsOnAfterATextThatIsNoUtf8) {
  for (const std::string bad :
       {"\xFF\xFE", "a\x80", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\xF0\x9F"}) {
    scene.texts = {text(bad)};
    const auto before = different(written(), kBack);
    timeline::Text good = text("good");
    good.y = 50;
    scene.texts.push_back(good);
    EXPECT_GT(different(written(), kBack), before + 20);
  }
}

TEST_F(Paper, DrawsLines) {
  scene.lines = {{10, 30.5F, 80, 30.5F, kRed, 1}};
  const auto image = written();
  EXPECT_EQ(image.at(40, 30), kRed);
  EXPECT_EQ(image.at(40, 32), kBack);
}

TEST_F(Paper, SaysWhyThereIsNoPicture) {
  for (const double scale : {0.0, -1.0, 1e-9, 1e9, std::numeric_limits<double>::quiet_NaN()}) {
    const auto result = write_png(scene, scale, folder / "none.png");
    ASSERT_FALSE(result.has_value()) << scale;
    EXPECT_EQ(result.error().kind, ErrorKind::bad_input);
    EXPECT_FALSE(result.error().message.empty());
  }
  const auto result = write_png(scene, 1, folder / "no");
  EXPECT_TRUE(result.has_value());
  const auto nowhere = write_png(scene, 1, folder / "not-there/picture.png");
  ASSERT_FALSE(nowhere.has_value());
  EXPECT_NE(nowhere.error().message.find("not-there"), std::string::npos) << nowhere.error().message;
}

class Pdf : public Paper {
 protected:
  std::string pdf(double scale = 1, const DocumentInfo& info = {"A title", "MODEL", "2025-01-02T03:04:05Z"}) {
    const auto path = folder / "picture.pdf";
    const auto result = write_pdf(scene, scale, info, path);
    EXPECT_TRUE(result.has_value()) << result.error().message;
    return read_text(path).value();
  }
};

TEST_F(Pdf, IsAsLargeAsThePngAt96PixelsToTheInch) {
  EXPECT_NE(pdf().find("/MediaBox [ 0 0 72.75 45.75 ]"), std::string::npos);
  EXPECT_NE(pdf(2).find("/MediaBox [ 0 0 145.5 91.5 ]"), std::string::npos);
}

TEST_F(Pdf, HasItsFontsWithTheCharactersTheyStandFor) {
  EXPECT_EQ(pdf().find("/FontFile"), std::string::npos);
  scene.texts = {text("some words")};
  const std::string bytes = pdf();
  for (const char* what : {"/Type /Font\n", "/FontFile", "/ToUnicode"}) {
    EXPECT_NE(bytes.find(what), std::string::npos) << what;
  }
}

TEST_F(Pdf, SaysWhatItIsAndNothingOfTheTimeItWasWritten) {
  scene.rectangles = {{10, 10, 50, 40, kRed, timeline::Fill::hatch}};
  scene.texts = {text("some words")};
  const std::string bytes = pdf();
  for (const char* what : {"/Title (A title)", "/Subject (MODEL)", "/CreationDate (", "20250102030405Z"}) {
    EXPECT_NE(bytes.find(what), std::string::npos) << what;
  }
  EXPECT_EQ(bytes, pdf());
  EXPECT_EQ(pdf(1, {}).find("/CreationDate"), std::string::npos);
}

TEST_F(Pdf, IsDrawnWhateverANameHolds) {
  for (const std::string& bad : {std::string("\xFF\xFE"), std::string("a\0b\x1b", 4)}) {
    scene.texts = {text(bad)};
    EXPECT_EQ(pdf(1, {bad, bad, bad}).substr(0, 5), "%PDF-");
  }
}

TEST_F(Pdf, SaysWhyThereIsNone) {
  for (const double scale : {0.0, -1.0, 1e-9, 1e9, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_FALSE(write_pdf(scene, scale, {}, folder / "none.pdf").has_value()) << scale;
  }
  const auto nowhere = write_pdf(scene, 1, {}, folder / "not-there/picture.pdf");
  ASSERT_FALSE(nowhere.has_value());
  EXPECT_NE(nowhere.error().message.find("not-there"), std::string::npos) << nowhere.error().message;
}

TEST_F(Paper, LeavesNothingBesideThePicture) {
  written();
  written();
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    names.push_back(entry.path().filename().string());
  }
  EXPECT_EQ(names, std::vector<std::string>{"picture.png"});
}

}  // namespace
}  // namespace streamscope::draw
