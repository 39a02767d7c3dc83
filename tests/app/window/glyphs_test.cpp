#include "app/window/platform/glyphs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "app/timeline/text_width.h"
#include "app/window/platform/fonts.h"
#include "app/window/platform/window.h"
#include "engine/base/catalogue_letters.h"

namespace streamscope::window {
namespace {

TEST(Letters, OfTheLanguageAreThereBeforeTheFirstFrame) {
  // 中文, 한국어: the languages' own names, in the list of them.
  EXPECT_THAT(Letters().all(), ::testing::ElementsAre(0x4E2D, 0x6587, 0xAD6D, 0xC5B4, 0xD55C));
  set_catalogue_letters("流, stream; 림");
  EXPECT_THAT(Letters().all(), ::testing::IsSupersetOf({0x6D41, 0xB9BC}));
  set_catalogue_letters({});
}

// Wider letters would be cut at the edge of what they stand in, and for narrower ones words would be cut that had room.
TEST(Fonts, DrawThePicturesTextsAsWideAsTheyAreLaidOut) {
  if (!std::filesystem::exists("/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Medium.ttf"))
    GTEST_SKIP() << "Roboto is missing (fonts-roboto-unhinted)";
  ImGui::CreateContext();
  for (const float scale : {1.0f, 1.25f, 1.5f, 2.0f}) {
    const Fonts fonts = build_fonts(scale, {});
    ImGui::GetIO().Fonts->Build();
    for (const float em : {13.0f, 12.0f, 11.0f, 8.0f}) {  // of names, on bars, small, on low lanes
      for (const timeline::Font font : {timeline::Font::regular, timeline::Font::bold}) {
        for (const char* text : {"cudaDeviceSynchronize", "Stream 0, HOST", "16 MiB  316.2 µs", "waits for others"}) {
          const auto [face, size] = pick(fonts, font, em * scale);
          const float drawn = face->CalcTextSizeA(size, 1e6f, 0, text).x;
          const float laid_out = timeline::text_width(text, font, em * scale);
          EXPECT_LT(drawn, laid_out * 1.05f) << text << " of " << em << " at " << scale;
          EXPECT_GT(drawn, laid_out * 0.9f) << text << " of " << em << " at " << scale;
        }
      }
    }
  }
  ImGui::DestroyContext();
}

TEST(FirstExtent, FillsASmallScreenAndMostOfALargeOne) {
  EXPECT_EQ(first_extent(1280, 1920), 1280);
  EXPECT_EQ(first_extent(1920, 1920), 1920);
  EXPECT_EQ(first_extent(2000, 1920), 1920);
  EXPECT_EQ(first_extent(3840, 1920), 3456);
  EXPECT_EQ(first_extent(100, 1080), 480);
}

}  // namespace
}  // namespace streamscope::window
