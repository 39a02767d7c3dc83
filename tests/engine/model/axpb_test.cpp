// axpb with two ranges on the model: as much to move as in place, and twice as much for the cache to hold.
#include "tests/engine/model/simulated.h"

namespace streamscope::model {
namespace {

Nanoseconds worked(const std::string& statement, const Profile& profile = h200()) {
  return took(simulate("buffer x 1GiB\nbuffer y 1GiB\nbuffer m 1GiB host=mapped\nstream A nonblocking\nA: axpb " +
                           statement + " fma=1\n",
                       profile)[0]);
}

TEST(Axpb, TakesAsLongFromRangeToRangeAsInPlaceWhereMemoryDecides) {
  EXPECT_NEAR(static_cast<double>(worked("y from x")), static_cast<double>(worked("x")),
              static_cast<double>(worked("x")) / 50)
      << "the cache holds less of it";
  EXPECT_EQ(worked("y[0:1MiB] from x[0:1MiB]"), worked("x[0:1MiB]")) << "both in the cache";
}

TEST(Axpb, NeedsTwiceTheCache) {
  Profile profile = h200();
  profile.compute.cache_bytes = 32 << 20;
  EXPECT_GT(worked("y[0:32MiB] from x[0:32MiB]", profile), worked("x[0:32MiB]", profile) * 11 / 10);
}

TEST(Axpb, GoesOverTheBusOnEitherSide) {
  EXPECT_GT(worked("m[0:64MiB] from x[0:64MiB]"), 5 * worked("y[0:64MiB] from x[0:64MiB]"));
  EXPECT_GT(worked("y[0:64MiB] from m[0:64MiB]"), 5 * worked("y[0:64MiB] from x[0:64MiB]"));
}

}  // namespace
}  // namespace streamscope::model
