// Host memory that the run allocates, frees, registers and unregisters.
#include "engine/program/order/in_one_stream.h"
#include "engine/program/order/order.h"
#include "tests/engine/program/bad_input.h"
#include "tests/support/program_of.h"

namespace streamscope::program {
namespace {

TEST(HostMemoryOfTheRun, HasAHostSideOnlyAndLivesUntilItIsFreed) {
  const Program program = tests::program_of(
      "buffer x 1MiB\nstream A\nhost: malloc-host h 2MiB\nA: d2h x to h[1MiB:1MiB]\nhost: sync A\nhost: touch h\n"
      "host: free-host h\nhost: malloc h 4KiB\n");
  const Buffer& made = program.buffers[std::get<op::MallocHost>(program.operations[0].work).made.value];
  EXPECT_TRUE(made.on_host);
  EXPECT_TRUE(made.made_in_run);
  EXPECT_EQ(made.bytes, 2u << 20);
  const auto& copy = std::get<op::Copy>(program.operations[1].work);
  EXPECT_EQ(&program.buffers[copy.host.buffer.value], &made);
  EXPECT_EQ(copy.host.offset, 1u << 20);
  EXPECT_EQ(std::get<op::FreeHost>(program.operations[4].work).gone, copy.host.buffer);
  EXPECT_FALSE(program.buffers[std::get<op::Malloc>(program.operations[5].work).buffer.value].on_host)
      << "other memory of the same name";
  EXPECT_EQ(tests::described(program)[0], "operation 0, line 3: host: malloc-host h 2097152");
  EXPECT_EQ(tests::described(program)[4], "operation 4, line 7: host: free-host h");
  EXPECT_FALSE(allocation_of(program.operations[0].work)) << "the device has none of it";
}

TEST(RegisteredMemory, IsPinnedUntilItIsUnregistered) {
  const Program program = tests::program_of(
      "buffer x 1MiB host=pageable\nstream A\nA: h2d x\nhost: register x\nA: h2d x\nhost: memcpy d2h x\nhost: "
      "unregister x\nA: d2h x\n");
  const auto memory = [&](std::size_t i) {
    return host_memory(program, std::get<op::Copy>(program.operations[i].work));
  };
  EXPECT_EQ(memory(0), HostMemory::pageable);
  EXPECT_EQ(memory(2), HostMemory::pinned);
  EXPECT_EQ(memory(3), HostMemory::pinned);
  EXPECT_EQ(memory(5), HostMemory::pageable);
  EXPECT_FALSE(call_waits_for_copy(program, program.operations[2].work));
  EXPECT_TRUE(call_waits_for_copy(program, program.operations[5].work));
  EXPECT_EQ(tests::described(program)[1], "operation 1, line 4: host: register x");
}

// cudaFreeHost waits for all uses; that cudaHostUnregister does is no promise of CUDA's.
TEST(RegisteredMemory, MayNotBeInUseWhenItIsUnregistered) {
  const std::string head = "buffer x 1MiB host=pageable\nbuffer y 1MiB\nstream A\nhost: register x\nA: h2d x\n";
  const auto found = hazards(tests::program_of(head + "host: unregister x\n"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].on_host);
  EXPECT_TRUE(hazards(tests::program_of(head + "host: sync A\nhost: unregister x\n")).empty());
  EXPECT_TRUE(hazards(tests::program_of("buffer y 1MiB\nstream A\nhost: malloc-host h 1MiB\nA: d2h y to h\nhost: "
                                        "free-host h\n"))
                  .empty());
}

TEST(HostMemoryOfTheRun, OrdersNothingAndStaysInASerialRun) {
  const Program program = tests::program_of(
      "buffer x 1MiB host=pageable\nstream A\nstream B\nA: spin 1us\nhost: register x\nB: h2d x\nhost: sync B\n"
      "host: unregister x\n");
  const Dependencies all(program);
  EXPECT_TRUE(all.of(1).empty()) << "it orders nothing";
  EXPECT_FALSE(waits_unasked(program, program.operations[1].work));
  EXPECT_FALSE(waits_unasked(program, program.operations[2].work));
  EXPECT_TRUE(waits_unasked(program, program.operations[4].work));
  const auto serial = in_one_stream(program);
  ASSERT_TRUE(serial);
  EXPECT_TRUE(std::holds_alternative<op::Register>(serial->operations[1].work));
}

// One thread may not use what another one is just registering.
TEST(RegisteredMemory, OfAThreadIsSeenWhereItIsJoined) {
  const Program program = tests::program_of(
      "buffer x 1MiB host=pageable\nthread T {\n  host: register x\n}\nhost: join T\nper-thread: h2d x\nhost: sync "
      "per-thread\nhost: unregister x\n");
  const auto at = std::find_if(program.operations.begin(), program.operations.end(),
                               [](const Operation& one) { return std::holds_alternative<op::Copy>(one.work); });
  EXPECT_TRUE(std::get<op::Copy>(at->work).registered);
}

class WrongHostMemory : public ::testing::TestWithParam<Row> {};

TEST_P(WrongHostMemory, IsReportedAtItsPlace) { expect_one_error(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    All, WrongHostMemory,
    ::testing::Values(
        Row{with_x("host: malloc-host h 1MiB\nA: h2d h\n"), 4, 8, {"no device side", "line 3", "`from` or `to`"}},
        Row{with_x("host: malloc-host h 1MiB\nA: memset h 0\n"), 4, 11, {"no device side"}},
        Row{with_x("host: malloc-host h 1MiB\nhost: free h\n"), 4, 12, {"memory of the host", "`host: free-host h`"}},
        Row{with_x("host: malloc t 1MiB\nhost: free-host t\n"), 4, 17, {"memory of the device", "`host: free t`"}},
        Row{with_x("host: free-host x\n"), 3, 17, {"declared with `buffer`", "`malloc-host`"}},
        Row{with_x("host: malloc-host h 1MiB\nhost: malloc-host h 1MiB\n"), 4, 19, {"already", "`free-host h`"}},
        Row{with_x("host: malloc-host h 1MiB\nhost: free-host h\nhost: free-host h\n"), 5, 17, {"twice", "line 4"}},
        Row{with_x("host: malloc-host h 1MiB\nhost: free-host h\nA: d2h x to h\n"), 5, 13, {"line 4 freed"}},
        Row{with_x("host: malloc-host A 1MiB\n"), 3, 19, {"declared twice"}},
        Row{with_x("host: register x\n"), 3, 16, {"pinned memory", "host=pageable"}},
        Row{with_x("host: malloc-host h 4\nhost: register h\n"), 4, 16, {"allocated in the run"}},
        Row{"buffer x 1MiB host=pageable\nhost: unregister x\n", 2, 18, {"not registered"}},
        Row{"buffer x 1MiB host=pageable\nhost: register x\nhost: register x\n", 3, 16, {"already, by line 2"}},
        Row{"buffer x 1MiB host=pageable\nhost: register x\ngraph G on per-thread {\n  per-thread: h2d x\n}\n",
            4,
            19,
            {"captured before", "line 2"}},
        Row{"buffer x 1MiB host=pageable\ngraph G on per-thread {\n  per-thread: h2d x\n}\nhost: register x\n",
            5,
            16,
            {"graph 'G'", "line 3"}},
        Row{"buffer x 1MiB host=pageable\nthread T {\n  host: register x\n}\nper-thread: h2d x\n",
            5,
            17,
            {"by thread T", "`host: join T`"}},
        Row{"buffer x 1MiB host=pageable\nthread T {\n  per-thread: h2d x\n}\nhost: register x\n",
            5,
            16,
            {"still be used by thread T", "line 3", "`host: join T`"}},
        Row{"buffer x 1MiB\nthread T {\n  host: malloc-host h 1MiB\n}\nper-thread: d2h x to h\n",
            5,
            22,
            {"allocated by thread T"}},
        Row{"graph G on per-thread {\n  host: malloc-host h 4\n}\n", 2, 3, {"outside the graph"}}));

}  // namespace
}  // namespace streamscope::program
