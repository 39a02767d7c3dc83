#include "engine/trace/device_facts.h"

#include <gtest/gtest.h>

#include "engine/trace/trace.h"

namespace streamscope::trace {
namespace {

TEST(UsualHandOver, TheMostSpecificEntryCounts) {
  DeviceFacts facts;
  facts.hand_overs = {{WaitReason::stream, Engine::compute, Engine::d2h, 4},
                      {WaitReason::stream, Engine::none, Engine::none, 1},
                      {WaitReason::stream, Engine::compute, Engine::none, 2},
                      {WaitReason::stream, Engine::none, Engine::d2h, 3},
                      {WaitReason::none, Engine::none, Engine::none, 9}};
  const auto usual = [&](Engine from, Engine to) { return usual_hand_over(facts, WaitReason::stream, from, to); };
  EXPECT_EQ(usual(Engine::compute, Engine::d2h), 4);
  EXPECT_EQ(usual(Engine::h2d, Engine::d2h), 3) << "the operation's own engine counts for more";
  EXPECT_EQ(usual(Engine::compute, Engine::h2d), 2);
  EXPECT_EQ(usual(Engine::h2d, Engine::h2d), 1);
  EXPECT_EQ(usual(Engine::none, Engine::none), 1) << "a record or a wait is on no engine";
  EXPECT_EQ(usual(Engine::compute, Engine::none), 2);
}

TEST(UsualHandOver, NothingWaitedForIsNoOtherReason) {
  DeviceFacts facts;
  facts.hand_overs = {{WaitReason::none, Engine::none, Engine::none, 9}};
  EXPECT_EQ(usual_hand_over(facts, WaitReason::none, Engine::none, Engine::h2d), 9);
  EXPECT_EQ(usual_hand_over(facts, WaitReason::event, Engine::none, Engine::h2d), kAbsent);
}

TEST(LaunchOf, IsThatOfItsLineNameAndBytes) {
  Trace trace;
  trace.launches = {{.line = 3, .name = 0, .bytes = 64, .blocks = 1},
                    {.line = 3, .name = 0, .bytes = 128, .blocks = 2},
                    {.line = 3, .name = 1, .bytes = 64, .blocks = 3},
                    {.line = 7, .name = 0, .bytes = 64, .blocks = 4}};
  Span span;
  span.kind = OperationKind::kernel;
  span.line = 3;
  span.name = 1;
  span.bytes = 64;
  ASSERT_NE(launch_of(trace, span), nullptr);
  EXPECT_EQ(launch_of(trace, span)->blocks, 3u);
  span.bytes = 128;
  EXPECT_EQ(launch_of(trace, span), nullptr);
  span.name = 0;
  EXPECT_EQ(launch_of(trace, span)->blocks, 2u);
  span.kind = OperationKind::h2d;
  EXPECT_EQ(launch_of(trace, span), nullptr) << "no kernel";
}

}  // namespace
}  // namespace streamscope::trace
