// The three formats show one picture: SVG and PDF, drawn by other programs, beside the PNG.
// STREAMSCOPE_PICTURES=FOLDER keeps what they drew, to be looked at.
#include <gtest/gtest.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "app/draw/paper.h"
#include "app/draw/picture_file.h"
#include "app/timeline/text_width.h"
#include "engine/base/files.h"
#include "tests/support/draw_png.h"
#include "tests/support/timeline_run.h"

namespace streamscope::draw {
namespace {

// Cairo forgets 768 bytes when it puts a part of a font with CFF outlines, as Noto CJK's are, into a PDF (seen in 1.16,
// in its own functions below cairo_surface_finish): what it allocates meanwhile is not held against us.
struct ForgivingCairo {
#if defined(__SANITIZE_ADDRESS__)
  ForgivingCairo() { __lsan_disable(); }
  ~ForgivingCairo() { __lsan_enable(); }
  ForgivingCairo(const ForgivingCairo&) = delete;
  ForgivingCairo& operator=(const ForgivingCairo&) = delete;
#endif
};

bool has(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

// The share of pixels that differ by more than a letter's smoothing does, each judged by the best of its neighbours: a
// stripe that lies half a pixel beside is the same stripe.
double share_off(const testing::Pixels2d& a, const testing::Pixels2d& b) {
  if (a.width != b.width || a.height != b.height || a.width == 0) return 1;
  constexpr int kFar = 96;
  const auto far = [&](timeline::Colour x, timeline::Colour y) {
    return std::abs(x.r - y.r) > kFar || std::abs(x.g - y.g) > kFar || std::abs(x.b - y.b) > kFar;
  };
  std::size_t off = 0;
  for (int y = 0; y < a.height; ++y) {
    for (int x = 0; x < a.width; ++x) {
      bool near = false;
      for (int dy = -1; dy <= 1 && !near; ++dy)
        for (int dx = -1; dx <= 1 && !near; ++dx)
          near = x + dx >= 0 && y + dy >= 0 && x + dx < b.width && y + dy < b.height &&
                 !far(a.at(x, y), b.at(x + dx, y + dy));
      off += near ? 0 : 1;
    }
  }
  return static_cast<double>(off) / static_cast<double>(a.pixels.size());
}

class Formats : public ::testing::TestWithParam<timeline::ThemeName> {
 protected:
  void SetUp() override {
    if (!has("rsvg-convert") || !has("pdftoppm"))
      GTEST_SKIP() << "rsvg-convert (librsvg2-bin) and pdftoppm (poppler-utils) draw SVG and PDF here; one is missing";
    run = testing::pipeline_run({});
    run.trace.streams[3].name = "복사 스트림";
    run.trace.streams[4].name = "计算流";
    options.width = 1200;
    options.height = 760;
    options.theme = GetParam();
    options.caption = "说明文字  ·  한국어 설명  ·  a caption";
    if (const char* kept = std::getenv("STREAMSCOPE_PICTURES")) folder = kept;
  }
  std::string file(const std::string& ending) const {
    return (folder / (std::string(timeline::name(options.theme)) + "." + ending)).string();
  }
  testing::Pixels2d drawn(PictureFormat format) {
    const std::string path = file(std::string(name(format)));
    [[maybe_unused]] const ForgivingCairo forgiving;
    const auto written = write_picture(run, {format, options, path});
    EXPECT_TRUE(written.has_value()) << written.error().message;
    if (format == PictureFormat::png) return testing::read_png(path);
    const std::string as = file(std::string(name(format)) + "-drawn");
    const std::string command = format == PictureFormat::svg
                                    ? "rsvg-convert -o '" + as + ".png' '" + path + "'"
                                    : "pdftoppm -png -r 96 -singlefile '" + path + "' '" + as + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return testing::read_png(as + ".png");
  }

  const testing::ScratchFolder scratch;
  std::filesystem::path folder = scratch.path();
  trace::Run run;
  FigureOptions options;
};

TEST_P(Formats, ShowOnePicture) {
  const auto png = drawn(PictureFormat::png);
  ASSERT_EQ(png.width, options.width);
  for (const PictureFormat format : {PictureFormat::svg, PictureFormat::pdf}) {
    const double off = share_off(png, drawn(format));
    RecordProperty(std::string(name(format)), std::to_string(off));
    std::printf("%s %s: %.4f %% of the pixels differ\n", std::string(timeline::name(GetParam())).c_str(),
                std::string(name(format)).c_str(), 100 * off);
    EXPECT_LT(off, 0.003) << name(format);
  }
  FigureOptions without = options;
  without.ghosts = false;
  options.tracks = {"host"};
  EXPECT_GT(share_off(png, drawn(PictureFormat::svg)), 0.02) << "another picture differs";
}

// With letters twice as large, and patterns with them.
TEST_P(Formats, ShowOnePictureInLargeLetters) {
  options.width = 2400;
  options.height = 1520;
  options.text = 2;
  const auto png = drawn(PictureFormat::png);
  EXPECT_LT(share_off(png, drawn(PictureFormat::svg)), 0.003);
}

INSTANTIATE_TEST_SUITE_P(All, Formats,
                         ::testing::Values(timeline::ThemeName::dark, timeline::ThemeName::light,
                                           timeline::ThemeName::projector, timeline::ThemeName::print),
                         [](const auto& theme) { return std::string(name(theme.param)); });

// What is laid out to fit does: no letter is drawn behind where its text was to end, nor far before.
TEST(Letters, AreAsWideAsTheyAreLaidOut) {
  if (!has("fc-list") || std::system("fc-list 'Roboto:medium' family | grep -q .") != 0)
    GTEST_SKIP() << "Roboto is missing (fonts-roboto-unhinted)";
  const testing::ScratchFolder folder;
  for (const timeline::Font font : {timeline::Font::regular, timeline::Font::bold, timeline::Font::mono}) {
    for (const char* text : {"cudaDeviceSynchronizd", "STREAMS H2D", "16 MiB  316.2 µs × 4 · …m"}) {
      timeline::Scene scene;
      scene.width = 1200, scene.height = 60;
      scene.background = {255, 255, 255, 255};
      scene.texts.push_back({10, 30, 40, timeline::Anchor::left, font, {0, 0, 0, 255}, text, 0, scene.width});
      ASSERT_TRUE(write_png(scene, 1, folder / "a.png").has_value());
      const testing::Pixels2d image = testing::read_png(folder / "a.png");
      int last = 0;
      for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
          if (image.at(x, y).r < 128) last = std::max(last, x);
      const float end = 10 + timeline::text_width(text, font, 40);
      EXPECT_LE(static_cast<float>(last), end) << text;
      EXPECT_GE(static_cast<float>(last), 10 + (end - 10) * 0.96F - 6) << text;
    }
  }
}

// In every format letters that Roboto lacks are drawn by a font that has them.
TEST(Letters, OfChineseAndKoreanAreNoEmptyBoxes) {
  if (!has("fc-list") || std::system("fc-list ':charset=4e2d d55c' family | grep -q .") != 0)
    GTEST_SKIP() << "no font here has Chinese and Korean letters (fonts-noto-cjk has)";
  const testing::ScratchFolder folder;
  trace::Run run = testing::pipeline_run({});
  const auto image = [&](const std::string& title) {
    FigureOptions options;
    options.width = 400;
    options.height = 400;
    options.title = title;
    EXPECT_TRUE(write_picture(run, {PictureFormat::png, options, folder / "a.png"}).has_value());
    return testing::read_png(folder / "a.png").pixels;
  };
  // Empty boxes would look alike.
  EXPECT_FALSE(image("中") == image("文"));
  EXPECT_FALSE(image("한") == image("국"));
  EXPECT_FALSE(image("中") == image("国"));
  FigureOptions options;
  options.title = "中文 한국어";
  ASSERT_TRUE(write_picture(run, {PictureFormat::svg, options, folder / "a.svg"}).has_value());
  EXPECT_NE(read_text(folder / "a.svg").value().find(">中文 한국어</text>"), std::string::npos);
  {
    [[maybe_unused]] const ForgivingCairo forgiving;
    ASSERT_TRUE(write_picture(run, {PictureFormat::pdf, options, folder / "a.pdf"}).has_value());
  }
  if (!has("pdftotext")) GTEST_SKIP() << "pdftotext (poppler-utils) is missing";
  const std::string to = (folder / "a.txt").string();
  ASSERT_EQ(std::system(("pdftotext '" + (folder / "a.pdf").string() + "' '" + to + "'").c_str()), 0);
  const std::string words = read_text(to).value();
  EXPECT_NE(words.find("中文 한국어"), std::string::npos) << words;
  EXPECT_NE(words.find("copy H2D"), std::string::npos) << words;
}

TEST(PictureFile, SaysWhatIsTooLargeOrTooSmall) {
  for (const int side : {16, 1600, 16'384}) EXPECT_TRUE(check_size(side, 16).has_value()) << side;
  for (const int side : {-1, 0, 15, 16'385}) {
    ASSERT_FALSE(check_size(1600, side).has_value()) << side;
    EXPECT_NE(check_size(side, 900).error().message.find("from 16x16 to 16384x16384"), std::string::npos);
  }
  for (const double scale : {0.25, 1.0, 8.0}) EXPECT_TRUE(check_scale(scale).has_value()) << scale;
  for (const double scale : {0.2, 8.1, -1.0, std::nan("")}) EXPECT_FALSE(check_scale(scale).has_value()) << scale;
  EXPECT_TRUE(check_pixels(PictureFormat::png, 16'384, 16'384, 1).has_value());
  EXPECT_TRUE(check_pixels(PictureFormat::svg, 16'384, 16'384, 8).has_value());
  EXPECT_NE(check_pixels(PictureFormat::png, 16'384, 16, 8).error().message.find("32767"), std::string::npos);
  EXPECT_NE(check_pixels(PictureFormat::png, 16'000, 16'000, 2).error().message.find("268 million"), std::string::npos);
  EXPECT_NE(check_pixels(PictureFormat::pdf, 16'384, 16, 2).error().message.find("200 inches"), std::string::npos);
  const testing::ScratchFolder folder;
  const auto run = testing::pipeline_run({});
  for (const int side : {16, 100}) {
    for (const double scale : {0.25, 8.0}) {
      FigureOptions options;
      options.width = options.height = side;
      options.scale = scale;
      for (const PictureFormat format : {PictureFormat::png, PictureFormat::svg, PictureFormat::pdf})
        EXPECT_TRUE(write_picture(run, {format, options, folder / "small"}).has_value()) << side << " " << scale;
    }
  }
}

}  // namespace
}  // namespace streamscope::draw
