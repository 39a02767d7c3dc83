// Copies in two dimensions on the model: they cost their bytes, and short rows cost more.
#include <fmt/format.h>

#include "tests/engine/model/simulated.h"

namespace streamscope::model {
namespace {

const Simulated& copied(const std::string& statement) {
  static Simulated last;
  last = simulate(
      "buffer x 256MiB\nbuffer y 256MiB\nbuffer p 256MiB host=pageable\nstream A nonblocking\nA: " + statement + "\n");
  return last;
}
Nanoseconds time(const std::string& statement) { return took(copied(statement)[0]); }

TEST(Rows, TakeAsLongAsTheirBytesWhereTheyAreLong) {
  for (const std::string verb : {"h2d x", "d2h x"}) {
    EXPECT_EQ(time(verb + " rows=1024 width=64KiB pitch=128KiB"), time(verb + "[0:64MiB]")) << verb;
  }
  EXPECT_EQ(time("d2d y x rows=1024 width=64KiB pitch=128KiB"), time("d2d y[0:64MiB] x[0:64MiB]"));
  EXPECT_EQ(copied("h2d x rows=1024 width=64KiB pitch=128KiB")[0].bytes, 64u << 20);
  EXPECT_EQ(copied("h2d x rows=1024 width=64KiB pitch=128KiB")[0].rows, 1024u);
}

TEST(Rows, CostMoreThanTheirBytesWhereTheyAreShort) {
  for (const std::string verb : {"h2d x", "d2h x", "d2d y x"}) {
    const auto rows = [&](int count, int width) {
      return time(verb + fmt::format(" rows={} width={} pitch=512", count, width));
    };
    // An H200 takes 5.1 to 6.6 times as long.
    EXPECT_GT(rows(262144, 16), 4 * rows(8192, 512)) << verb << ": as many bytes";
    EXPECT_LT(rows(262144, 16), 8 * rows(8192, 512)) << verb;
    EXPECT_GT(rows(262144, 16), rows(131072, 16) * 3 / 2) << verb << ": twice the rows";
  }
}

// Small copies of bytes in a row travel with the commands.
TEST(Rows, UseACopyEngineHoweverSmall) {
  const Simulated run = simulate(
      "buffer x 64MiB\nbuffer y 4KiB\nstreams S 2 nonblocking\nS0: h2d x\nS1: h2d y rows=2 width=64 pitch=128\n");
  EXPECT_GE(run[1].start, run[0].end);
}

TEST(Rows, OfPageableMemoryAreStaged) {
  EXPECT_GT(
      time("h2d p rows=1024 width=64KiB pitch=128KiB") + held(copied("h2d p rows=1024 width=64KiB pitch=128KiB")[0]),
      2 * time("h2d x rows=1024 width=64KiB pitch=128KiB"));
}

}  // namespace
}  // namespace streamscope::model
