// Copies between two ranges, what is given to no stream, and calls that only ask.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/program/order/order.h"
#include "tests/engine/program/bad_input.h"
#include "tests/support/program_of.h"

namespace streamscope::program {
namespace {

using testing::ElementsAre;

TEST(Copies, HaveARangeOnEachSide) {
  const Program program = tests::program_of(
      "buffer x 8MiB\nbuffer y 8MiB\nstream A\nA: h2d x[1MiB:4096] from y[0:4096]\nA: d2h x[0:4096] to x[8192:4096]\n"
      "host: memcpy h2d y[0:16] from x[16:16]\n");
  const auto& in = std::get<op::Copy>(program.operations[0].work);
  EXPECT_EQ(in.host, (Range{BufferId{1}, 0, 4096}));
  EXPECT_EQ(in.device, (Range{BufferId{0}, 1 << 20, 4096}));
  const auto& out = std::get<op::Copy>(program.operations[1].work);
  EXPECT_EQ(out.direction, Direction::d2h);
  EXPECT_EQ(out.host, (Range{BufferId{0}, 8192, 4096}));
  EXPECT_TRUE(std::get<op::Copy>(program.operations[2].work).blocking);
  EXPECT_THAT(tests::described(program),
              ElementsAre("operation 0, line 4: A: h2d x[1048576:4096] from y[0:4096]",
                          "operation 1, line 5: A: d2h x[0:4096] to x[8192:4096]",
                          "operation 2, line 6: host: memcpy h2d y[0:16] from x[16:16]", testing::_));
}

// The host side of one buffer, the device side of another.
TEST(Copies, AreHazardsOfTheSideThatTheyTouch) {
  const std::string head = "buffer x 1MiB\nbuffer y 1MiB\nstreams S 2 nonblocking\nS0: h2d x from y\n";
  EXPECT_TRUE(hazards(tests::program_of(head + "S1: h2d y from x\n"), 9).empty());
  EXPECT_EQ(hazards(tests::program_of(head + "S1: h2d x\n"), 9).size(), 1u);
  EXPECT_EQ(hazards(tests::program_of(head + "S1: d2h y\n"), 9).size(), 1u);
  EXPECT_TRUE(hazards(tests::program_of(head + "S1: memset y 0\n"), 9).empty());
}

TEST(Copies, WithoutAStreamAreWorkOfTheLegacyDefaultStream) {
  const Program program = tests::program_of(
      "buffer x 1MiB\nbuffer y 1MiB\nstream A\nA: memset x 1\nhost: memset x 2\nhost: d2d y x\nA: d2h y\n");
  EXPECT_EQ(program.operations[1].stream, kLegacyStream);
  EXPECT_TRUE(hazards(program, 9).empty());
  EXPECT_EQ(tests::described(program)[1], "operation 1, line 5: host: memset x[0:1048576] 2");
  EXPECT_EQ(label(program, program.operations[1].work), "cudaMemset");
  EXPECT_EQ(label(program, program.operations[2].work), "cudaMemcpy D2D");
}

// Whatever a query answers, another run may be slower.
TEST(Queries, OrderNothing) {
  const std::string head = "buffer x 1MiB\nstreams S 2 nonblocking\nS0: memset x 1\nS0: record e\n";
  EXPECT_TRUE(hazards(tests::program_of(head + "host: poll S0\nS1: memset x 2\n"), 9).empty());
  EXPECT_EQ(hazards(tests::program_of(head + "host: query S0\nS1: memset x 2\n"), 9).size(), 1u);
  EXPECT_EQ(hazards(tests::program_of(head + "host: query e\nS1: memset x 2\n"), 9).size(), 1u);
}

TEST(Poll, ItsWorkIsAPartOfTheTimeBetweenTwoQuestions) {
  const Program program =
      tests::program_of("stream A\nevent e\nhost: poll A every=50us work=40us\nhost: poll e work=2us\n");
  EXPECT_EQ(std::get<op::PollStream>(program.operations[0].work).work, 40'000);
  EXPECT_EQ(std::get<op::PollEvent>(program.operations[1].work).work, 2'000);
  expect_one_error({"stream A\nhost: poll A every=50us work=60us\n", 2, 30, {"'work' is a part of 'every'"}});
}

TEST(Elapsed, IsBoundToTheLatestRecords) {
  const Program program =
      tests::program_of("stream A\nA: record a\nA: record b\nA: record b\nhost: elapsed a b\nA: record a\n");
  const auto& elapsed = std::get<op::Elapsed>(program.operations[3].work);
  EXPECT_EQ(elapsed.from_record, 0u);
  EXPECT_EQ(elapsed.to_record, 2u);
}

class WrongCopies : public testing::TestWithParam<Row> {};
TEST_P(WrongCopies, AreReportedAtTheirPlace) { expect_one_error(GetParam()); }
INSTANTIATE_TEST_SUITE_P(
    All, WrongCopies,
    testing::Values(
        Row{with_x("A: h2d x to x"), 3, 10, {"'from'", "reads"}},
        Row{with_x("A: d2h x from x"), 3, 10, {"'to'", "writes"}},
        Row{with_x("host: memcpy h2d x to x"), 3, 20, {"write `h2d x from y`"}},
        Row{with_x("A: h2d x[0:8] from x[0:16]"), 3, 20, {"8 bytes on the device, 16 bytes on the host"}},
        Row{"buffer x 1MiB\nbuffer m 1MiB host=managed\nstream A\nA: h2d x from m", 4, 15, {"'m' is managed"}},
        Row{with_x("host: query device"), 3, 13, {"expected a stream or an event"}},
        Row{"stream A\ngraph G on A {\n  A: callback 1us\n}\nA: launch G", 3, 3, {"cannot be captured", "hostfn"}},
        Row{"buffer x 1MiB\nstream A\ngraph G on A {\n  host: memset x 0\n}\nA: launch G",
            4,
            3,
            {"legacy default stream"}}));

}  // namespace
}  // namespace streamscope::program
