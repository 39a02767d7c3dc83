// Merged readings become one trace; contradictions within the noise are set right, larger ones are reported.
#include "engine/measure/merge.h"

#include <gmock/gmock.h>

#include "engine/device/blank_trace.h"
#include "tests/support/program_of.h"

namespace streamscope::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A program whose operations are seen as the test says. Each reading comes from five passes: one `spread` early, one
// late, and three in the middle, so that the median is the reading and half the quartiles' distance is 0; with `noisy`
// two are early and two late, and it is the spread.
class Passes {
 public:
  explicit Passes(std::string_view text) {
    program = tests::program_of(text);
    passes.assign(5, std::vector<device::Observed>(program.operations.size()));
  }

  Passes& call(std::size_t i, Nanoseconds begin, Nanoseconds end) {
    for (auto& pass : passes) pass.at(i).host_begin = begin, pass.at(i).host_end = end;
    return *this;
  }
  Passes& event(std::size_t i, Nanoseconds end, Nanoseconds spread = 0, std::uint32_t uncertainty = 0) {
    return put(i, kAbsent, end, trace::Source::event, spread, uncertainty);
  }
  Passes& stamps(std::size_t i, Nanoseconds start, Nanoseconds end, Nanoseconds spread = 0) {
    return put(i, start, end, trace::Source::stamp, spread, 0);
  }
  Passes& copy(std::size_t i, Nanoseconds start, Nanoseconds end, Nanoseconds spread = 0) {
    return put(i, start, end, trace::Source::cupti, spread, 0);
  }
  Merged merged(std::uint32_t of = 1) const {
    Sampling sampling(program, passes.size());
    for (const auto& pass : passes) sampling.add(pass);
    return merge(program, program::Dependencies(program), device::frame_of(program, {}), sampling, of);
  }

  program::Program program;
  std::vector<std::vector<device::Observed>> passes;

 private:
  Passes& put(std::size_t i, Nanoseconds start, Nanoseconds end, trace::Source source, Nanoseconds spread,
              std::uint32_t uncertainty) {
    Nanoseconds off = -spread;
    for (std::size_t p = 0; p < passes.size(); ++p) {
      off = p < 2 ? -spread : p == 2 ? 0 : spread;
      device::Observed& seen = passes[p].at(i);
      seen.start = known(start) ? start + off : kAbsent;
      seen.end = end + off;
      seen.source = source;
      seen.uncertainty = uncertainty;
    }
    return *this;
  }
};

// Far from all stamps and near the begin, so that the begin is the anchor of every copy.
constexpr std::string_view kTwoCopies = "buffer x 2MiB\nstream A\nA: h2d x[0:1MiB]\nA: h2d x[1MiB:1MiB]\n";

TEST(Merge, WithoutContradictionsNothingMoves) {
  Passes passes(kTwoCopies);
  passes.call(0, 0, 1'000).event(0, 20'000, 500).call(1, 1'000, 2'000).event(1, 40'000, 700).call(2, 3'000, 41'000);
  const Merged merged = passes.merged();
  EXPECT_EQ(merged.spans[1].start, 20'000);
  EXPECT_EQ(merged.spans[1].end, 40'000);
  EXPECT_EQ(merged.spans[1].samples, 5u);
  EXPECT_EQ(merged.spans[1].spread, 700u);
  EXPECT_EQ(merged.mended, 0u);
  EXPECT_THAT(merged.contradictions, IsEmpty());
  EXPECT_THAT(merged.notes, IsEmpty());
}

TEST(Merge, AnEventThatSeemsLateMovesBackToTheKernelThatWaitedForIt) {
  Passes passes("buffer x 1MiB\nstream A\nA: h2d x\nA: spin 1us\n");
  passes.call(0, 0, 1'000).call(1, 1'000, 2'000).call(2, 2'000, 90'000);
  passes.event(0, 24'000, 5'000).stamps(1, 50'000, 60'000, 100);
  for (auto& pass : passes.passes) pass[1].start -= 28'000;  // at 22 us, before the copy's event
  const Merged merged = passes.merged();
  EXPECT_EQ(merged.spans[1].start, 22'000);
  EXPECT_EQ(merged.spans[0].end, 22'000);
  EXPECT_EQ(merged.mended, 1u);
  EXPECT_THAT(merged.contradictions, IsEmpty());
}

TEST(Merge, TheLessSureOfTwoMoves) {
  Passes first_unsure(kTwoCopies);
  first_unsure.call(0, 0, 1'000).call(1, 1'000, 2'000).call(2, 3'000, 91'000);
  first_unsure.event(0, 46'000, 5'000).event(1, 40'000, 2'000);
  const Merged back = first_unsure.merged();
  EXPECT_EQ(back.spans[0].end, 40'000);
  EXPECT_EQ(back.spans[1].end, 40'000);
  EXPECT_EQ(back.mended, 1u);

  Passes second_unsure(kTwoCopies);
  second_unsure.call(0, 0, 1'000).call(1, 1'000, 2'000).call(2, 3'000, 91'000);
  second_unsure.event(0, 46'000, 2'000).event(1, 40'000, 5'000);
  const Merged forward = second_unsure.merged();
  EXPECT_EQ(forward.spans[0].end, 46'000);
  EXPECT_EQ(forward.spans[1].end, 46'000);
  EXPECT_EQ(forward.mended, 1u);
  EXPECT_THAT(forward.contradictions, IsEmpty());
}

TEST(Merge, ThroughRecordsAndWaitsToo) {
  Passes passes(
      "buffer x 2MiB\nstreams S 2 nonblocking\nS0: h2d x[0:1MiB]\nS0: record e\nS1: wait e\nS1: h2d x[1MiB:1MiB]\n");
  for (std::size_t i = 0; i < 4; ++i)
    passes.call(i, static_cast<Nanoseconds>(i) * 1'000, static_cast<Nanoseconds>(i) * 1'000 + 900);
  passes.call(4, 5'000, 90'000).event(0, 42'000, 4'000).event(3, 40'000, 1'000);
  const Merged merged = passes.merged();
  EXPECT_EQ(merged.spans[0].end, 40'000);
  EXPECT_LE(merged.spans[1].end, 40'000);
  EXPECT_LE(merged.spans[2].end, 40'000);
  EXPECT_THAT(merged.contradictions, IsEmpty());
}

TEST(Merge, WhatTheHostHasWaitedForHadEnded) {
  Passes passes("buffer x 1MiB\nstream A\nA: d2h x\n");
  passes.call(0, 0, 1'000).event(0, 40'000, 3'000).call(1, 2'000, 38'000);
  const Merged merged = passes.merged();
  EXPECT_EQ(merged.spans[0].end, 38'000);
  EXPECT_EQ(merged.mended, 1u);
}

TEST(Merge, CopiesWithStartsOfTheirOwnTakeTurns) {
  Passes passes("buffer x 2MiB\nstreams S 2 nonblocking\nS0: h2d x[0:1MiB]\nS1: h2d x[1MiB:1MiB]\n");
  passes.call(0, 0, 1'000).call(1, 1'000, 2'000).call(2, 3'000, 91'000);
  passes.copy(0, 2'000, 22'000, 1'000).copy(1, 20'500, 42'000, 1'000);
  const Merged merged = passes.merged();
  EXPECT_EQ(merged.spans[1].start, 22'000);
  EXPECT_EQ(merged.spans[1].end, 42'000);
  EXPECT_EQ(merged.mended, 1u);
}

TEST(Merge, WhatNoiseDoesNotExplainStaysAndIsToldWithTheWorst) {
  Passes passes(
      "buffer x 4MiB\nstreams S 2 nonblocking\nS0: h2d x[0:1MiB]\nS0: d2h x[0:1MiB]\nS1: h2d x[2MiB:1MiB]\n"
      "S1: d2h x[2MiB:1MiB]\n");
  for (std::size_t i = 0; i < 4; ++i)
    passes.call(i, static_cast<Nanoseconds>(i) * 1'000, static_cast<Nanoseconds>(i) * 1'000 + 900);
  passes.call(4, 5'000, 200'000);
  passes.event(0, 50'000, 100).event(1, 40'000, 100).event(2, 90'000, 100).event(3, 60'000, 100);
  const Merged merged = passes.merged();
  EXPECT_EQ(merged.spans[0].end, 50'000) << "left as it was seen";
  using reconstruct::Contradiction;
  EXPECT_THAT(merged.contradictions, ElementsAre(Contradiction{0, 1, 3'800, Contradiction::Rule::order},
                                                 Contradiction{2, 3, 23'800, Contradiction::Rule::order}));
}

TEST(Merge, AHostWaitThatCannotHaveWaitedIsToldAsOne) {
  Passes passes("buffer x 1MiB\nstream A\nA: d2h x\n");
  passes.call(0, 0, 1'000).event(0, 90'000, 100).call(1, 2'000, 38'000);
  const Merged merged = passes.merged();
  EXPECT_EQ(merged.spans[0].end, 90'000);
  using reconstruct::Contradiction;
  EXPECT_THAT(merged.contradictions, ElementsAre(Contradiction{0, 1, 48'900, Contradiction::Rule::host_wait}));
}

TEST(Merge, AReadingOfOnePassIsNoSurerThanTheTypicalOne) {
  Passes passes(
      "buffer x 4MiB\nstream A\nA: h2d x[0:1MiB]\nA: h2d x[1MiB:1MiB]\nA: h2d x[2MiB:1MiB]\nA: h2d x[3MiB:1MiB]\n");
  for (std::size_t i = 0; i < 4; ++i)
    passes.call(i, static_cast<Nanoseconds>(i) * 1'000, static_cast<Nanoseconds>(i) * 1'000 + 900);
  passes.call(4, 5'000, 200'000);
  passes.event(0, 20'000, 6'000).event(1, 46'000, 6'000).event(2, 40'000, 0).event(3, 60'000, 6'000);
  for (std::size_t p = 1; p < 5; ++p) passes.passes[p][2].end = kAbsent;
  const Merged merged = passes.merged(5);
  EXPECT_EQ(merged.spans[2].samples, 1u);
  EXPECT_EQ(merged.spans[1].end, merged.spans[2].start) << "they meet";
  EXPECT_THAT(merged.contradictions, IsEmpty());
}

TEST(Merge, WhatWasNeverSeenIsCountedAndTheWayOutTold) {
  Passes passes("buffer x 1MiB\nstream A\nA: h2d x\nA: spin 1us\nA: d2h x\n");
  passes.call(0, 0, 1'000).call(1, 1'000, 2'000).call(2, 2'000, 3'000).call(3, 4'000, 99'000);
  passes.stamps(1, 30'000, 60'000);
  const Merged merged = passes.merged(16);
  EXPECT_FALSE(known(merged.spans[2].end));
  EXPECT_THAT(trace::texts(merged.notes),
              ElementsAre(::testing::AllOf(HasSubstr("Never seen: 2 of 4 operations"), HasSubstr("5 of 16 shares"),
                                           HasSubstr("have no times"), HasSubstr("--repeat"))));
}

}  // namespace
}  // namespace streamscope::measure
