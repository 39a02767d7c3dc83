// What follows for the nodes of graphs, of which copies leave nothing to be seen, and for several host threads.
#include <gtest/gtest.h>

#include <string_view>

#include "engine/device/device.h"
#include "engine/device/life.h"
#include "engine/device/settled.h"
#include "engine/program/text.h"

namespace streamscope {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

// 1 MiB takes 11 us over the bus.
Circumstances circumstances() {
  Circumstances known;
  known.dispatch.after_dependency = 1'000;
  known.dispatch.after_copy = 500;
  known.dispatch.h2d = known.dispatch.d2h = known.dispatch.on_device = {1'000, 10'000.0 / kMiB, 10'000.0 / kMiB};
  return known;
}

struct Look {
  explicit Look(std::string_view text) {
    auto read = read_program(text, "test");
    EXPECT_TRUE(read) << read.error().message;
    if (read) program = std::move(read->program);
    seen.resize(program.operations.size());
  }
  // As an instrument notes it: nodes have the call of their launch.
  Look& call(std::size_t i, Nanoseconds begin, Nanoseconds end) {
    for (std::size_t k = i; k < seen.size(); ++k) {
      if (k != i && program.operations[k].launch != i) break;
      seen[k].host_begin = begin;
      seen[k].host_end = end;
    }
    return *this;
  }
  Look& event(std::size_t i, Nanoseconds end, std::uint32_t uncertainty = 0) {
    seen.at(i).end = end;
    seen.at(i).source = Source::event;
    seen.at(i).uncertainty = uncertainty;
    return *this;
  }
  Look& stamps(std::size_t i, Nanoseconds start, Nanoseconds end) {
    seen.at(i).start = start;
    seen.at(i).end = end;
    seen.at(i).source = Source::stamp;
    return *this;
  }
  std::vector<Span> spans() const {
    std::vector<Nanoseconds> begins;
    for (const Observed& one : seen) begins.push_back(one.host_begin);
    const auto order = issue_order(program, begins);
    std::vector<Span> result = blank_spans(program, frame_of(program, {}));
    reconstruct(program, Dependencies(program, order), seen, result, circumstances(), order);
    return result;
  }
  Program program;
  std::vector<Observed> seen;
};

constexpr std::string_view kChain =
    "buffer x 1MiB\nstream A\ngraph G on A {\nA: h2d x\nA: axpb x fma=1\nA: d2h x\n}\nA: launch G\n";

TEST(GraphNodes, ACopyEndsWhereTheKernelThatWaitedForItBegan) {
  Look look(kChain);
  look.call(0, 0, 2'000).event(0, 36'000, 100).stamps(2, 15'000, 24'000).call(4, 3'000, 37'000);
  const auto spans = look.spans();
  // The launch itself takes no time.
  EXPECT_EQ(spans[0].end, spans[0].start);
  EXPECT_EQ(spans[0].start, 2'000);
  EXPECT_EQ(spans[1].end, 14'000);
  EXPECT_EQ(spans[1].source, Source::inferred);
  // Between the bytes' time from the launch on and the kernel's begin.
  EXPECT_GE(spans[1].end + spans[1].uncertainty, 15'000);
  EXPECT_LE(spans[1].end - spans[1].uncertainty, 2'000 + 11'000);
  EXPECT_EQ(spans[2].ready, 14'000);
  EXPECT_EQ(spans[2].reason, WaitReason::graph);
  EXPECT_EQ(spans[2].waits_for, 1u);
  // The last node ends with its launch, as the event tells.
  EXPECT_EQ(spans[3].ready, 24'000);
  EXPECT_EQ(spans[3].end, 36'000);
  EXPECT_EQ(spans[3].source, Source::event);
  EXPECT_EQ(spans[3].uncertainty, 100u);
}

TEST(GraphNodes, CopiesThatNothingTellsApartTakeTurns) {
  Look look(
      "buffer x 2MiB\nstreams S 2\ngraph G on S0 {\nS0: record f\nS1: wait f\nS0: h2d x[0:1MiB]\nS1: h2d x[1MiB:1MiB]\n"
      "S1: record j\nS0: wait j\n}\nS0: launch G\n");
  look.call(0, 0, 2'000).event(0, 30'000, 100).call(3, 3'000, 31'000);
  const auto spans = look.spans();
  EXPECT_EQ(spans[1].end, 2'000 + 1'000 + 11'000);
  EXPECT_EQ(spans[1].source, Source::inferred);
  EXPECT_GE(spans[1].uncertainty, 30'000u - 14'000u) << "all that is known: it ended before the launch did";
  EXPECT_EQ(spans[2].end, 30'000);
  EXPECT_GE(spans[2].start, spans[1].end);
  EXPECT_EQ(spans[2].waits_for, 1u);
}

// A node that began before the launch's call came back sets its launch, and what comes before it, right.
TEST(GraphNodes, WhatWasSeenIsStrongerThanTheCall) {
  Look look(kChain);
  look.call(0, 0, 20'000).event(0, 36'000, 100).stamps(2, 15'000, 24'000).call(4, 21'000, 37'000);
  const auto spans = look.spans();
  EXPECT_LE(spans[0].start, spans[1].start);
  EXPECT_LE(spans[1].ready, spans[1].start);
  EXPECT_LE(spans[1].end, 15'000);
  EXPECT_LT(spans[1].start, spans[1].end);
}

TEST(GraphNodes, NothingIsSaidOfALaunchThatHasNotEnded) {
  Look look(kChain);
  look.seen[0].host_begin = 0;
  look.seen[0].host_end = 2'000;
  const auto spans = look.spans();
  for (const std::size_t i : {1, 2, 3}) EXPECT_FALSE(known(spans[i].end)) << i;
  const auto final = settled(look.program, Dependencies(look.program), spans, 4, 1'000'000'000);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_FALSE(final[i]) << i;
}

// The thread's operations stand before the rest of main's, but here the wait was issued after main's record.
TEST(HostThreads, WhatComesAfterWhatFollowsFromTheRealOrder) {
  Look look(
      "streams S 2 nonblocking\nevent e\nthread T {\nhost: work 1us\nS1: wait e\nS1: spin 1us\n}\nS0: spin 50us\nS0: "
      "record e\n"
      "host: join T\n");
  // 0 thread, 1 work, 2 wait, 3 spin in S1, 4 spin in S0, 5 record, 6 join, 7 the end
  look.call(0, 0, 100).call(4, 1'000, 2'000).stamps(4, 4'000, 54'000).call(5, 2'000, 3'000);
  look.call(1, 500, 9'000).call(2, 10'000, 11'000).call(3, 11'000, 12'000).stamps(3, 55'000, 56'000);
  look.call(6, 3'000, 13'000).call(7, 13'000, 57'000);
  const auto spans = look.spans();
  EXPECT_EQ(spans[2].end, 54'000);
  EXPECT_EQ(spans[3].ready, 54'000);
  EXPECT_EQ(spans[3].reason, WaitReason::event);
  EXPECT_EQ(spans[3].waits_for, 4u);
  EXPECT_EQ(spans[3].start, 55'000);
}

}  // namespace
}  // namespace streamscope
