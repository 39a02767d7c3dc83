// Faults and resets on a GPU: in a process of their own, which they take along and nothing else; each call returns what
// plain CUDA calls return.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <thread>

#include "engine/remote/own_process.h"
#include "tests/gpu/gpu.h"
#include "tests/support/two_device_faults.h"

namespace streamscope::cuda {
namespace {

using tests::kKindsOfFaults;

const remote::OwnProcess kEngine{STREAMSCOPE_PROGRAM};

remote::message::StartRun request(const std::string& text, std::uint64_t id = 1) {
  return tests::request("cuda:0", text, id);
}

std::vector<std::string> results_of(const trace::Trace& trace) {
  std::vector<std::string> all;
  for (const trace::Span& span : trace.spans) all.emplace_back(name(span.result));
  return all;
}

// tests/support/plain_faults.cu
std::vector<std::string> by_plain_calls(const std::string& arguments) {
  std::vector<std::string> all;
  FILE* const out = popen((STREAMSCOPE_PLAIN_FAULTS " " + arguments + " 2>/dev/null").c_str(), "r");
  std::array<char, 256> line{};
  while (out != nullptr && std::fgets(line.data(), line.size(), out) != nullptr) {
    all.emplace_back(line.data());
    all.back().pop_back();
  }
  if (out != nullptr) pclose(out);
  return all;
}

// Either process may be told an assertion as the trap that it ends in (tests/support/two_device_faults.h).
void name_alike(std::vector<std::string>& results, const std::string& arguments) {
  if (arguments.starts_with("assert"))
    std::ranges::replace(results, std::string(name(CallResult::launch_failure)),
                         std::string(name(CallResult::device_assert)));
}

void expect_as_plain_calls(const std::string& text, const std::string& arguments) {
  const auto run = remote::run_alone(request(text), {}, {}, kEngine);
  ASSERT_TRUE(run) << run.error().message;
  std::vector<std::string> ours = results_of(run->trace);
  std::vector<std::string> plain = by_plain_calls(arguments);
  ASSERT_FALSE(plain.empty());
  name_alike(ours, arguments);
  name_alike(plain, arguments);
  ASSERT_GE(ours.size(), plain.size()) << "the waits at the end of a program are its own";
  const program::Program program = tests::program_of(text);
  for (std::size_t i = 0; i < plain.size(); ++i)
    EXPECT_EQ(ours[i], plain[i]) << program::describe(program, static_cast<OperationIndex>(i));
}

class Faults : public Gpu, public testing::WithParamInterface<std::size_t> {
 protected:
  static const tests::KindOfFault& fault() { return kKindsOfFaults[GetParam()]; }
  static std::string kind() { return std::string(fault().word); }
};
std::string kind_of(const testing::TestParamInfo<std::size_t>& info) { return kKindsOfFaults[info.param].name; }

TEST_P(Faults, ReturnWhatPlainCallsReturn) {
  expect_as_plain_calls(
      "buffer x 1MiB\nstream A nonblocking\nstream B nonblocking\nA: record e\nhost: sync A\nB: spin "
      "2ms\nA: spin 200us\nA: h2d x\nA: fault " +
          kind() + R"(
A: spin 100us
A: record e
host: lasterror peek
host: sync A
host: lasterror peek
host: lasterror
host: lasterror
host: query A
host: query e
host: sync B
host: query B
host: sync e
host: sync device
host: elapsed e e
host: lasterror
B: h2d x
B: d2h x
B: memset x 0
B: spin 10us
host: lasterror
B: fault launch-config
host: lasterror
host: memcpy h2d x
host: memset x 0
host: malloc t 1MiB
host: malloc-host h 1MiB
host: create-stream C
host: create-event f
B: record e
B: wait e
B: hostfn 10us
host: sync device
host: lasterror
host: reset
host: lasterror
host: create-stream D
host: malloc u 1MiB
default: spin 1us
host: sync device
host: lasterror
host: lasterror
)",
      kind());
}

// Rule 21 on several devices: the error is the process's.
TEST_P(Faults, OnOneOfTwoDevicesReturnWhatPlainCallsReturn) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 2) GTEST_SKIP() << "skipped: no second GPU";
  expect_as_plain_calls(
      "buffer y 1MiB device=1\nstream A nonblocking\nstream C device=1 nonblocking\nhost: device 1\nC: "
      "spin 5ms\nhost: device 0\nA: fault " +
          kind() +
          "\nhost: sync A\nhost: device 1\nhost: sync C\nC: h2d y\nC: spin 1us\nhost: sync "
          "device\nhost: lasterror\nhost: lasterror\n",
      kind() + " two");
}

// Rule 21. The host works on until they have been called. Whether they are behind an assertion is a matter of time.
TEST_P(Faults, AreTheStatusThatCallbacksAreGiven) {
  const auto run = remote::run_alone(request("stream A nonblocking\nA: spin 50us\nA: fault " + kind() +
                                             "\nA: callback 20us\nhost: sync A\nhost: work 20ms\n"),
                                     {}, {}, kEngine);
  ASSERT_TRUE(run) << run.error().message;
  const trace::Span& callback = run->trace.spans.at(2);
  EXPECT_TRUE(known(callback.start) || fault().error == CallResult::device_assert);
  const CallResult error = tests::error_of(fault(), callback.result);
  EXPECT_EQ(callback.result, known(callback.start) && fault().sticks ? error : CallResult::success);
}

// In one engine, as the window has it, each behind a run that must not suffer.
TEST_P(Faults, FiftyInARowLeaveEngineAndGpu) {
  constexpr std::size_t kTimes = 50;
  const std::string fails = "stream A nonblocking\nA: spin 50us\nA: fault " + kind() + "\nA: spin 50us\nhost: sync A\n";
  const std::string works = "buffer x 1MiB\nstream A nonblocking\nA: h2d x\nA: axpb x fma=8\nA: d2h x\n";
  std::vector<remote::message::StartRun> all;
  for (std::size_t i = 0; i < kTimes; ++i) {
    all.push_back(request(fails, 2 * i + 1));
    all.push_back(request(works, 2 * i + 2));
  }
  const auto began = std::chrono::steady_clock::now();
  const auto runs = remote::run_in_own_process(all, {}, kEngine);
  ASSERT_TRUE(runs) << runs.error().message;
  ASSERT_EQ(runs->size(), 2 * kTimes) << "none is lost";
  const bool stick = fault().sticks;
  for (std::size_t i = 0; i < kTimes; ++i) {
    const trace::Run &failed = (*runs)[2 * i], &fine = (*runs)[2 * i + 1];
    ASSERT_EQ(failed.trace.spans.size(), 5u) << i;
    const std::vector<trace::Span>& spans = failed.trace.spans;
    const CallResult error = tests::error_of(fault(), spans[4].result);
    EXPECT_EQ(spans[0].source, trace::Source::stamp) << i;
    EXPECT_NEAR(static_cast<double>(spans[0].end - spans[0].start), 50'000, 5'000) << i;
    EXPECT_EQ(spans[1].result, stick ? CallResult::success : error) << i;
    EXPECT_EQ(known(spans[1].start), stick) << i;
    EXPECT_EQ(known(spans[2].start), !stick) << i;
    EXPECT_EQ(spans[3].result, stick ? error : CallResult::success) << i;
    EXPECT_EQ(spans[4].result, stick ? error : CallResult::success) << i;
    EXPECT_EQ(fine.verified, true) << i;
    for (const trace::Span& span : fine.trace.spans) EXPECT_EQ(span.result, CallResult::success) << i;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  std::printf("%s: %zu faults and as many runs between them in %.1f s\n", kind().c_str(), kTimes, took.count());
}

INSTANTIATE_TEST_SUITE_P(Each, Faults, testing::Range<std::size_t>(0, 4), kind_of);

}  // namespace
}  // namespace streamscope::cuda
