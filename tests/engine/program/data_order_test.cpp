// Whether two orders of the same operations leave the same data.
#include <gtest/gtest.h>

#include "engine/program/order/order.h"
#include "engine/program/read_program.h"

namespace streamscope::program {
namespace {

bool reverses(const std::string& before, const std::string& after) {
  const std::string declarations =
      "buffer x 4MiB\nbuffer y 4MiB\nbuffer m 4MiB host=managed\nstream A nonblocking\nstream B nonblocking\n";
  const auto one = read_program(declarations + before, "before"), other = read_program(declarations + after, "after");
  EXPECT_TRUE(one && other) << before << after;
  return one && other && reverses_data_order(one->program, other->program);
}

TEST(DataOrder, IsKeptByWhatTouchesOtherBytes) {
  EXPECT_FALSE(reverses("A: h2d x[0:1MiB]\nA: d2h x[1MiB:1MiB]\n", "A: d2h x[1MiB:1MiB]\nA: h2d x[0:1MiB]\n"));
  EXPECT_FALSE(reverses("A: h2d x\nB: h2d y\n", "B: h2d y\nA: h2d x\n"));
  // Two that read, and the two sides of a buffer.
  EXPECT_FALSE(reverses("A: d2h x to y\nA: d2h x\n", "A: d2h x\nA: d2h x to y\n"));
  EXPECT_FALSE(reverses("A: axpb x fma=2\nhost: touch x\n", "host: touch x\nA: axpb x fma=2\n"));
}

TEST(DataOrder, IsReversedByAWriteThatChangesPlaces) {
  EXPECT_TRUE(
      reverses("A: h2d x[0:2MiB]\nA: axpb x[1MiB:2MiB] fma=2\n", "A: axpb x[1MiB:2MiB] fma=2\nA: h2d x[0:2MiB]\n"));
  EXPECT_TRUE(reverses("A: d2h x\nA: axpb x fma=2\n", "A: axpb x fma=2\nA: d2h x\n"));
  EXPECT_TRUE(reverses("A: memset x[0:3MiB] 1\nA: memset x[2MiB:1MiB] 2\n",
                       "A: memset x[2MiB:1MiB] 2\nA: memset x[0:3MiB] 1\n"));
  // Managed memory is one for both sides.
  EXPECT_TRUE(reverses("A: axpb m fma=2\nhost: touch m\n", "host: touch m\nA: axpb m fma=2\n"));
}

TEST(DataOrder, OfTurnsIsThatOfEachTurnsOwnBytes) {
  const auto turns = [](const std::string& range, bool apart) {
    const std::string body = "  A: h2d x" + range + "\n" + (apart ? "}\nrepeat 4 as i {\n" : "") + "  A: axpb x" +
                             range + " fma=2\n" + (apart ? "}\nrepeat 4 as i {\n" : "") + "  A: d2h x" + range +
                             "\n}\n";
    return "repeat 4 as i {\n" + body;
  };
  EXPECT_FALSE(reverses(turns("[{i}MiB:1MiB]", false), turns("[{i}MiB:1MiB]", true)));
  EXPECT_TRUE(reverses(turns("[0:1MiB]", false), turns("[0:1MiB]", true)));
  EXPECT_TRUE(reverses(turns("[0:1MiB]", true), turns("[0:1MiB]", false)));
}

TEST(DataOrder, IsReversedWhereAHostFunctionWouldSeeALaterTurn) {
  const std::string turn = "A: axpb x fma=2\nA: hostfn 5us\n";
  EXPECT_TRUE(reverses(turn + turn, "A: axpb x fma=2\nA: axpb x fma=2\nA: hostfn 5us\nA: hostfn 5us\n"));
  EXPECT_FALSE(reverses("A: axpb x[0:1MiB] fma=2\nA: hostfn 5us\nA: axpb x[1MiB:1MiB] fma=2\nA: hostfn 5us\n",
                        "A: axpb x[0:1MiB] fma=2\nA: axpb x[1MiB:1MiB] fma=2\nA: hostfn 5us\nA: hostfn 5us\n"));
}

TEST(DataOrder, SaysNothingOfOtherOperations) {
  EXPECT_FALSE(reverses("A: h2d x\nA: axpb x fma=2\n", "A: axpb x fma=2\n"));
  EXPECT_FALSE(reverses("A: h2d x\nA: axpb x fma=2\n", "A: axpb x fma=3\nA: h2d x\n"));
}

}  // namespace
}  // namespace streamscope::program
