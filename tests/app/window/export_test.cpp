// The questions before a picture is written.
#include "app/window/panels/export_dialog.h"

#include <gtest/gtest.h>

namespace streamscope::window {
namespace {

// A PDF has 96 pixels an inch.
TEST(PaperOfAPicture, IsAsLargeAsItSays) {
  for (const Paper paper : {Paper{88, 110}, Paper{180, 110}, Paper{297, 210}, Paper{40, 2'000}}) {
    draw::FigureOptions options;
    options.scale = 3;
    set_paper(options, paper);
    EXPECT_EQ(options.scale, 1) << "else its text might be smaller than 7 pt";
    EXPECT_NEAR(options.width * 25.4 / 96, paper.width, 0.14);
    EXPECT_NEAR(options.height * 25.4 / 96, paper.height, 0.14);
    EXPECT_TRUE(draw::check_size(options.width, options.height));
  }
}

}  // namespace
}  // namespace streamscope::window
