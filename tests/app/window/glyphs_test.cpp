#include "app/window/platform/glyphs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/catalogue_letters.h"

namespace streamscope::window {
namespace {

TEST(Letters, OfTheLanguageAreThereBeforeTheFirstFrame) {
  EXPECT_THAT(Letters().all(), ::testing::IsEmpty());
  set_catalogue_letters("流, stream; 림");
  EXPECT_THAT(Letters().all(), ::testing::ElementsAre(0x6D41, 0xB9BC));
  set_catalogue_letters({});
}

}  // namespace
}  // namespace streamscope::window
