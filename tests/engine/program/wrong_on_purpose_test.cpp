// Waits and barriers of tile kernels that are chosen, or left out, and how that is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/program/read_program.h"
#include "tests/engine/program/bad_input.h"
#include "tests/support/program_of.h"

namespace streamscope::program {
namespace {

using testing::HasSubstr;

// Empty: the kernel leaves the right data.
std::string wrong(const std::string& options) {
  const Program program = tests::program_of("buffer x 1MiB\nstream A\nA: tiles x fma=1 " + options + "\n");
  return program.kernels[0].kernel->wrong_on_purpose(program.kernels[0].values);
}

TEST(WrongOnPurpose, AWaitForTooFewGroupsReadsWhatHasNotCome) {
  EXPECT_EQ(wrong("stages=4"), "");
  EXPECT_EQ(wrong("stages=4 wait=2"), "") << "as needed";
  EXPECT_EQ(wrong("stages=4 wait=0"), "");
  EXPECT_EQ(wrong("stages=4 wait=all"), "");
  EXPECT_THAT(wrong("stages=4 wait=3"), testing::StartsWith("wait=3: with 4 stages a block would read data that "
                                                            "has not come; 2 is the most"));
  EXPECT_EQ(wrong("stages=2 wait=0"), "");
  EXPECT_THAT(wrong("stages=2 wait=1"), HasSubstr("0 is the most"));
  EXPECT_THAT(wrong("stages=1 wait=1"), HasSubstr("with 1 stage a block"));
  EXPECT_THAT(wrong("copy=primitives stages=8 wait=7"), HasSubstr("6 is the most"));
}

TEST(WrongOnPurpose, LeavingOutIsAlwaysWrong) {
  EXPECT_EQ(wrong("stages=3 leave-out=nothing"), "");
  EXPECT_THAT(wrong("stages=3 leave-out=wait"), HasSubstr("leave-out=wait"));
  EXPECT_THAT(wrong("stages=3 leave-out=barrier"), HasSubstr("leave-out=barrier"));
  EXPECT_THAT(wrong("copy=primitives stages=1 leave-out=barrier"), HasSubstr("data that has not come"));
}

TEST(WrongOnPurpose, TheCheckWarnsOfEachLineOnce) {
  const auto read =
      read_program("buffer x 1MiB\nstream A\nrepeat 4 {\n  A: tiles x fma=1 stages=2 leave-out=wait\n}\n", "p");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->warnings.size(), 1u);
  EXPECT_EQ(read->warnings[0].line, 4u);
  EXPECT_THAT(read->warnings[0].message, HasSubstr("wrong on purpose: leave-out=wait"));
}

class WrongTiles : public testing::TestWithParam<Row> {};
TEST_P(WrongTiles, AreReportedAtTheirPlace) { expect_one_error(GetParam()); }
INSTANTIATE_TEST_SUITE_P(
    All, WrongTiles,
    testing::Values(Row{with_x("A: tiles x fma=1 copy=pipeline wait=0"), 3, 32, {"does nothing here", "copy=cp.async"}},
                    Row{with_x("A: tiles x fma=1 copy=bulk leave-out=wait"), 3, 28, {"wait for ever", "copy=cp.async"}},
                    Row{with_x("A: tiles x fma=1 wait=8"), 3, 23, {"needed, all, 0, 1"}},
                    Row{with_x("A: tiles x fma=1 leave-out=wait wait=1"), 3, 33, {"the wait is left out"}},
                    Row{with_x("A: tiles x fma=1 leave-out=barrier threads=32"), 3, 36, {"one warp", "64"}},
                    Row{with_x("A: tiles x fma=1 bytes=16 smem-align=4"), 3, 18, {"smem-align=16"}},
                    Row{with_x("A: tiles x fma=1 copy=bulk smem-align=4"), 3, 28, {"write smem-align=16"}},
                    Row{with_x("A: tiles x fma=1 smem-align=8"), 3, 18, {"4, 16, 128"}},
                    Row{with_x("A: attention x waits=3"), 3, 22, {"from 1 to 2"}}));

}  // namespace
}  // namespace streamscope::program
