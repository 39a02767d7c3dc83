// The kernel that works in place or from one range to another.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "engine/program/order/order.h"
#include "kernels/axpb/axpb.h"
#include "kernels/registry.h"
#include "tests/engine/program/bad_input.h"
#include "tests/support/program_of.h"

namespace streamscope::program {
namespace {

TEST(Axpb, NamesTheRangeThatItReads) {
  const Program program = tests::program_of(
      "buffer x 1MiB\nbuffer y 1MiB\nstream A\nA: axpb y[0:1024] from x[4:1024] fma=3\nA: axpb x fma=3\n");
  EXPECT_EQ(tests::described(program)[0], "operation 0, line 4: A: axpb y[0:1024] from x[4:1024] fma=3 threads=256");
  EXPECT_EQ(tests::described(program)[1], "operation 1, line 5: A: axpb x[0:1048576] fma=3 threads=256");
  EXPECT_EQ(program.kernels.size(), 2u) << "one of them is written differently in CUDA";
}

TEST(Axpb, ReadsOneRangeAndWritesTheOther) {
  const std::string head = "buffer x 1MiB\nbuffer y 1MiB\nstreams S 2 nonblocking\nS0: axpb y from x fma=1\n";
  EXPECT_TRUE(hazards(tests::program_of(head + "S1: d2h x\n"), 9).empty());
  EXPECT_EQ(hazards(tests::program_of(head + "S1: memset x 0\n"), 9).size(), 1u);
  EXPECT_EQ(hazards(tests::program_of(head + "S1: d2h y\n"), 9).size(), 1u);
}

TEST(Axpb, IsComputedToTheBitWithTwoRanges) {
  std::vector<float> from(1000), to(1002, -7), expected(1002, -7);
  for (std::size_t i = 0; i < from.size(); ++i) {
    from[i] = std::sin(static_cast<float>(i));
    float v = from[i];
    for (int k = 0; k < 5; ++k) v = std::fma(v, kernels::kAxpbA, kernels::kAxpbB);
    expected[1 + i] = v;
  }
  const std::vector<float> before = from;
  kernels::Values values = kernels::language_values(kernels::axpb_kernel());
  values[kernels::axpb_kernel().find("fma")] = 5;
  values[kernels::kTwoRanges] = 1;
  EXPECT_FALSE(kernels::axpb_kernel().reference()->compute(values, 4000, reinterpret_cast<char*>(to.data() + 1),
                                                           reinterpret_cast<const char*>(from.data())));
  EXPECT_EQ(to, expected);
  EXPECT_EQ(from, before);
}

class WrongAxpb : public testing::TestWithParam<Row> {};
TEST_P(WrongAxpb, IsReportedAtItsPlace) { expect_one_error(GetParam()); }
INSTANTIATE_TEST_SUITE_P(
    All, WrongAxpb,
    testing::Values(Row{with_x("A: axpb x from x fma=1"), 3, 16, {"overlap", "in place where it has one range"}},
                    Row{with_x("A: axpb x[0:8] from x[16:4] fma=1"), 3, 9, {"writes 4 bytes", "write x[0:4]"}},
                    Row{with_x("A: axpb x[0:6] from x[16:6] fma=1"), 3, 21, {"multiple of 4 bytes"}}));

}  // namespace
}  // namespace streamscope::program
