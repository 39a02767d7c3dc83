// The words about one operation and about figures that lie within their own noise.
#include "app/reading/operation_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/analysis/noise.h"
#include "engine/trace/packed_spans.h"

namespace streamscope::reading {
namespace {

using ::testing::HasSubstr;

// A copy and a kernel after it, measured: the clocks are tied to 2.9 us, an event adds 1.1 us of its own.
trace::Run a_run() {  // Test::Run hides the short name
  trace::Run run;
  run.program = "one\ntwo\nthree\n";
  run.trace.streams = {{"default", false, 0}, {"per-thread", false, 0}, {"S0", true, 0}};
  run.trace.threads = {"main"};
  run.trace.names = {"H2D", "axpb"};
  run.trace.provenance.kind = trace::Provenance::Kind::measured;
  run.trace.provenance.uncertainty = 2'900;
  trace::Span copy;
  copy.operation = 0;
  copy.line = 1;
  copy.stream = 2;
  copy.kind = OperationKind::h2d;
  copy.engine = Engine::h2d;
  copy.bytes = 1 << 20;
  copy.host_begin = 10;
  copy.host_end = 1'500;
  copy.ready = 2'000;
  copy.start = 20'000;
  copy.end = 50'000;
  copy.ready_source = copy.start_source = trace::Source::inferred;
  copy.source = trace::Source::event;
  copy.ready_uncertainty = copy.start_uncertainty = copy.uncertainty = 4'000;
  trace::Span kernel = copy;
  kernel.operation = 1;
  kernel.line = 2;
  kernel.name = 1;
  kernel.kind = OperationKind::kernel;
  kernel.engine = Engine::compute;
  kernel.bytes = 0;
  kernel.ready = 50'000;
  kernel.start = 51'000;
  kernel.end = 51'032;
  kernel.start_source = kernel.source = trace::Source::stamp;
  kernel.start_uncertainty = kernel.uncertainty = 2'932;
  run.trace.spans = {copy, kernel};
  return run;
}

std::string facts_text(const trace::Run& run, std::size_t span) {
  std::string all;
  for (const Fact& each : facts(run, run.trace.spans[span]))
    all += each.label + "=" + each.value + (each.within_noise ? "!" : "") + ";";
  return all;
}

TEST(Describe, SaysAllThatIsKnownWithUnits) {
  const trace::Run run = a_run();
  EXPECT_EQ(operation_title(run.trace, run.trace.spans[0]), "H2D  1 MiB  on S0");
  const std::string all = facts_text(run, 0);
  for (const char* fact : {"Operation=0, line 1;", "Text=one;", "Stream=S0 (nonblocking);", "Size=1 MiB;"})
    EXPECT_THAT(all, HasSubstr(fact));
}

// A launch is known by its line: of one whose options are computed the first launch stands for others, and says
// nothing.
TEST(Describe, AnyKernelSaysWhatItsLaunchTakes) {
  trace::Run run = a_run();
  run.trace.launches = {{.line = 2,
                         .name = 1,
                         .blocks = 264,
                         .threads = 256,
                         .registers = 32,
                         .shared_bytes = 102'400,
                         .blocks_at_once = 2}};
  const char* const rows =
      "Grid=264 blocks of 256 threads;Blocks an SM=2 at once;Registers=32 a thread;Shared memory=100 KiB a block;";
  EXPECT_THAT(facts_text(run, 1), HasSubstr(rows));
  EXPECT_THAT(facts_text(run, 0), ::testing::Not(HasSubstr("Grid")));
  run.trace.launches[0].blocks = 1;
  EXPECT_THAT(facts_text(run, 1), HasSubstr("Grid=1 block of 256 threads;"));
  run.trace.launches[0].blocks = 264;
  run.program = "one\nS{i}: axpb x[{i}MiB:1MiB] fma=1 blocks=264\nthree\n";
  EXPECT_THAT(facts_text(run, 1), HasSubstr(rows));
  run.program = "one\nS0: axpb x[0:1MiB] fma=1 and much more than fits into a row of facts blocks={i*8}\nthree\n";
  EXPECT_THAT(facts_text(run, 1), ::testing::Not(HasSubstr("Grid")));
}

TEST(Describe, ACopyWhoseCallReturnsBehindItSaysThatItHoldsTheHost) {
  trace::Run run = a_run();
  run.trace.spans[0].blocking = true;
  EXPECT_THAT(facts_text(run, 0), ::testing::Not(HasSubstr("holds the host"))) << "staged, and on its way";
  run.trace.spans[0].host_end = 52'000;
  EXPECT_THAT(facts_text(run, 0), HasSubstr("its call holds the host until it is done"));
}

TEST(Describe, EachTimeHasItsSourceAndItsUncertainty) {
  const std::string all = facts_text(a_run(), 0);
  EXPECT_THAT(all, HasSubstr("Ready=2 us  ±4 us, inferred;"));
  EXPECT_THAT(all, HasSubstr("Start=20 us  ±4 us, inferred;"));
  EXPECT_THAT(all, HasSubstr("End=50 us  ±4 us, CUDA event;"));
}

TEST(Describe, ABarThatTheRefereeWidenedSaysSo) {
  trace::Run run = a_run();
  run.trace.spans[0].start_source = trace::Source::referee;
  run.trace.spans[0].start_uncertainty = 40'000;
  const std::string all = facts_text(run, 0);
  EXPECT_THAT(all, HasSubstr("Start=20 us  ±40 us, widened to CUPTI's other passes;"));
  EXPECT_THAT(all, HasSubstr("End=50 us  ±4 us, CUDA event;"));
}

TEST(Describe, OneSourceIsSaidOnce) {
  trace::Run run = a_run();
  trace::Span& span = run.trace.spans[0];
  span.ready_source = span.start_source = span.source = trace::Source::model;
  span.ready_uncertainty = span.start_uncertainty = span.uncertainty = 0;
  const std::string all = facts_text(run, 0);
  EXPECT_THAT(all, HasSubstr("Ready=2 us;Start=20 us;End=50 us;Times from=model;"));
  EXPECT_THAT(all, ::testing::Not(HasSubstr("±")));
}

TEST(Describe, WhatIsShorterThanItIsSureSaysSo) {
  // The tie between the clocks moves both ends of a bar alike: it is no noise of the bar's length.
  EXPECT_THAT(facts_text(a_run(), 0),
              HasSubstr("Duration=30 us  ±2.2 us;Issue to ready=500 ns  ±4 us, within its own noise!;"
                        "Ready to start=18 us  ±2.2 us;"));
  const std::string kernel = facts_text(a_run(), 1);
  EXPECT_THAT(kernel, HasSubstr("Duration=32 ns  ±64 ns, within its own noise!;"));
  EXPECT_THAT(kernel, HasSubstr("Ready to start=1 us  ±1.1 us, within its own noise!;"));
}

TEST(Describe, TheReasonForAWaitNamesOneOfTheTwoAboveIt) {
  trace::Run run = a_run();
  trace::Span& kernel = run.trace.spans[1];
  kernel.waits_for = 0;
  kernel.reason = trace::WaitReason::stream;
  EXPECT_THAT(facts_text(run, 1), HasSubstr("Issue to ready=48.5 us  ±4 us;Ready to start=1 us"));
  EXPECT_THAT(facts_text(run, 1),
              HasSubstr("=waited 48.5 us from issue to ready for H2D #0 (line 1), the one before"));
  kernel.reason = trace::WaitReason::engine;
  EXPECT_THAT(facts_text(run, 1),
              HasSubstr("=waited 1 us from ready to start for the compute engine, busy with H2D #0"));
}

TEST(Describe, ARateIsOfWhatIsMovedOrOfTheRangeAKernelWorksOn) {
  trace::Run run = a_run();
  EXPECT_THAT(facts_text(run, 0), HasSubstr("Rate=34.95 GB/s;"));
  trace::Span& kernel = run.trace.spans[1];
  kernel.bytes = 1 << 20;
  kernel.end = kernel.start + 30'000;
  EXPECT_THAT(facts_text(run, 1), HasSubstr("Rate=34.95 GB/s of its range, read and written;"));
}

TEST(Describe, ASampledTimeSaysInHowManyRunsItWasSeenAndHowFarTheySpread) {
  trace::Run run = a_run();
  EXPECT_THAT(facts_text(run, 0), ::testing::Not(HasSubstr("Seen=")));
  run.trace.spans[0].samples = 12;
  run.trace.spans[0].spread = 1'234;
  EXPECT_THAT(facts_text(run, 0), HasSubstr("Seen=in 12 runs, spread ±1.2 us;"));
  EXPECT_THAT(facts_text(run, 0), HasSubstr("Duration=30 us  ±3.4 us;")) << "what spreads is no surer than its spread";
}

// A call in another tool's trace: no program, no times but the host's.
TEST(Describe, ACallOfAnotherToolsTraceHasNeitherLineNorDeviceTimes) {
  trace::Run run = a_run();
  run.program.clear();
  run.trace.threads = {"thread 4001"};
  trace::Span& call = run.trace.spans.front();
  call.line = 0;
  call.stream = trace::Span::kNoStream;
  call.bytes = 0;
  call.engine = Engine::none;
  call.ready = call.start = call.end = kAbsent;
  call.source = trace::Source::none;
  EXPECT_EQ(facts_text(run, 0), "Operation=0;Host call=1.49 us at 10 ns;");
  EXPECT_EQ(operation_title(run.trace, call), "H2D  by thread thread 4001");
  run.trace.packed = std::make_shared<const trace::PackedSpans>(run.trace.spans);
  EXPECT_EQ(operation_title(run.trace, call), "H2D  by thread 4001") << "others name theirs in full";
  run.program = "one\n";
  EXPECT_THAT(facts_text(run, 0), HasSubstr("Operation=0 (implied last synchronisation);"));
}

std::string of_makespan(const trace::Run& run) {
  const analysis::Analysis analysis = analysis::analyse(run.trace);
  return makespan_warning(run, analysis, analysis::figure_noise(run, analysis));
}

TEST(Warnings, NoneWhereTheTimesAreSure) {
  trace::Run run = a_run();
  for (trace::Span& span : run.trace.spans) span.ready_uncertainty = span.start_uncertainty = span.uncertainty = 2'900;
  run.observer_effect = trace::ObserverEffect{1.02, 1.01, 1.03, 5};
  EXPECT_EQ(of_makespan(run) + observer_warning(run), "");
}

TEST(Warnings, AnObserverEffectWithinItsNoiseIsMarked) {
  trace::Run run = a_run();
  EXPECT_EQ(observer_warning(run), "") << "there is none";
  run.observer_effect = trace::ObserverEffect{1.002, 0.99, 1.01, 5};
  EXPECT_THAT(observer_warning(run), HasSubstr("differ by more than the instrument costs"));
}

TEST(Warnings, AMakespanThatScattersIsMarkedWithTheReason) {
  trace::Run run = a_run();
  run.makespan = trace::Statistic{31'000, 20'000, 60'000, 9'000};
  EXPECT_THAT(of_makespan(run), HasSubstr("the runs differ that much"));
  run.makespan = trace::Statistic{31'000, 30'000, 32'000, 100};
  run.trace.spans[0].start_uncertainty = run.trace.spans[1].uncertainty = 9'000;
  EXPECT_THAT(of_makespan(run), HasSubstr("not surer"));
}

TEST(OperationFacts, SayTheStreamsPriorityAndTheRowsOfACopy) {
  trace::Run run = a_run();
  run.trace.streams[2].priority = -5;
  run.trace.spans[0].rows = 256;
  EXPECT_THAT(facts_text(run, 0), HasSubstr("Stream=S0 (nonblocking, priority -5);"));
  EXPECT_THAT(facts_text(run, 0), HasSubstr("Size=1 MiB in 256 rows of 4 KiB;"));
  run.trace.streams[2].nonblocking = false;
  EXPECT_THAT(facts_text(run, 0), HasSubstr("Stream=S0 (priority -5);"));
}

}  // namespace
}  // namespace streamscope::reading
