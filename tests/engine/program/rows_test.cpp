// Copies in two dimensions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/program/order/order.h"
#include "tests/engine/program/bad_input.h"
#include "tests/support/program_of.h"

namespace streamscope::program {
namespace {

using testing::ElementsAre;

TEST(Rows, HaveAPitchOnEachSide) {
  const Program program = tests::program_of(
      "buffer x 8MiB\nbuffer y 8MiB\nstream A\nA: h2d x rows=1024 width=4KiB pitch=8KiB\n"
      "A: d2h x[4KiB:8384512] to y rows=1024 width=4KiB pitch=8KiB host-pitch=4KiB\n"
      "A: d2d y x rows=3 width=5 from-pitch=7\nA: h2d x rows=1 width=16 pitch=64\n");
  const auto& in = std::get<op::Copy>(program.operations[0].work);
  EXPECT_EQ(rows_of(in.device), 1024u);
  EXPECT_EQ(row_bytes(in.device), 4096u);
  EXPECT_EQ(in.host, in.device);
  EXPECT_EQ(in.device.bytes, 1023u * 8192 + 4096) << "up to the end of the last row";
  EXPECT_EQ(bytes(program.operations[0].work), 4u << 20) << "what moves";
  EXPECT_EQ(rows(program.operations[0].work), 1024u);
  const auto& out = std::get<op::Copy>(program.operations[1].work);
  EXPECT_EQ(out.device.pitch, 8192u);
  EXPECT_EQ(out.host.pitch, 4096u);
  EXPECT_EQ(out.host.bytes, 4u << 20);
  EXPECT_EQ(rows(program.operations[3].work), 1u);
  EXPECT_EQ(bytes(program.operations[3].work), 16u);
  EXPECT_THAT(tests::described(program),
              ElementsAre("operation 0, line 4: A: h2d x[0:8384512] rows=1024 width=4096 pitch=8192",
                          "operation 1, line 5: A: d2h x[4096:8384512] to y[0:4194304] rows=1024 width=4096 pitch=8192 "
                          "host-pitch=4096",
                          "operation 2, line 6: A: d2d y[0:15] x[0:19] rows=3 width=5 pitch=5 from-pitch=7",
                          "operation 3, line 7: A: h2d x[0:16] rows=1 width=16 pitch=64", testing::_));
}

// What lies between the rows is another's.
TEST(Rows, AreHazardsWhereTheirBytesMeet) {
  const std::string head =
      "buffer x 1KiB\nbuffer y 1KiB\nstreams S 2 nonblocking\nS0: h2d x from y rows=8 width=64 pitch=128 "
      "host-pitch=64\n";
  const auto found = [&](const std::string& line) { return hazards(tests::program_of(head + line + "\n"), 99).size(); };
  EXPECT_EQ(found("S1: h2d x[64:960] rows=8 width=64 pitch=128"), 0u) << "the columns beside them";
  EXPECT_EQ(found("S1: h2d x[63:961] rows=8 width=64 pitch=128"), 1u);
  EXPECT_EQ(found("S1: memset x[64:64] 0"), 0u);
  EXPECT_EQ(found("S1: memset x[960:64] 0"), 0u) << "behind the last row";
  EXPECT_EQ(found("S1: memset x[64:65] 0"), 1u);
  EXPECT_EQ(found("S1: d2h x to y[512:512] rows=8 width=64 pitch=128 host-pitch=64"), 1u) << "the device's side";
  EXPECT_EQ(found("host: touch y[0:512]"), 1u);
  EXPECT_EQ(found("host: touch y[512:512]"), 0u);
}

TEST(Rows, OfOneBufferMayLieBetweenEachOther) {
  const Program program = tests::program_of("buffer x 1KiB\nstream A\nA: d2d x[64:960] x rows=8 width=64 pitch=128\n");
  EXPECT_EQ(bytes(program.operations[0].work), 512u);
}

class WrongRows : public testing::TestWithParam<Row> {};
TEST_P(WrongRows, AreReportedAtTheirPlace) { expect_one_error(GetParam()); }
INSTANTIATE_TEST_SUITE_P(
    All, WrongRows,
    testing::Values(
        Row{with_x("A: h2d x rows=4"), 3, 10, {"both 'rows' and 'width'"}},
        Row{with_x("A: h2d x pitch=4KiB"), 3, 10, {"both 'rows' and 'width'"}},
        Row{with_x("A: h2d x rows=4 width=64 pitch=32"), 3, 32, {"less than the 64 of a row", "64 or more"}},
        Row{with_x("A: d2h x rows=4 width=64 host-pitch=32"), 3, 37, {"'host-pitch'", "less than the 64"}},
        Row{with_x("A: h2d x[0:256] rows=3 width=64 pitch=128"), 3, 8, {"end 320 bytes", "write rows=2"}},
        Row{with_x("A: h2d x[0:32] rows=1 width=64"), 3, 8, {"holds no such row"}},
        Row{with_x("A: h2d x rows=0 width=64"), 3, 15, {"'rows' must be from 1"}},
        Row{with_x("A: d2d x[32:992] x rows=8 width=64 pitch=128"), 3, 18, {"overlap"}},
        Row{with_x("A: d2d x x[64:900] rows=2 width=64 pitch=128 from-pitch=256"), 3, 10, {"overlap"}},
        Row{with_x("A: h2d x rows=2 width=64 from-pitch=64"), 3, 26, {"rows, width, pitch, host-pitch"}}));

}  // namespace
}  // namespace streamscope::program
