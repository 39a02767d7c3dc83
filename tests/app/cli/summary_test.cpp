// What a summary says of a measured run, and how sure it is of it.
#include "app/cli/summary.h"

#include <gmock/gmock.h>

#include "app/draw/caption.h"
#include "tests/support/output_run.h"

namespace streamscope::cli {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

trace::Run measured() {
  trace::Run run = output_test::small_run();
  run.runs = 15;
  run.wall = trace::Statistic{6'050'000, 6'000'000, 6'200'000, 20'000};
  run.bare_wall = trace::Statistic{5'960'000, 5'900'000, 6'100'000, 20'000};
  run.observer_effect = trace::ObserverEffect{1.015, 1.012, 1.019, 15};
  return run;
}

TEST(Summary, TheObserverEffectComesWithItsQuartilesItsPairsAndTheBareTime) {
  EXPECT_THAT(summary(measured(), "x"),
              ContainsRegex("observer +1.015 \\(1.012 to 1.019, 15 pairs\\), bare 5.96 ms\n"));
}

TEST(Summary, AnObserverEffectThatMayBeNoneIsMarkedSo) {
  EXPECT_THAT(summary(measured(), "x"), Not(HasSubstr("own noise")));
  auto run = measured();
  run.observer_effect = trace::ObserverEffect{1.004, 0.992, 1.019, 15};
  EXPECT_THAT(summary(run, "x"), ContainsRegex("observer .*; within its own noise"));
}

TEST(Summary, TooFewPairsAreNoFigure) {
  auto run = measured();
  run.observer_effect.reset();
  EXPECT_THAT(summary(run, "x"), ContainsRegex("observer +no figure, too few pairs, bare 5.96 ms"));
}

TEST(Summary, TheWallTimeHasItsSpreadAndAWarningWhereTheRunsDifferMuch) {
  EXPECT_THAT(summary(measured(), "x"), ContainsRegex("wall +6.05 ms \\(median; 6 ms to 6.2 ms, spread 20 us\\)\n"));
  auto run = measured();
  run.makespan = trace::Statistic{4'000'000, 3'000'000, 5'000'000, 400'000};
  EXPECT_THAT(summary(run, "x"), ContainsRegex("makespan .*; noisy, the runs differ by 10 %"));
  run.wall->spread = kAbsent;
  EXPECT_THAT(summary(run, "x"), ContainsRegex("wall +6.05 ms \\(median; 6 ms to 6.2 ms\\)\n"));
}

TEST(Summary, TheRefereeHasARowOfItsOwn) {
  auto run = measured();
  EXPECT_THAT(summary(run, "x"), Not(HasSubstr("referee"))) << "none was asked";
  run.referee = trace::Referee{.passes = 3, .by = "CUPTI", .compared = 48, .contradicted = 2, .why_not = {}};
  EXPECT_THAT(summary(run, "x"), HasSubstr("  referee     contradicts 2 of 48: their doubt is widened\n"
                                           "              CUPTI's records of 3 other passes were compared.\n"));
  run.referee = trace::Referee{.passes = 0, .by = {}, .compared = 0, .contradicted = 0, .why_not = "CUPTI is away."};
  EXPECT_THAT(summary(run, "x"), HasSubstr("  referee     none: CUPTI is away.\n"
                                           "              Bars are as certain as they state.\n"));
}

TEST(Summary, CallsThatFailedHaveARow) {
  auto run = measured();
  EXPECT_THAT(summary(run, "x"), Not(HasSubstr("  errors ")));
  run.trace.spans.back().result = CallResult::illegal_address;
  EXPECT_THAT(summary(run, "x"), ContainsRegex("  errors      1 call failed, .*cudaErrorIllegalAddress"));
}

TEST(Summary, TheCallsAreCountedByName) {
  EXPECT_THAT(summary(measured(), "x"),
              HasSubstr("  API calls   22 in 417.4 us (cudaStreamQuery 12 in 84.9 us, cudaMemcpyAsync 4 in 5.9 us, "));
  auto run = measured();
  run.trace.spans.clear();
  EXPECT_THAT(summary(run, "x"), Not(HasSubstr("API calls"))) << "of a bare run nothing is known";
}

TEST(Summary, TheConfigurationIsAsInThePicture) {
  auto run = measured();
  run.experiment = "bytes = \"64MiB\"\nchunk = \"8MiB\"\nstreams = 2\nhost = \"pinned\"\n";
  EXPECT_THAT(summary(run, "x"), HasSubstr("x\n  experiment  64 MiB in chunks of 8 MiB"));
  EXPECT_THAT(summary(run, "x"), HasSubstr(draw::caption(run).subtitle));
  run.experiment.clear();
  run.program = "stream A\n";
  EXPECT_THAT(summary(run, "x"), ContainsRegex("x\n  program     [0-9]+ operations on [0-9]+ stream"));
  run.program.clear();
  EXPECT_THAT(summary(run, "x"), ContainsRegex("x\n  trace       [0-9]+ operations on"));
  run.trace.spans.clear();
  EXPECT_THAT(summary(run, "x"), ContainsRegex("x\n  M")) << "of a bare run no operations are known";
}

TEST(Summary, ASampledGatedRunSaysSo) {
  auto run = measured();
  run.trace.provenance.instrument = "sampled";
  run.trace.provenance.share = 16;
  run.trace.provenance.gated = true;
  const std::string text = summary(run, "x");
  EXPECT_THAT(text, ContainsRegex("runs +15, instrument sampled 1/16 with the gate"));
  EXPECT_THAT(text, ContainsRegex("makespan +[0-9.]+ us \\(merged\\)"));
}

TEST(Summary, ABareRunHasNoObserver) {
  auto run = measured();
  run.observer_effect.reset();
  run.trace.provenance.instrument = "bare";
  EXPECT_THAT(summary(run, "x"), Not(HasSubstr("observer")));
}

}  // namespace
}  // namespace streamscope::cli
