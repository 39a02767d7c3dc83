// A second opinion on durations: when it contradicts a bar, and what becomes of the bar.
#include "engine/referee/referee.h"

#include <gtest/gtest.h>

namespace streamscope::referee {
namespace {

using trace::Source;

trace::Span span(OperationKind kind, Nanoseconds start, std::uint32_t start_doubt, Nanoseconds end,
                 std::uint32_t doubt) {
  trace::Span one;
  one.kind = kind;
  one.engine = kind == OperationKind::kernel ? Engine::compute : Engine::h2d;
  one.line = 7;
  one.host_begin = 0;
  one.ready = start - 100;
  one.start = start;
  one.start_source = kind == OperationKind::kernel ? Source::stamp : Source::inferred;
  one.start_uncertainty = start_doubt;
  one.end = end;
  one.source = kind == OperationKind::kernel ? Source::stamp : Source::event;
  one.uncertainty = doubt;
  return one;
}

trace::Run run_of(std::vector<trace::Span> spans) {
  trace::Run run;
  run.trace.names = {"H2D"};
  for (std::size_t i = 0; i < spans.size(); ++i) spans[i].operation = static_cast<OperationIndex>(i);
  run.trace.spans = std::move(spans);
  return run;
}

Opinion lasting(Nanoseconds shortest, Nanoseconds longest) {
  return {3, "CUPTI", {shortest}, {(shortest + longest) / 2}, {longest}};
}

trace::Run judged(const trace::Span& one, const Opinion& opinion) {
  trace::Run run = run_of({one});
  judge(run, opinion);
  return run;
}

TEST(Referee, AgreesWithinBothDoubts) {
  const trace::Span copy = span(OperationKind::h2d, 100'000, 5'000, 200'000, 3'000);
  for (const Nanoseconds length : {100'000, 107'000, 91'000}) {
    const trace::Run run = judged(copy, lasting(length, length));
    EXPECT_EQ(run.referee->compared, 1u);
    EXPECT_EQ(run.referee->contradicted, 0u) << length;
    EXPECT_EQ(run.trace.spans[0].start, copy.start);
    EXPECT_TRUE(run.notes.empty());
  }
}

TEST(Referee, WidensAnInferredStart) {
  // A tenth as long as it took elsewhere: perhaps a slow copy that looks like one that waited.
  const trace::Run run = judged(span(OperationKind::h2d, 190'000, 1'000, 200'000, 1'000), lasting(100'000, 104'000));
  const trace::Span& copy = run.trace.spans[0];
  EXPECT_EQ(run.referee->contradicted, 1u);
  EXPECT_EQ(copy.start, 190'000);
  EXPECT_EQ(copy.end, 200'000);
  EXPECT_EQ(copy.start_source, Source::referee);
  EXPECT_EQ(copy.source, Source::event);
  EXPECT_EQ(copy.uncertainty, 1'000u);
  EXPECT_EQ(copy.end - copy.start + copy.start_uncertainty + copy.uncertainty, 100'000) << "the nearest of its times";
  ASSERT_EQ(run.notes.size(), 1u);
  EXPECT_NE(run.notes[0].text.find("line 7"), std::string::npos) << run.notes[0].text;
  EXPECT_NE(run.notes[0].text.find("1 of 1"), std::string::npos) << run.notes[0].text;
}

TEST(Referee, WidensTheEndOfAStampedKernel) {
  const trace::Run run = judged(span(OperationKind::kernel, 10'000, 500, 20'000, 500), lasting(50'000, 60'000));
  const trace::Span& kernel = run.trace.spans[0];
  EXPECT_EQ(kernel.start_source, Source::stamp);
  EXPECT_EQ(kernel.end, 20'000);
  EXPECT_EQ(kernel.source, Source::referee);
  EXPECT_EQ(kernel.uncertainty, 39'500u);
}

TEST(Referee, WidensWhatIsTooLong) {
  const trace::Run run = judged(span(OperationKind::d2h, 0, 1'000, 500'000, 1'000), lasting(90'000, 100'000));
  EXPECT_EQ(run.trace.spans[0].start_uncertainty, 399'000u);
}

TEST(Referee, LeavesAloneWhatNobodyHasARecordOf) {
  trace::Run run = run_of({span(OperationKind::h2d, 0, 0, 100'000, 0), span(OperationKind::h2d, 0, 0, 100'000, 0)});
  judge(run, Opinion{3, "CUPTI", {kAbsent}, {kAbsent}, {kAbsent}});
  EXPECT_EQ(run.referee->compared, 0u);
  EXPECT_EQ(run.referee->contradicted, 0u);
}

TEST(Referee, SaysWhyThereIsNone) {
  trace::Run run = run_of({span(OperationKind::h2d, 0, 0, 100'000, 0)});
  judge(run, fail(ErrorKind::bad_input, "CUPTI was not found."));
  EXPECT_EQ(run.referee->passes, 0);
  EXPECT_EQ(run.referee->why_not, "CUPTI was not found.");
  EXPECT_TRUE(run.notes.empty());
}

TEST(Opinion, IsTheRangeOverThePassesOfWhatCuptiRecorded) {
  std::vector<trace::Run> runs;
  for (const Nanoseconds length : {300, 100, 200}) {
    trace::Span recorded = span(OperationKind::h2d, 1'000, 0, 1'000 + length, 0);
    recorded.start_source = recorded.source = Source::cupti;
    runs.push_back(run_of({recorded, span(OperationKind::prefetch, 0, 0, 50, 0)}));
  }
  const Opinion opinion = opinion_of(runs);
  EXPECT_EQ(opinion.passes, 3);
  EXPECT_EQ(opinion.shortest, (std::vector<Nanoseconds>{100, kAbsent}));
  EXPECT_EQ(opinion.median, (std::vector<Nanoseconds>{200, kAbsent}));
  EXPECT_EQ(opinion.longest, (std::vector<Nanoseconds>{300, kAbsent}));
}

TEST(RefereeOptions, AreOfPlainPassesUnderCupti) {
  measure::MeasureOptions judged;
  judged.runs = 50;
  judged.gate = judged.long_kernels = true;
  judged.stages_of = 10;
  const measure::MeasureOptions options = options_of(judged);
  EXPECT_EQ(options.runs, 1);
  EXPECT_EQ(options.instrument, device::Instrument::cupti);
  EXPECT_TRUE(options.gate && options.long_kernels);
  EXPECT_FALSE(options.observer_effect || options.verify);
  EXPECT_EQ(options.stages_of, 0u);
  using Kind = trace::Provenance::Kind;
  EXPECT_TRUE(can_judge(judged, Kind::measured));
  EXPECT_FALSE(can_judge(judged, Kind::model));
  EXPECT_FALSE(can_judge(options, Kind::measured)) << "it is CUPTI's already";
}

}  // namespace
}  // namespace streamscope::referee
