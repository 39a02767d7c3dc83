// Which programs a gate can hold, and where it opens.
#include "engine/device/gate.h"

#include <gmock/gmock.h>

#include <string>
#include <string_view>

#include "tests/support/program_of.h"

namespace streamscope::device {
namespace {

using ::testing::HasSubstr;

Result<OperationIndex> opens(const std::string& text) { return gate_opens_before(tests::program_of(text)); }

TEST(GateOpens, BeforeTheImpliedSynchronisationAtTheEnd) {
  const auto at = opens("buffer x 2MiB\nstreams S 2\nS0: h2d x[0:1MiB]\nS1: h2d x[1MiB:1MiB]\n");
  ASSERT_TRUE(at) << at.error().message;
  EXPECT_EQ(*at, 2u);
}

TEST(GateOpens, BeforeTheFirstOfTheWaitsThatEndTheProgram) {
  const auto at = opens("buffer x 1MiB\nstream A\nA: h2d x\nhost: work 5us\nhost: sync A\nhost: sync device\n");
  ASSERT_TRUE(at) << at.error().message;
  EXPECT_EQ(*at, 2u) << "host work holds nothing, but by then all is queued";
}

TEST(GateOpens, HostFunctionsAndEventsAreHeldLikeAllElse) {
  EXPECT_TRUE(opens("streams S 2\nevent e\nS0: hostfn 10us\nS0: record e\nS1: wait e\nS1: spin 5us\n"));
}

struct Refused {
  std::string_view text, why;
  int line;
};
class GateRefuses : public ::testing::TestWithParam<Refused> {};

TEST_P(GateRefuses, WithTheLineAndTheReason) {
  const auto at = opens(std::string(GetParam().text));
  ASSERT_FALSE(at);
  EXPECT_EQ(at.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(at.error().message, HasSubstr(std::string(GetParam().why)));
  EXPECT_THAT(at.error().message, HasSubstr("line " + std::to_string(GetParam().line)));
  EXPECT_THAT(at.error().message, HasSubstr("leave the gate out"));
}

INSTANTIATE_TEST_SUITE_P(
    WhatNeedsTheHost, GateRefuses,
    ::testing::Values(Refused{"buffer x 1MiB\nstream A\nA: h2d x\nhost: sync A\nA: d2h x\n", "waits here", 4},
                      Refused{"buffer x 1MiB\nstream A\nA: h2d x\nhost: poll A every=1us\nA: d2h x\n", "asks here", 4},
                      Refused{"buffer x 1MiB host=pageable\nstream A\nA: h2d x\nA: spin 1us\n", "staging buffer", 3},
                      Refused{"buffer x 1MiB\nstream A\nhost: memcpy h2d x\nA: spin 1us\n", "cudaMemcpy", 3},
                      Refused{"stream A\nhost: malloc t 1MiB\nA: memset t 0\nhost: free t\nA: spin 1us\n", "cudaFree",
                              4},
                      Refused{"thread T {\nper-thread: spin 1us\n}\nhost: join T\n", "two host threads", 1}),
    [](const auto& each) { return "Line" + std::to_string(each.param.line) + "No" + std::to_string(each.index); });

TEST(GateOpens, LaunchesAndAllocationInAStreamAreHeld) {
  const auto at = opens(
      "stream A\ngraph G on A {\nA: spin 1us\nA: spin 1us\n}\nA: malloc t 1MiB\nA: memset t 0\nA: launch G\nA: free t\n"
      "A: launch G\n");
  ASSERT_TRUE(at) << at.error().message;
  EXPECT_EQ(*at, 9u);
  // A launch takes room for its nodes too: 250 of four entries fill a queue of 1000.
  const auto of = [](int count) {
    return opens("stream A\ngraph G on A {\nA: spin 1us\nA: spin 1us\n}\nrepeat " + std::to_string(count) +
                 " {\n  A: launch G\n}\n");
  };
  EXPECT_TRUE(of(250));
  EXPECT_FALSE(of(251));
}

TEST(GateOpens, NoMoreIsHeldThanAStreamsQueueTakes) {
  const auto of = [](int count) {
    return opens("stream A\nrepeat " + std::to_string(count) + " as i {\n  A: spin 1us\n}\n");
  };
  EXPECT_TRUE(of(500));
  const auto refused = of(501);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("500 operations in a stream"));
  EXPECT_TRUE(opens("streams S 2\nrepeat 1000 as i {\n  S{i%2}: spin 1us\n}\n"))
      << "each stream has a queue of its own";
}

}  // namespace
}  // namespace streamscope::device
