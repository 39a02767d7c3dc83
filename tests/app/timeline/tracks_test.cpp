#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "app/timeline/tracks.h"
#include "tests/support/two_devices.h"

namespace streamscope::timeline {
namespace {

using ::testing::ElementsAre;

trace::Span on_stream(std::uint32_t stream, OperationKind kind, Engine engine, Nanoseconds ready, Nanoseconds start,
                      Nanoseconds end) {
  trace::Span span;
  span.stream = stream;
  span.kind = kind;
  span.engine = engine;
  span.ready = ready;
  span.start = start;
  span.end = end;
  return span;
}

trace::Trace trace_of(std::vector<trace::Span> spans) {
  trace::Trace trace;
  trace.streams = {{"default"}, {"per-thread"}, {"A"}, {"B"}};
  trace.threads = {"main"};
  for (std::uint32_t i = 0; i < spans.size(); ++i) spans[i].operation = i;
  trace.spans = std::move(spans);
  return trace;
}

std::vector<std::string> names(const Tracks& tracks) {
  std::vector<std::string> out;
  for (const Track& track : tracks.tracks) out.push_back(track.name);
  return out;
}

TEST(Tracks, AreHostThreadsThenStreamsThenEngines) {
  const Tracks found = tracks(testing::pipeline_run({}).trace);
  EXPECT_THAT(names(found), ElementsAre("main", "S0", "S1", "S2", "S3", "H2D engine", "D2H engine", "Compute"));
  EXPECT_EQ(found.begin, 0);
  const trace::Trace& trace = testing::pipeline_run({}).trace;
  EXPECT_EQ(found.end, trace.spans.back().host_end);
}

TEST(Tracks, ShowTheCallOfAGraphsLaunchOnce) {
  std::vector<trace::Span> spans{on_stream(2, OperationKind::launch, Engine::none, 5, 5, 5),
                                 on_stream(2, OperationKind::kernel, Engine::compute, 5, 5, 10),
                                 on_stream(3, OperationKind::kernel, Engine::compute, 5, 10, 20)};
  for (trace::Span& span : spans) span.host_begin = 0, span.host_end = 4;
  spans[1].launch = spans[2].launch = 0;
  const Tracks found = tracks(trace_of(std::move(spans)));
  ASSERT_EQ(found.tracks[0].name, "main");
  ASSERT_EQ(found.tracks[0].executing.size(), 1u);
  EXPECT_EQ(found.tracks[0].executing[0].size(), 1u);
}

TEST(Tracks, AreOnlyThoseThatAreUsed) {
  EXPECT_THAT(names(tracks(trace_of({on_stream(3, OperationKind::kernel, Engine::compute, 0, 0, 10)}))),
              ElementsAre("B", "Compute"));
  EXPECT_TRUE(tracks(trace::Trace{}).tracks.empty());
}

TEST(Tracks, PutOverlappingSpansIntoFurtherLanes) {
  const Tracks found = tracks(trace_of({
      on_stream(2, OperationKind::kernel, Engine::compute, kAbsent, 0, 100),
      on_stream(3, OperationKind::kernel, Engine::compute, kAbsent, 50, 80),
      on_stream(2, OperationKind::kernel, Engine::compute, kAbsent, 100, 120),
      on_stream(3, OperationKind::kernel, Engine::compute, kAbsent, 80, 130),
  }));
  const Track& compute = found.tracks.back();
  ASSERT_EQ(compute.executing.size(), 2u);
  EXPECT_THAT(compute.executing[0].span, ElementsAre(0, 2));
  EXPECT_THAT(compute.executing[1].span, ElementsAre(1, 3));
}

TEST(Tracks, AnOverlapOfRoundingOpensNoSecondLane) {
  const auto kernel = [](Nanoseconds start, Nanoseconds end) {
    return on_stream(2, OperationKind::kernel, Engine::compute, start, start, end);
  };
  const trace::Trace trace = trace_of({kernel(0, 101), kernel(100, 201), kernel(200, 5'000'000'001),
                                       kernel(5'000'000'000, 10'000'000'000), kernel(9'999'999'998, 10'000'000'050)});
  const Tracks found = tracks(trace);
  const Track& stream = found.tracks.front();
  ASSERT_EQ(stream.executing.size(), 2u) << "of 2 ns the last one is";
  ASSERT_EQ(stream.executing[0].size(), 4u);
  for (std::uint32_t i = 0; i + 1 < 4; ++i)
    EXPECT_EQ(stream.executing[0].end(i), stream.executing[0].start[i + 1]) << "one after the other";
  for (std::uint32_t i = 0; i < trace.spans.size(); ++i)
    EXPECT_EQ(lane_of(stream, trace.spans[i], i), i < 4 ? 0u : 1u) << i;
}

TEST(Tracks, ShowWaitingFromReadyToStart) {
  const Tracks found = tracks(trace_of({
      on_stream(2, OperationKind::h2d, Engine::h2d, 0, 0, 100),
      on_stream(2, OperationKind::kernel, Engine::compute, 100, 140, 200),
      on_stream(2, OperationKind::d2h, Engine::d2h, 190, 230,
                300),  // ready, by clock error, before its predecessor ended
  }));
  const Lane& waiting = found.tracks.front().waiting.at(0);
  EXPECT_THAT(waiting.start, ElementsAre(100, 200));
  EXPECT_THAT(waiting.length, ElementsAre(40, 30));
  EXPECT_EQ(found.waits.at(waiting.span[0]).span, 1u);
  EXPECT_EQ(found.waits.at(waiting.span[1]).span, 2u);
  for (std::size_t i = 1; i < found.tracks.size(); ++i) EXPECT_TRUE(found.tracks[i].waiting.at(0).empty());
}

TEST(Tracks, KeepMarksOfNoLength) {
  const Tracks found = tracks(trace_of({
      on_stream(2, OperationKind::record, Engine::none, 10, 10, 10),
      on_stream(2, OperationKind::record, Engine::none, 10, 10, 10),
      on_stream(2, OperationKind::wait, Engine::none, 10, 60, 60),
  }));
  EXPECT_THAT(names(found), ElementsAre("A"));
  ASSERT_EQ(found.tracks[0].executing.size(), 1u);
  EXPECT_EQ(found.tracks[0].executing[0].size(), 3u);
  EXPECT_EQ(found.tracks[0].waiting[0].size(), 1u);
}

TEST(Tracks, LeaveOutWhatHasNoTimes) {
  const Tracks found = tracks(trace_of({
      on_stream(2, OperationKind::kernel, Engine::compute, kAbsent, kAbsent, kAbsent),
      on_stream(2, OperationKind::kernel, Engine::compute, 5, kAbsent, 9),
  }));
  EXPECT_TRUE(found.tracks.empty());
}

TEST(Tracks, OfBrokenSpansAreStillSortedAndDisjoint) {
  std::vector<trace::Span> spans;
  for (const Nanoseconds start :
       {std::numeric_limits<Nanoseconds>::max(), Nanoseconds{-5}, kAbsent + 1, Nanoseconds{7}}) {
    spans.push_back(on_stream(4'000'000'000U, OperationKind::kernel, Engine::compute, 100, start, 3));
  }
  const Tracks found = tracks(trace_of(spans));
  ASSERT_FALSE(found.tracks.empty());
  EXPECT_EQ(found.tracks[0].name, "stream 4000000000");
  for (const Track& track : found.tracks) {
    for (const std::vector<Lane>* lanes : {&track.executing, &track.waiting}) {
      for (const Lane& lane : *lanes) {
        for (std::uint32_t i = 0; i < lane.size(); ++i) {
          EXPECT_LE(lane.start[i], lane.end(i));
          EXPECT_TRUE(i == 0 || lane.end(i - 1) <= lane.start[i]);
        }
      }
    }
  }
}

TEST(Tracks, EachDeviceHasEnginesOfItsOwn) {
  const trace::Run run = testing::run_on_two_devices();
  const Tracks found = tracks(run.trace);
  EXPECT_THAT(names(found), ElementsAre("main", "S0, device 0", "S1, device 0", "S2, device 1", "S3, device 1",
                                        "H2D engine, device 0", "D2H engine, device 0", "Compute, device 0",
                                        "H2D engine, device 1", "D2H engine, device 1", "Compute, device 1"));
  for (const Track& track : found.tracks) {
    if (track.kind != TrackKind::engine) continue;
    EXPECT_EQ(track.executing.at(0).size(), 8u);
    for (const std::uint32_t span : track.executing[0].span)
      EXPECT_EQ(number(trace::queue_of(run.trace.spans[span])), track.id);
  }
}

TEST(Tracks, CopiesBetweenDevicesAreOnTheLinkOutOfTheOneThatIsRead) {
  trace::Run run = testing::run_on_two_devices();
  trace::Span there = on_stream(2, OperationKind::peer, Engine::peer, 0, 10, 20), back = there;
  back.device = 1;
  there.to_device = 1;
  for (const trace::Span& each : {there, back, back}) {
    run.trace.spans.push_back(each);
    run.trace.spans.back().operation = static_cast<OperationIndex>(run.trace.spans.size() - 1);
  }
  const Tracks found = tracks(run.trace);
  const auto of = [&](const std::string& name) { return std::ranges::find(found.tracks, name, &Track::name); };
  ASSERT_NE(of("Link out of device 0"), found.tracks.end());
  EXPECT_EQ(of("Link out of device 0")->executing.size(), 1u);
  EXPECT_EQ(of("Link out of device 0") - of("Compute, device 0"), 1);
  ASSERT_NE(of("Link out of device 1"), found.tracks.end());
  EXPECT_EQ(of("Link out of device 1")->executing.size(), 2u);  // side by side
}

}  // namespace
}  // namespace streamscope::timeline
