// Pictures of the run in view, exported in the real window.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/base/files.h"
#include "tests/app/window_driven/window_fixture.h"

namespace streamscope::tests {
namespace {

using testing::HasSubstr;

TEST_F(Window, ExportsAPictureThatOpens) {
  ASSERT_TRUE(window->click("Toolbar/Export PNG"));
  const auto line = window->wait_for("said: Wrote ");
  ASSERT_TRUE(line);
  const std::filesystem::path path = line->substr(line->find('/'));
  EXPECT_EQ(path.filename(), "four-streams-run-1.png");
  EXPECT_TRUE(std::filesystem::equivalent(path.parent_path(), window->folder()));
  const auto picture = read_png(path);
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->width, 1600);
  for (const std::uint32_t colour : {kH2d, kD2h, kKernel})
    EXPECT_GT(picture->count(colour), 500u) << std::hex << colour;
  // A second one does not take the place of the first unasked.
  std::ofstream(path) << "kept";
  ASSERT_TRUE(window->click("Toolbar/Export PNG"));
  ASSERT_TRUE(window->place("Save the picture/Replace it"));
  EXPECT_EQ(std::filesystem::file_size(path), 4u);
  ASSERT_TRUE(window->click("Save the picture/Replace it"));
  EXPECT_TRUE(poll_until([&] { return read_png(path).has_value(); }));
}

TEST_F(Window, AFileThatIsGivenUpGoesBackToWhatWasChosen) {
  ASSERT_TRUE(window->press("ctrl+e"));
  ASSERT_TRUE(window->click("Export a picture/export-format/SVG"));
  ASSERT_TRUE(window->click("Export a picture/title"));
  ASSERT_TRUE(window->press("ctrl+a") && window->type("Mine"));
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(window->press("Tab"));  // over caption, legend and figures to Save as…
  ASSERT_TRUE(window->press("Return"));
  ASSERT_TRUE(window->click("Save the picture/Cancel"));
  ASSERT_TRUE(window->click("Export a picture/Save as…"));
  ASSERT_TRUE(window->place("Save the picture/name"));
  ASSERT_TRUE(window->press("Escape"));
  ASSERT_TRUE(window->click("Export a picture/Save as…"));
  ASSERT_TRUE(window->click("Save the picture/Save"));
  const auto line = window->wait_for("said: Wrote ");
  ASSERT_TRUE(line);
  EXPECT_TRUE(line->ends_with(".svg")) << *line;
  const auto picture = read_text(line->substr(line->find('/')));
  ASSERT_TRUE(picture);
  EXPECT_THAT(picture->substr(0, 1'000), HasSubstr("<title>Mine</title>"));
}

TEST_F(Window, TheDialogWritesWhatWasChosen) {
  ASSERT_TRUE(window->press("ctrl+e"));
  ASSERT_TRUE(window->click("Export a picture/export-format/SVG"));
  ASSERT_TRUE(window->click("Export a picture/Save as…"));
  ASSERT_TRUE(window->place("Save the picture/name"));
  ASSERT_TRUE(window->press("Return"));  // the name that stands there
  const auto line = window->wait_for("said: Wrote ");
  ASSERT_TRUE(line);
  const std::filesystem::path path = line->substr(line->find('/'));
  EXPECT_EQ(path.filename(), "four-streams-run-1.svg");
  EXPECT_GT(std::filesystem::file_size(path), 10'000u);
}

TEST_F(Window, APictureIsOfWhatWasMeasured) {
  const auto plot = window->place("Timeline/plot");
  ASSERT_TRUE(plot);
  const int y = plot->y + plot->height / 2;
  ASSERT_TRUE(window->drag(plot->x + plot->width / 2, y, plot->x + plot->width * 2 / 3, y));
  ASSERT_TRUE(window->wait_for("measure "));
  ASSERT_TRUE(window->press("ctrl+e"));
  ASSERT_TRUE(window->click("Export a picture/export-format/SVG"));
  ASSERT_TRUE(window->click("Export a picture/Save as…"));
  ASSERT_TRUE(window->click("Save the picture/Save"));
  const auto line = window->wait_for("said: Wrote ");
  ASSERT_TRUE(line);
  const auto picture = read_text(line->substr(line->find('/')));
  ASSERT_TRUE(picture);
  EXPECT_THAT(*picture, HasSubstr(", of a run of 6.297 ms"));
}

TEST_F(Window, APictureGoesWhereItIsToldAndReplacesOnlyWhatItIsToldTo) {
  const std::filesystem::path folder = window->folder() / "pictures";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "mine.png") << "no picture";
  ASSERT_TRUE(window->press("ctrl+e"));
  ASSERT_TRUE(window->click("Export a picture/Save as…"));
  ASSERT_TRUE(window->click("Save the picture/name"));
  ASSERT_TRUE(window->press("ctrl+a") && window->type((folder / "mine").string()) && window->press("Return"));
  ASSERT_TRUE(window->click("Save the picture/Replace it"));
  EXPECT_TRUE(window->wait_for("said: Wrote " + (folder / "mine.png").string()));
  EXPECT_TRUE(read_png(folder / "mine.png"));
}

}  // namespace
}  // namespace streamscope::tests
