// A fault on one of two devices, again and again in one engine: what the failing run must say of both devices, and that
// both work right behind it. The same for a model and for GPUs.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/remote/own_process.h"
#include "engine/trace/sticky_error.h"

namespace streamscope::tests {

struct KindOfFault {
  std::string_view word;
  const char* name;
  CallResult error;
  bool sticks;
};
inline constexpr std::array<KindOfFault, 4> kKindsOfFaults{{
    {"illegal-address", "IllegalAddress", CallResult::illegal_address, true},
    {"assert", "Assert", CallResult::device_assert, true},
    {"trap", "Trap", CallResult::launch_failure, true},
    {"launch-config", "LaunchConfig", CallResult::invalid_value, false},
}};

// The error of such a fault where calls returned `told`: an assertion ends in a trap, and CUDA may tell it as one (once
// in 150 on an H200, by all calls of that run).
inline CallResult error_of(const KindOfFault& fault, CallResult told) {
  const bool as_trap = fault.error == CallResult::device_assert && told == CallResult::launch_failure;
  return as_trap ? told : fault.error;
}

struct FaultOfTwo {
  std::size_t kind = 0;
  int device = 0;
  const KindOfFault& is() const { return kKindsOfFaults[kind]; }
};
inline std::string name_of(const testing::TestParamInfo<FaultOfTwo>& info) {
  return info.param.is().name + std::string("OnDevice") + std::to_string(info.param.device);
}
inline std::vector<FaultOfTwo> all_faults_of_two() {
  std::vector<FaultOfTwo> all;
  for (std::size_t kind = 0; kind < kKindsOfFaults.size(); ++kind)
    for (const int device : {1, 0}) all.push_back({kind, device});
  return all;
}

// A is of the device that fails, B of the other, which has been at work before and is at work when it happens.
inline std::string failing_program(const FaultOfTwo& fault) {
  const std::string other = std::to_string(1 - fault.device);
  return "stream A device=" + std::to_string(fault.device) + " nonblocking\nstream B device=" + other +
         " nonblocking\nB: spin 50us\nhost: sync B\nB: spin 2ms\nA: spin 50us\nA: fault " +
         std::string(fault.is().word) + "\nA: spin 50us\nhost: sync A\nhost: sync B\nB: spin 50us\nhost: device " +
         other + "\nhost: sync device\nhost: lasterror\nhost: lasterror\n";
}
// Both devices, and copies between them.
inline constexpr std::string_view kWorkingProgram = R"(
buffer x 1MiB device=0,1
stream A nonblocking
stream B device=1 nonblocking
A: h2d x
A: axpb x fma=8
A: record there
B: wait there
B: peer x@1 x@0
B: axpb x fma=8
B: d2h x
)";

inline remote::message::StartRun request(const std::string& device, std::string program, std::uint64_t id) {
  remote::message::StartRun one;
  one.id = id;
  one.device = device;
  one.program = std::move(program);
  one.options.observer_effect = one.options.serial = false;
  return one;
}

// So many failing runs in one engine, a working one behind each.
inline std::vector<remote::message::StartRun> faults_and_work(const std::string& device, const FaultOfTwo& fault,
                                                              std::size_t times) {
  std::vector<remote::message::StartRun> all;
  for (std::size_t i = 0; i < times; ++i) {
    all.push_back(request(device, failing_program(fault), 2 * i + 1));
    all.push_back(request(device, std::string(kWorkingProgram), 2 * i + 2));
  }
  return all;
}

// What each call of the failing program says, on both devices, and what is still known of what ran before.
inline void expect_failed(const trace::Run& run, const FaultOfTwo& fault) {
  const std::vector<trace::Span>& spans = run.trace.spans;
  ASSERT_GE(spans.size(), 13u) << "nothing is lost";
  const bool sticks = fault.is().sticks;
  const CallResult error = error_of(fault.is(), spans[6].result);
  const CallResult later = sticks ? error : CallResult::success;
  for (const std::size_t fine : {0, 1, 2, 3, 5, 9}) EXPECT_EQ(spans[fine].result, CallResult::success) << fine;
  EXPECT_EQ(spans[4].result, sticks ? CallResult::success : error);
  for (const std::size_t told : {6, 7, 8, 10}) EXPECT_EQ(spans[told].result, later) << told;
  EXPECT_EQ(spans[11].result, error) << "the last error";
  EXPECT_EQ(spans[12].result, CallResult::success) << "is forgotten by asking";
  for (std::size_t i = 0; i < spans.size(); ++i) EXPECT_TRUE(known(spans[i].host_end)) << i;
  for (const std::size_t before : {0, 3}) {
    EXPECT_TRUE(known(spans[before].start) && known(spans[before].end)) << before;
    EXPECT_EQ(spans[before].device, before == 0 ? 1 - fault.device : fault.device);
  }
  EXPECT_EQ(known(spans[4].start), sticks);
  EXPECT_EQ(spans[4].device, fault.device);
  EXPECT_EQ(known(spans[5].start), !sticks) << "behind it in its stream";
  EXPECT_EQ(known(spans[8].start), !sticks) << "on the other device";
  const auto left = trace::sticky_error(run.trace);
  ASSERT_EQ(left.has_value(), sticks);
  if (!sticks) return;
  EXPECT_EQ(left->error, error);
  EXPECT_EQ(left->fault, 4u) << "it is told as that kernel's";
}

// `measured`: a model moves no data.
inline void expect_worked(const trace::Run& run, bool measured) {
  if (measured) {
    EXPECT_EQ(run.verified, true) << testing::PrintToString(trace::texts(run.notes));
  }
  ASSERT_GE(run.trace.spans.size(), 7u);
  for (const trace::Span& span : run.trace.spans) EXPECT_EQ(span.result, CallResult::success);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_TRUE(known(run.trace.spans[i].end)) << i;
  EXPECT_FALSE(trace::sticky_error(run.trace));
}

}  // namespace streamscope::tests
