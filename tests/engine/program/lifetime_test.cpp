// Streams and events that the run makes and destroys.
#include "engine/program/order/in_one_stream.h"
#include "engine/program/order/order.h"
#include "tests/engine/program/bad_input.h"
#include "tests/support/program_of.h"

namespace streamscope::program {
namespace {

TEST(MadeInTheRun, LiveFromOneOperationToAnother) {
  const Program program = tests::program_of(
      "host: create-stream A nonblocking priority=-1\nhost: create-event e notiming\nA: spin 1us\nA: record e\nhost: "
      "destroy A\nhost: destroy e\nhost: create-stream A\nA: spin 1us\n");
  const StreamId first = std::get<op::CreateStream>(program.operations[0].work).made;
  EXPECT_TRUE(program.streams[first.value].made_in_run);
  EXPECT_TRUE(program.streams[first.value].nonblocking);
  EXPECT_EQ(program.streams[first.value].priority, -1);
  EXPECT_EQ(program.operations[2].stream, first);
  EXPECT_FALSE(program.events[std::get<op::CreateEvent>(program.operations[1].work).made.value].timing);
  EXPECT_EQ(std::get<op::DestroyStream>(program.operations[4].work).gone, first);
  const StreamId second = std::get<op::CreateStream>(program.operations[6].work).made;
  EXPECT_NE(second, first) << "another stream of the same name";
  EXPECT_EQ(program.operations[7].stream, second);
  const std::vector<std::string> all = tests::described(program);
  EXPECT_EQ(all[0], "operation 0, line 1: host: create-stream A nonblocking priority=-1");
  EXPECT_EQ(all[5], "operation 5, line 6: host: destroy e");
}

// The host does not wait for what a stream has when it is destroyed, and the device does all of it.
TEST(MadeInTheRun, DestroyingOrdersNothing) {
  const Program program =
      tests::program_of("buffer x 1MiB\nhost: create-stream A\nA: h2d x\nhost: destroy A\nhost: touch x\n");
  EXPECT_EQ(hazards(program, 10).size(), 1u);
  const Dependencies all(program);
  EXPECT_TRUE(all.of(2).empty());
  EXPECT_EQ(all.of(4).size(), 1u) << "the last synchronisation";
}

TEST(MadeInTheRun, ASerialRunHasNoneOfIt) {
  const auto serial = in_one_stream(
      tests::program_of("host: create-stream A\nhost: create-event e\nA: spin 1us\nA: record e\nhost: sync e\nhost: "
                        "destroy A\nhost: destroy e\n"));
  ASSERT_TRUE(serial);
  for (const Operation& operation : serial->operations) {
    EXPECT_NE(kind(operation.work), OperationKind::create);
    EXPECT_NE(kind(operation.work), OperationKind::destroy);
  }
  EXPECT_FALSE(serial->events[0].made_in_run);
}

class WrongLifetimes : public ::testing::TestWithParam<Row> {};

TEST_P(WrongLifetimes, AreReportedAtTheirPlace) { expect_one_error(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    All, WrongLifetimes,
    ::testing::Values(
        Row{"A: spin 1us\nhost: create-stream A\n", 1, 1, {"before line 2"}},
        Row{"stream A\nA: wait e\nhost: create-event e\n", 3, 20, {"used in line 2, before it is made"}},
        Row{"host: create-stream A\nhost: destroy A\nA: spin 1us\n", 3, 1, {"after line 2 destroyed it"}},
        Row{"host: create-stream A\nhost: destroy A\nhost: sync A\n", 3, 12, {"after line 2 destroyed it"}},
        Row{"host: create-event e\nhost: destroy e\nper-thread: record e\n", 3, 20, {"after line 2 destroyed it"}},
        Row{"host: create-event e\nhost: destroy e\nper-thread: wait e\n", 3, 18, {"after line 2 destroyed it"}},
        Row{"stream A\nhost: destroy A\n", 2, 15, {"there before the run"}},
        Row{"host: create-stream A\nhost: create-stream A\n", 2, 21, {"declared twice"}},
        Row{"stream A\nhost: create-stream A\n", 2, 21, {"declared twice"}},
        Row{"host: create-stream A\ngraph G on A {\n  per-thread: spin 1us\n}\n",
            2,
            12,
            {"made in the run", "`stream A`"}},
        Row{"host: create-event e\ngraph G on per-thread {\n  per-thread: spin 1us\n  per-thread: record e\n}\n",
            4,
            22,
            {"made in the run", "`event e`"}},
        Row{"host: create-stream A\nthread T {\n  A: spin 1us\n}\n", 3, 3, {"made by the main thread"}},
        Row{"thread T {\n  host: create-event e\n}\nhost: join T\nhost: sync e\n", 5, 12, {"made by thread T"}}));

}  // namespace
}  // namespace streamscope::program
