// Rules 4 and 21 on the model: host memory in the run, errors that stick and errors that do not, a reset.
#include "tests/engine/model/simulated.h"

namespace streamscope::model {
namespace {

bool ran(const trace::Span& span) { return known(span.start) && known(span.end); }

TEST(HostMemory, FreeingAndUnregisteringWaitForTheDevice) {
  const std::string text =
      "buffer x 1MiB host=pageable\nstream A nonblocking\nhost: malloc-host h 256MiB\nA: spin 200ms\nhost: free-host "
      "h\nA: spin 2ms\nhost: register x\nA: h2d x\nA: spin 2ms\nhost: unregister x\nA: h2d x\n";
  const auto run = simulate(text);
  EXPECT_NEAR(static_cast<double>(held(run[0])), 100e6, 1e6) << "as measured";
  for (const std::size_t call : {2, 7}) {
    EXPECT_GE(run[call].host_end, run[call - 1].end);
    EXPECT_EQ(run[call].reason, trace::WaitReason::host);
    EXPECT_EQ(run[call].waits_for, call - 1);
  }
  EXPECT_LT(run[4].host_end, run[3].end) << "registering waits for nothing";
  EXPECT_LT(run[5].host_end, run[5].end) << "registered memory is pinned";
  EXPECT_GT(held(run[8]), 3 * held(run[5])) << "and pageable again";
  EXPECT_EQ(run[2].kind, OperationKind::free);
  EXPECT_EQ(run[4].kind, OperationKind::pin);
  EXPECT_EQ(run[7].kind, OperationKind::unpin);

  Profile other = h200();
  other.host.free_waits = false;
  const auto quick = simulate(text, other);
  EXPECT_LT(quick[2].host_end, quick[1].end) << "it is a property of the device";
}

TEST(Faults, EndWhatRunsAndStick) {
  for (const auto& [word, error] :
       {std::pair{"illegal-address", CallResult::illegal_address}, std::pair{"assert", CallResult::device_assert},
        std::pair{"trap", CallResult::launch_failure}}) {
    const auto run = simulate(
        "buffer x 1MiB\nstream A nonblocking\nstream B nonblocking\nA: spin 5ms\nB: spin 1ms\nB: "
        "fault " +
        std::string(word) +
        "\nB: spin 1ms\nB: record e\nhost: sync A\nA: h2d x\nhost: query A\nhost: poll "
        "e\nhost: malloc t 1MiB\nhost: memcpy h2d x\nhost: work 10us\nhost: lasterror\nhost: "
        "lasterror\nhost: elapsed e e\nhost: lasterror peek\n");
    const Nanoseconds died = run[2].end;
    EXPECT_EQ(run[2].result, CallResult::success) << "the launch returned before";
    EXPECT_TRUE(ran(run[0]));
    EXPECT_EQ(run[0].end, died) << "what runs ends";
    for (const std::size_t never : {3, 4}) {
      EXPECT_FALSE(known(run[never].ready) || known(run[never].start) || known(run[never].end)) << never;
      EXPECT_EQ(run[never].source, trace::Source::none);
      EXPECT_EQ(run[never].result, CallResult::success) << "its call was made before";
    }
    EXPECT_GE(run[5].host_end, died + 1'000 * us) << "who waits is let go when the error is told";
    for (const std::size_t later : {5, 6, 7, 8, 9, 10, 12, 14, 15, 16}) {
      EXPECT_EQ(run[later].result, error) << later;
      EXPECT_TRUE(known(run[later].host_end));
    }
    EXPECT_EQ(run[13].result, CallResult::success) << "asking forgets it, until the next call returns it";
    EXPECT_EQ(run[8].polls, 1u);
    EXPECT_FALSE(ran(run[6])) << "no copy is carried out any more";
    EXPECT_EQ(run[6].bytes, 0u) << "and so has no rate";
    EXPECT_FALSE(ran(run[10]));
    EXPECT_EQ(run[11].result, CallResult::success) << "the host computes all the same";
    EXPECT_GE(took(run[11]), 10 * us);
    EXPECT_EQ(run.wall, run.spans.back().host_end);
  }
}

// Measured on an H100: what is issued before the error is told is taken, and what is asked gets no answer.
TEST(Faults, AreToldOnlyAfterAWhile) {
  const auto run = simulate(
      "buffer x 1MiB\nstream A nonblocking\nstream B nonblocking\nA: spin 100us\nA: record e\nB: spin 1ms\nA: fault "
      "illegal-address\nhost: work 20ms\nhost: query e\nhost: query A\nhost: query B\nB: h2d x\nhost: lasterror\nhost: "
      "sync B\nhost: lasterror\n");
  EXPECT_EQ(run[5].result, CallResult::success) << "it had fired before";
  for (const std::size_t asked : {6, 7}) EXPECT_EQ(run[asked].result, CallResult::not_ready) << asked;
  EXPECT_EQ(run[8].result, CallResult::success);
  EXPECT_FALSE(ran(run[8]));
  EXPECT_EQ(run[9].result, CallResult::success) << "that work is not ready is no error";
  EXPECT_EQ(run[10].result, CallResult::illegal_address);
  EXPECT_GT(run[10].host_end, run[3].start + 50'000 * us);
  EXPECT_EQ(run[11].result, CallResult::illegal_address);
}

// Measured on an H100.
TEST(Faults, CallbacksAreGivenTheErrorThoughNotOfAnAssertion) {
  for (const auto& [word, error] :
       {std::pair{"illegal-address", CallResult::illegal_address}, std::pair{"assert", CallResult::device_assert},
        std::pair{"trap", CallResult::launch_failure}}) {
    const auto run = simulate("stream A nonblocking\nA: callback 1us\nA: fault " + std::string(word) +
                              "\nA: callback 20us\nA: hostfn 20us\nA: callback 10us\nhost: sync A\nA: callback 5us\n");
    const bool called = error != CallResult::device_assert;
    EXPECT_TRUE(ran(run[0]));
    EXPECT_EQ(run[0].result, CallResult::success) << "that was before";
    for (const std::size_t queued : {2, 4}) {
      EXPECT_EQ(ran(run[queued]), called) << word;
      EXPECT_EQ(run[queued].result, called ? error : CallResult::success) << word;
    }
    if (called) {
      EXPECT_EQ(run[2].end - run[2].start, 20 * us);
      EXPECT_GE(run[2].start, run[1].end + 1'000 * us) << "when the error is told";
      EXPECT_EQ(run[4].start, run[2].end) << "one after the other";
    }
    EXPECT_FALSE(ran(run[3])) << "host functions are not";
    EXPECT_FALSE(ran(run[6])) << "its call failed";
    EXPECT_EQ(run[6].result, error);
  }
}

// Measured on two H100s: the error is that of the process.
TEST(Faults, TakeTheOtherDevicesAlong) {
  Profile two = h200();
  two.devices = 2;
  const auto run = simulate(
      "stream A nonblocking\nstream C device=1 nonblocking\nA: fault trap\nC: spin 200ms\nhost: sync A\nC: spin "
      "1us\nhost: device 1\nhost: sync device\n",
      two);
  for (const std::size_t failed : {2, 3, 5}) EXPECT_EQ(run[failed].result, CallResult::launch_failure) << failed;
  EXPECT_EQ(run[4].result, CallResult::success) << "a device can be chosen all the same";
  EXPECT_EQ(run[1].end, run[0].end);
}

TEST(Faults, ABadLaunchIsRefusedAtOnceAndDoesNotStick) {
  const auto run = simulate(
      "stream A nonblocking\nA: spin 100us\nA: fault launch-config\nhost: lasterror peek\nhost: lasterror\nhost: "
      "lasterror\nA: spin 100us\nhost: sync A\n");
  for (const std::size_t failed : {1, 2, 3}) EXPECT_EQ(run[failed].result, CallResult::invalid_value);
  EXPECT_FALSE(ran(run[1]));
  EXPECT_EQ(run[4].result, CallResult::success) << "asking forgets it";
  EXPECT_TRUE(ran(run[0]) && ran(run[5]));
  EXPECT_GE(run[5].start, run[0].end) << "the stream's order holds over what was refused";
  EXPECT_EQ(run[6].result, CallResult::success);
}

TEST(Faults, TheLastErrorIsThatOfTheOwnThread) {
  const auto run = simulate(
      "stream A nonblocking\nA: spin 1ms\nA: record e\nA: fault launch-config\nthread T {\n  host: lasterror\n}\nhost: "
      "join "
      "T\nhost: lasterror\n");
  EXPECT_EQ(run[4].result, CallResult::success);
  EXPECT_EQ(run[6].result, CallResult::invalid_value);
}

TEST(Faults, NothingOfAGraphRunsThatIsLaunchedLater) {
  const auto run = simulate(
      "stream A nonblocking\nstream B nonblocking\ngraph G on A {\n  A: spin 100us\n  A: spin 100us\n}\nB: fault "
      "trap\nA: launch G\nhost: sync B\nA: launch G\n");
  EXPECT_EQ(run[1].result, CallResult::success);
  for (const std::size_t node : {6, 7}) {
    EXPECT_FALSE(ran(run[node]));
    EXPECT_EQ(run[node].host_end, run[5].host_end);
  }
  EXPECT_EQ(run[5].result, CallResult::launch_failure);
}

// Measured on an H200 and an H100: it succeeds, the last error stays, and there is no device.
TEST(Reset, AfterAFaultLeavesNoDevice) {
  const auto run = simulate(
      "stream A nonblocking\nA: fault illegal-address\nhost: sync A\nhost: reset\nhost: lasterror\nhost: malloc t "
      "1MiB\ndefault: spin 1us\nhost: lasterror\nhost: device 0\n");
  EXPECT_EQ(run[1].result, CallResult::illegal_address);
  EXPECT_EQ(run[2].result, CallResult::success);
  EXPECT_EQ(run[3].result, CallResult::illegal_address);
  for (const std::size_t later : {4, 5, 6, 7}) EXPECT_EQ(run[later].result, CallResult::devices_unavailable) << later;
}

TEST(Reset, WaitsForTheWorkAndGivesTheMemoryBack) {
  Profile small = h200();
  small.device.memory = 64 << 20;
  const auto run = simulate(
      "buffer x 48MiB\nstream A nonblocking\nA: spin 1ms\nhost: reset\nhost: malloc t 16MiB\nhost: create-stream B\nB: "
      "memset t 0\nhost: sync B\n",
      small);
  EXPECT_GE(run[1].host_end, run[0].end);
  EXPECT_EQ(run[1].reason, trace::WaitReason::host);
  EXPECT_EQ(run[1].waits_for, 0u);
  EXPECT_TRUE(ran(run[4]));
  for (const trace::Span& span : run.spans) EXPECT_EQ(span.result, CallResult::success);
}

}  // namespace
}  // namespace streamscope::model
