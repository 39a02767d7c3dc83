// Errors on purpose, and a reset of the device: what may be said.
#include "engine/program/order/in_one_stream.h"
#include "tests/engine/program/bad_input.h"
#include "tests/support/program_of.h"

namespace streamscope::program {
namespace {

TEST(Faults, AreOperationsOfTheirStream) {
  const Program program = tests::program_of(
      "stream A\nA: fault illegal-address\nA: fault assert\nA: fault trap\nA: fault launch-config\nhost: lasterror "
      "peek\nhost: lasterror\nhost: reset\n");
  constexpr FaultKind kKinds[] = {FaultKind::illegal_address, FaultKind::assertion, FaultKind::trap,
                                  FaultKind::launch_config};
  for (std::size_t i = 0; i < std::size(kKinds); ++i) {
    EXPECT_EQ(std::get<op::Fault>(program.operations[i].work).kind, kKinds[i]);
    EXPECT_EQ(ordered_in(program.operations[i]), StreamId{2});
  }
  EXPECT_EQ(label(program, program.operations[4].work), "cudaPeekAtLastError");
  EXPECT_EQ(label(program, program.operations[5].work), "cudaGetLastError");
  const std::vector<std::string> all = tests::described(program);
  EXPECT_EQ(all[1], "operation 1, line 3: A: fault assert");
  EXPECT_EQ(all[4], "operation 4, line 6: host: lasterror peek");
  EXPECT_EQ(all[6], "operation 6, line 8: host: reset");
  EXPECT_EQ(first_fault(program), 0u);
  EXPECT_FALSE(in_one_stream(program)) << "in another order other calls would fail";
  EXPECT_FALSE(fails_on_purpose(tests::program_of("stream A\nA: spin 1us\n")));
  EXPECT_TRUE(ends_its_process(program));
  EXPECT_TRUE(ends_its_process(tests::program_of("host: reset\n")));
  EXPECT_FALSE(ends_its_process(tests::program_of("stream A\nA: fault launch-config\nhost: lasterror\n")));
}

TEST(Reset, LeavesTheDefaultStreamsAndWhatIsMadeBehindIt) {
  const Program program = tests::program_of(
      "stream A\nbuffer x 4KiB\nA: h2d x\nA: record e\nhost: reset\nhost: create-stream A\nhost: create-event e\nhost: "
      "malloc x 4KiB\nA: memset x 0\nA: record e\nhost: sync e\ndefault: spin 1us\nper-thread: spin 1us\n");
  EXPECT_EQ(std::get<op::CreateStream>(program.operations[3].work).made, *program.operations[6].stream);
  EXPECT_NE(program.operations[6].stream, program.operations[0].stream) << "another stream of the same name";
}

class WrongFaults : public ::testing::TestWithParam<Row> {};

TEST_P(WrongFaults, AreReportedAtTheirPlace) { expect_one_error(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    All, WrongFaults,
    ::testing::Values(
        Row{with_x("A: fault\n"), 3, 9, {"illegal-address"}}, Row{with_x("A: fault trip\n"), 3, 10, {"trap"}},
        Row{with_x("host: lasterror pek\n"), 3, 17, {"peek"}},
        Row{"graph G on per-thread {\n  per-thread: fault trap\n}\n", 2, 3, {"outside the graph"}},
        Row{with_x("host: reset\nA: spin 1us\n"), 4, 1, {"'A' is gone", "line 3"}},
        Row{with_x("host: reset\nper-thread: h2d x\n"), 4, 17, {"'x' is gone", "line 3"}},
        Row{with_x("A: record e\nhost: reset\nhost: sync e\n"), 5, 12, {"'e' is gone", "line 4"}},
        Row{with_x("host: reset\nper-thread: record e\n"), 4, 20, {"line 3", "create-event e"}},
        Row{with_x("host: reset\nstream B\n"), 4, 1, {"made before the run", "line 3"}},
        Row{with_x("host: reset\ngraph G on per-thread {\n  per-thread: spin 1us\n}\n"), 4, 1, {"line 3"}},
        Row{with_x("stream B device=1\nB: spin 1us\nhost: reset\n"), 5, 1, {"one device"}},
        Row{"thread T {\n  host: work 1us\n}\nhost: reset\n", 4, 1, {"all host threads"}}));

}  // namespace
}  // namespace streamscope::program
