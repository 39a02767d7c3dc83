#include "app/window/platform/glyphs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace streamscope::window
