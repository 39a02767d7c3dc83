#include "app/session/run_assembly.h"

#include <gmock/gmock.h>

#include "tests/support/remote_samples.h"

namespace streamscope::session {
namespace {

trace::Trace tables() {
  trace::Trace trace;
  trace.streams = {{"default"}, {"per-thread"}};
  trace.threads = {"main"};
  trace.names = {"H2D", "D2H"};
  return trace;
}

TEST(RunAssembly, KeepsTheOrderOfTheBatches) {
  RunAssembly assembly;
  trace::Span first, second, third;
  first.operation = 0;
  second.operation = 1;
  second.name = 1;
  third.operation = 2;
  third.waits_for = 1;
  ASSERT_TRUE(assembly.add({first, second}));
  ASSERT_TRUE(assembly.add({third}));
  remote::message::Done done;
  done.spans = 3;
  done.run.trace = tables();
  const auto run = assembly.finish(done);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_THAT((*run)->trace.spans, testing::ElementsAre(first, second, third));
}

TEST(RunAssembly, WhatBlocksRecordedMustHoldTogether) {
  const auto finished = [](const auto& change) {
    RunAssembly assembly;
    trace::Span span;
    span.operation = 0;
    EXPECT_TRUE(assembly.add({span}));
    remote::message::Done done;
    done.spans = 1;
    done.run.trace = tables();
    done.run.trace.kernels.emplace_back().operation = 0;
    done.run.trace.stages = {
        1, {{.operation = 0, .places = 2, .tiles = 1, .begin = 1, .end = 9, .stages = {{0, 1, 2, 3, 4}}}}};
    change(done.run.trace, done.run.trace.stages.blocks[0]);
    return assembly.finish(done).has_value();
  };
  EXPECT_TRUE(finished([](trace::Trace&, trace::StageBlock&) {}));
  EXPECT_FALSE(finished([](trace::Trace& trace, trace::StageBlock&) { trace.kernels[0].operation = 1; }));
  EXPECT_FALSE(finished([](trace::Trace&, trace::StageBlock& block) { block.operation = 1; }));
  EXPECT_FALSE(finished([](trace::Trace&, trace::StageBlock& block) { block.places = 0; }));
  EXPECT_FALSE(finished([](trace::Trace&, trace::StageBlock& block) { block.places = 4'000'000'000u; }));
  EXPECT_FALSE(finished([](trace::Trace&, trace::StageBlock& block) { block.tiles = 0; }));
  EXPECT_FALSE(finished([](trace::Trace&, trace::StageBlock& block) { block.end = kAbsent; }));
  EXPECT_FALSE(finished([](trace::Trace&, trace::StageBlock& block) { block.stages[0].tile = 1; }));
  EXPECT_FALSE(finished([](trace::Trace&, trace::StageBlock& block) { block.stages[0].wait_over = kAbsent; }));
  EXPECT_FALSE(
      finished([](trace::Trace&, trace::StageBlock& block) { block.stages[0].load_issued = Nanoseconds{1} << 62; }));
}

TEST(RunAssembly, APredictionMustBeOfTheSameOperations) {
  const auto finished = [](std::vector<trace::Span> predicted, std::uint64_t promised, bool with_prediction = true) {
    RunAssembly assembly;
    trace::Span first, second;
    first.operation = 0;
    second.operation = 1;
    EXPECT_TRUE(assembly.add({first, second}));
    EXPECT_TRUE(assembly.add(std::move(predicted), true));
    remote::message::Done done;
    done.spans = 2;
    done.predicted = promised;
    done.run.trace = tables();
    if (with_prediction) done.run.prediction.emplace().trace = tables();
    return assembly.finish(done);
  };
  trace::Span first, second;
  first.operation = 0;
  second.operation = 1;
  const auto run = finished({first, second}, 2);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_THAT((*run)->prediction->trace.spans, testing::ElementsAre(first, second));
  EXPECT_FALSE(finished({first}, 1));
  EXPECT_FALSE(finished({second, first}, 2));
  EXPECT_FALSE(finished({first, second}, 3));
  EXPECT_FALSE(finished({first, second}, 2, false));
  second.name = 2;  // there are two names
  EXPECT_FALSE(finished({first, second}, 2));
}

TEST(RunAssembly, ARunWithoutSpansIsFine) {
  RunAssembly assembly;
  EXPECT_TRUE(assembly.finish(remote::message::Done{}));
}

TEST(RunAssembly, AnAbsentTimeIsFineAndAFarOneIsNot) {
  RunAssembly assembly;
  trace::Span span;
  EXPECT_TRUE(assembly.add({span}));
  for (Nanoseconds trace::Span::*time : {&trace::Span::host_begin, &trace::Span::host_end, &trace::Span::ready,
                                         &trace::Span::start, &trace::Span::end}) {
    for (const Nanoseconds far : {kFarthest + 1, -kFarthest - 1}) {
      trace::Span bad;
      bad.*time = far;
      EXPECT_FALSE(assembly.add({bad}));
    }
  }
}

// Whatever an engine sends: what is accepted can be indexed. (Random spans are nearly never acceptable; here they are
// made so that each reference is wrong in about one of eight.)
TEST(RunAssembly, WhatIsAcceptedRefersToWhatIsThere) {
  samples::Random random(3);
  int accepted = 0, refused = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    RunAssembly assembly;
    std::vector<trace::Span> spans(1 + random.below(2));
    const auto index = [&](std::size_t count) {
      return random.below(8) == 0 ? random.any<std::uint32_t>() : static_cast<std::uint32_t>(random.below(count));
    };
    for (trace::Span& span : spans) {
      span.operation = index(spans.size());
      span.name = index(2);
      span.stream = index(2);
      span.thread = index(1);
      span.waits_for = index(spans.size());
    }
    ASSERT_TRUE(assembly.add(spans));
    remote::message::Done done;
    done.spans = spans.size();
    done.run.trace = tables();
    const auto run = assembly.finish(done);
    ++(run ? accepted : refused);
    if (!run) continue;
    for (const trace::Span& span : (*run)->trace.spans) {
      EXPECT_LT(span.operation, spans.size());
      EXPECT_LT(span.name, 2u);
      EXPECT_TRUE(span.stream < 2 || span.stream == trace::Span::kNoStream);
      EXPECT_EQ(span.thread, 0u);
      EXPECT_TRUE(span.waits_for < spans.size() || span.waits_for == kNoOperation);
    }
  }
  EXPECT_GT(accepted, 500);
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace streamscope::session
