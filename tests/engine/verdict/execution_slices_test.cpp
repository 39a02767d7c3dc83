// What slowed an operation, on programs small enough to say so by hand.
#include "engine/verdict/execution_slices.h"

#include "tests/engine/verdict/judged.h"

namespace streamscope::verdict {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

std::vector<ExecutionPart> parts_of(const Judged& run, OperationIndex i) {
  return execution_parts(judge(run.trace, &run.program), i);
}

Nanoseconds sum(const std::vector<ExecutionPart>& parts) {
  Nanoseconds out = 0;
  for (const ExecutionPart& part : parts) out += part.time;
  return out;
}

TEST(ExecutionParts, WhatRunsByItselfTakesWhatItTakesAlone) {
  const auto run = judged("buffer x 64MiB\nstream A\nA: h2d x\n");
  EXPECT_THAT(parts_of(*run, 0), ElementsAre(IsCause(SlowCause::alone)));
}

// One line copies twice: once alone, once beside a copy the other way.
TEST(ExecutionParts, CopiesOfBothDirectionsSlowEachOtherOnTheBus) {
  const auto run = judged(
      "buffer x 64MiB\nbuffer y 256MiB\nstream A\nstream B\nrepeat 2 {\nA: h2d x\nhost: sync device\nB: d2h "
      "y\n}\nhost: sync device\n");
  // h2d alone, d2h beside the second h2d: with a synchronisation before it the second is beside the first d2h.
  OperationIndex second = kNoOperation, out = kNoOperation;
  for (OperationIndex i = 0; i < run->history->size(); ++i) {
    if (run->history->span(i).kind == OperationKind::h2d) second = i;
    if (run->history->span(i).kind == OperationKind::d2h && out == kNoOperation) out = i;
  }
  ASSERT_NE(out, kNoOperation);
  const std::vector<ExecutionPart> parts = parts_of(*run, second);
  EXPECT_THAT(parts, Contains(HeldBy(SlowCause::bus, out)));
  EXPECT_EQ(sum(parts), run->trace.spans[second].end - run->trace.spans[second].start);
}

TEST(ExecutionParts, ManagedPagesThatMoveSlowTheKernelThatTouchesThemFirst) {
  const auto run = judged("buffer x 64MiB host=managed\nstream A\nrepeat 2 {\nA: axpb x fma=1\nhost: sync device\n}\n");
  EXPECT_THAT(parts_of(*run, 0), Contains(IsCause(SlowCause::migration)));
}

// A pipeline of which the first copies in and the last ones out are alone.
TEST(ExecutionParts, SumToTheDuration) {
  const auto run = judged(
      "buffer x 256MiB\nstreams S 4 nonblocking\nrepeat 16 as i {\n  S{i%4}: h2d x[{i*16}MiB:16MiB]\n"
      "  S{i%4}: axpb x[{i*16}MiB:16MiB] fma=64\n  S{i%4}: d2h x[{i*16}MiB:16MiB]\n}\n");
  const Judgement judgement = judge(run->trace, &run->program);
  std::size_t slowed = 0;
  for (OperationIndex i = 0; i < run->history->size(); ++i) {
    const std::vector<ExecutionPart> parts = execution_parts(judgement, i);
    if (parts.empty()) continue;
    const trace::Span& span = run->history->span(i);
    EXPECT_EQ(sum(parts), span.end - span.start) << "operation " << i;
    slowed += parts.size() > 1 ? 1 : 0;
  }
  EXPECT_GE(slowed, 8u);
}

}  // namespace
}  // namespace streamscope::verdict
