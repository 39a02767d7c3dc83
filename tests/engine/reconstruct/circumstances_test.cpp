// What is known of the device and of the gate, and its effect on the spans of a run.
#include <gtest/gtest.h>

#include <string_view>

#include "tests/engine/reconstruct/observed_run.h"

namespace streamscope::reconstruct {
namespace {

SeenRun seen(std::string_view text) { return SeenRun(text).brief_calls(); }

// A nanosecond for 100 bytes alone, for 50 with both directions busy; 7 us from a kernel to a copy, 2 us from one copy
// to the next.
constexpr device::DispatchLatency kDispatch{
    7'000, 2'000, {0, 0.01, 0.02, 0.0097}, {0, 0.01, 0.02, 0.0097}, {0.0001, 0.0002}, {0.0001, 0.0002}, 1 << 20};
constexpr std::string_view kTwoCopies =
    "buffer x 2000000\nstreams S 2\nS0: h2d x[0:1000000]\nS1: h2d x[1000000:1000000]\n";

TEST(CopyStart, BehindACopyIsWithinItsBytesAndTheUsualGap) {
  // The second ends 12.1 us after the first: 10 us for its bytes, and 2 us from the one to the other.
  const auto spans = seen(kTwoCopies).event(0, 30'000).event(1, 42'100).spans({kDispatch});
  EXPECT_EQ(spans[1].ready, 150);
  EXPECT_NEAR(static_cast<double>(spans[1].start), 32'000, 150);
  EXPECT_EQ(spans[1].start_source, trace::Source::inferred);
  EXPECT_GE(spans[1].start - spans[1].start_uncertainty, 29'900) << "when its engine was free";
  EXPECT_LE(spans[1].start_uncertainty, 2'100u);
}

TEST(CopyStart, IsNeverLaterThanItsBytesTake) {
  const auto spans = seen(kTwoCopies).event(0, 30'000).event(1, 40'300).spans({kDispatch});
  EXPECT_LE(spans[1].start, 30'700) << "10 us of bytes before 40.3 us";
  EXPECT_GE(spans[1].start, 30'000) << "and not before the engine was free";
}

TEST(CopyStart, IsLaterWhereItsBytesWouldNotHaveTakenSoLong) {
  // Nothing else on the bus: 10 us of bytes cannot have taken 40 us, so it began late.
  const auto spans = seen(kTwoCopies).event(0, 30'000).event(1, 70'000).spans({kDispatch});
  EXPECT_GE(spans[1].start, 58'000);
  // A slow copy looks the same: it may have begun as soon as its engine was free.
  EXPECT_LE(spans[1].start - spans[1].start_uncertainty, 30'000);
}

TEST(CopyStart, BehindAPageableOneIsNotBoundByIt) {
  // The pinned copy of 10 us ends shortly after the pageable one, between whose pieces it may have come.
  const auto spans = seen("buffer p 1000000 host=pageable\nbuffer x 1000000\nstreams S 2\nS0: h2d p\nS1: h2d x\n")
                         .event(0, 900'000)
                         .event(1, 911'000)
                         .spans({kDispatch});
  EXPECT_LE(spans[1].start - spans[1].start_uncertainty, spans[1].ready);
  EXPECT_LE(spans[0].start - spans[0].start_uncertainty, spans[0].host_begin);
}

// Two devices, and between them a nanosecond for 300 bytes, or for 30 through the host.
device::Circumstances two_devices() {
  device::Circumstances both{kDispatch};
  both.others = {kDispatch};
  const device::PeerTime link{{0, 1 / 300., 1 / 300., 1 / 320.}, {0, 1 / 30., 1 / 30., 1 / 100.}};
  both.peers = {{}, link, link, {}};
  return both;
}
constexpr std::string_view kBetween = "buffer x 3000000 device=0,1\nstream A\nstream B device=1\n";

TEST(CopyStart, BetweenDevicesIsBoundByTheLink) {
  // 10 us of bytes over the link, 100 through the host, which both buses bound to 30.
  const auto direct = seen(std::string(kBetween) + "host: peer 0 1 on\nA: peer x@1 x@0\nB: peer x@0 x@1\n")
                          .event(1, 60'000)
                          .event(2, 80'000)
                          .spans(two_devices());
  EXPECT_GE(direct[1].start, 48'000) << "10 us of bytes do not take 60";
  EXPECT_LE(direct[1].start, 60'000 - 9'300);
  EXPECT_LE(direct[1].start - direct[1].start_uncertainty, direct[1].ready) << "it may have been slow";
  EXPECT_LE(direct[2].start, 80'000 - 9'300);
  const auto staged = seen(std::string(kBetween) + "A: peer x@1 x@0\n").event(0, 150'000).spans(two_devices());
  EXPECT_EQ(staged[0].start_source, trace::Source::inferred);
  EXPECT_GE(staged[0].start + staged[0].start_uncertainty, 120'000 - 100) << "as late as both buses allow";
  EXPECT_LE(staged[0].start - staged[0].start_uncertainty, staged[0].host_begin) << "the host moves part of it";
}

// Access may come on before another thread copies, wherever that stands; memory of a pool has rights of its own.
TEST(CopyStart, BetweenDevicesIsEitherWayWhereAccessIsNotCertain) {
  const auto thread = seen(std::string(kBetween) + "thread T {\n  A: peer x@1 x@0\n}\nhost: peer 0 1 on\n")
                          .event(1, 150'000)
                          .spans(two_devices());
  EXPECT_GE(thread[1].start + thread[1].start_uncertainty, 140'000) << "as late as the link allows";
  EXPECT_LE(thread[1].start - thread[1].start_uncertainty, thread[1].host_begin) << "or staged";
}

// A kernel's stores arrive later where others keep its memory busy, and each device has its own.
TEST(KernelEnd, IsLessCertainBesideWhatIsWrittenToItsDevice) {
  const std::string kernels = std::string(kBetween) + "stream C\nA: spin 20us\nB: spin 20us\nC: ";
  const auto uncertainties = [&](std::string_view third) {
    const auto spans = seen(kernels + std::string(third))
                           .stamps(0, 1'000, 30'000)
                           .stamps(1, 1'000, 30'000)
                           .event(2, 28'000)
                           .call(3, 300, 60'000)
                           .call(4, 60'100, 60'200)
                           .call(5, 60'300, 60'400)
                           .spans(two_devices());
    return std::pair(spans[0].uncertainty, spans[1].uncertainty);
  };
  const auto [first, second] = uncertainties("h2d x\n");
  EXPECT_EQ(uncertainties("peer x@1 x@0\n"), std::pair(first, second + 3'000));
  EXPECT_EQ(uncertainties("memset x 1\n"), std::pair(first + 3'000, second));
}

TEST(CopyStart, OfAnotherDeviceHasThatDevicesTimes) {
  device::Circumstances both = two_devices();
  both.others.front().h2d = {0, 0.1, 0.1, 0.09};  // ten times as slow
  const auto spans = seen(std::string(kBetween) + "A: h2d x[0:1000000]\nB: h2d x[0:1000000]\n")
                         .event(0, 200'000)
                         .event(1, 200'000)
                         .spans(both);
  EXPECT_GE(spans[0].start, 188'000) << "10 us";
  EXPECT_LE(spans[1].start, 110'000) << "and 100";
}

TEST(CopyStart, OfPrefetchesIsAnyTimeSinceTheyWereReady) {
  const auto spans = seen(
                         "buffer u 1000000 host=managed\nbuffer x 1000000\nstreams S 2\nS0: prefetch u to=device\n"
                         "S1: h2d x\n")
                         .event(0, 900'000)
                         .event(1, 905'000)
                         .spans({kDispatch});
  for (const trace::Span* span : {&spans[0], &spans[1]}) {
    EXPECT_LE(span->start - span->start_uncertainty, span->ready) << span->operation;
    EXPECT_GE(span->start + span->start_uncertainty, span->operation == 0 ? 900'000 : 895'000) << span->operation;
  }
}

TEST(CopyStart, IsNotBoundByASmallOneThatRanBesideIt) {
  const auto spans = seen("buffer x 1000000\nbuffer y 4000\nstreams S 2\nS0: h2d y\nS1: h2d x\n")
                         .event(0, 30'000)
                         .event(1, 41'000)
                         .spans({kDispatch});
  EXPECT_LE(spans[1].start - spans[1].start_uncertainty, spans[1].ready);
}

TEST(CopyStart, TheOtherDirectionMakesItSlower) {
  const auto both = seen("buffer x 1000000\nbuffer y 8000000\nstreams S 2\nS1: d2h y\nS0: spin 1us\nS0: h2d x\n")
                        .event(0, 200'000)
                        .stamps(1, 1'000, 30'000)
                        .event(2, 56'000)
                        .call(3, 300, 201'000)
                        .spans({kDispatch});
  EXPECT_NEAR(static_cast<double>(both[2].start), 37'000, 100) << "the usual way from a kernel, 19 us of bytes";
  EXPECT_EQ(both[2].ready, 30'000);
  EXPECT_EQ(both[2].ready_source, trace::Source::stamp);
}

TEST(CopyStart, WithoutKnowledgeOfTheDeviceNothingTakesTime) {
  const auto spans = seen(kTwoCopies).event(0, 30'000).event(1, 42'100).spans({});
  EXPECT_EQ(spans[1].start, 30'000);
}

TEST(CopyStart, OfPageableMemoryIsTheUsualDelay) {
  const auto spans = seen("buffer x 1000000 host=pageable\nstream A\nA: spin 1us\nA: h2d x\n")
                         .stamps(0, 1'000, 30'000)
                         .event(1, 900'000)
                         .call(2, 200, 901'000)
                         .spans({kDispatch});
  EXPECT_EQ(spans[1].start, 37'000);
}

Nanoseconds spans_start(std::string_view text) {
  return seen(text).stamps(0, 1'000, 30'000).event(1, 900'000).spans({kDispatch})[1].start;
}

// A megabyte in the cache takes at least 67 ns, over the bus 10 us.
TEST(CopyStart, OnTheDeviceIsAsEarlyAsTheMemoryThatItsBytesLieInAllows) {
  const auto until = [](std::string_view text) {
    const auto spans = seen(text).stamps(0, 1'000, 30'000).event(1, 900'000).spans({kDispatch});
    EXPECT_LE(spans[1].start - spans[1].start_uncertainty, 30'000) << text;
    return spans[1].start + spans[1].start_uncertainty;
  };
  EXPECT_GE(until("buffer x 1000000\nstream A\nA: spin 1us\nA: memset x 0\n"), 899'900);
  // 100 MB are not in a cache of 1 MiB: 18 us at the least.
  EXPECT_LE(spans_start("buffer x 100MB\nstream A\nA: spin 1us\nA: memset x 0\n"), 882'500);
  EXPECT_LE(spans_start("buffer x 100MB\nbuffer y 100MB\nstream A\nA: spin 1us\nA: d2d x y\n"), 882'500);
  EXPECT_LE(spans_start("buffer m 1000000 host=mapped\nstream A\nA: spin 1us\nA: memset m 0\n"), 890'500);
  EXPECT_LE(spans_start("buffer m 1000000 host=mapped\nbuffer x 1000000\nstream A\nA: spin 1us\nA: d2d x m\n"),
            890'500);
  EXPECT_GE(until("buffer u 1000000 host=managed\nstream A\nA: spin 1us\nA: memset u 0\n"), 899'900);
}

TEST(CopyStart, OfACopyOnTheDeviceIsShortlyBeforeItsEnd) {
  const auto spans = seen("buffer x 1000000\nstream A\nA: spin 1us\nA: memset x 0\n")
                         .stamps(0, 1'000, 30'000)
                         .event(1, 60'000)
                         .spans({kDispatch});
  EXPECT_NEAR(static_cast<double>(spans[1].start), 59'000, 1'000) << "it takes a microsecond, whatever it waited for";
}

TEST(CopyStart, ASmallCopyThatOvertakesALargeOneDoesNotDelayIt) {
  // The small one ends while the large one, issued first, is on its way: 10 us of bytes fit nowhere behind it.
  const auto spans = seen("buffer x 1000000\nbuffer y 100\nstreams S 2\nS0: h2d x\nS1: h2d y\n")
                         .event(0, 30'000)
                         .event(1, 28'000)
                         .spans({kDispatch});
  EXPECT_LE(spans[0].start, 20'000);
  EXPECT_GE(spans[0].start, 18'000);
}

TEST(CopyStart, OfACopyThatTheHostSawIsItsUsualTimeBeforeItsEnd) {
  // It would usually start at 37 us; 3 us more than it takes are nothing when both ends were seen with such a doubt.
  constexpr std::string_view kText = "buffer x 1000000\nstream A\nA: spin 1us\nA: h2d x\n";
  const auto spans =
      seen(kText).stamps(0, 1'000, 30'000).sighting(1, 44'000, 5'000).call(2, 200, 90'000).spans({kDispatch});
  EXPECT_EQ(spans[1].start, 34'000) << "10 us of bytes";
  EXPECT_LE(spans[1].start - spans[1].start_uncertainty, 30'000);
  EXPECT_GE(spans[1].start + spans[1].start_uncertainty, 39'000) << "if its end was as late as it can have been";
}

TEST(CopyEnd, ToPageableMemoryIsAnyTimeBeforeItsCallReturned) {
  // The device moved the last piece to the driver's own memory; the host copied it on before the call returned.
  const auto spans = seen("buffer p 1000000 host=pageable\nstream A\nA: d2h p\n")
                         .call(0, 1'000, 900'000)
                         .event(0, 902'000)
                         .call(1, 900'100, 903'000)
                         .spans({kDispatch});
  EXPECT_LE(spans[0].end - spans[0].uncertainty, 1'000 + 10'000);
  EXPECT_LE(spans[0].end, 900'000);
  EXPECT_LE(spans[0].start - spans[0].start_uncertainty, 1'000);
}

TEST(KernelEnd, IsAfterItsLastBlocksStampButBeforeWhatFollows) {
  constexpr Nanoseconds kStamp = 9'000 - SeenRun::kAfterStamp;
  const auto alone = seen("stream A\nA: spin 1us\n").stamps(0, 5'000, 9'000).call(1, 100, 20'000).spans({kDispatch});
  EXPECT_EQ(alone[0].end, 9'000) << "in the middle of the 1.5 us that it can take";
  EXPECT_EQ(alone[0].uncertainty, 750u);
  EXPECT_EQ(alone[0].start_uncertainty, 0u);
  const auto at_once =
      seen("stream A\nA: spin 1us\nA: spin 1us\n").stamps(0, 5'000, 9'000).stamps(1, kStamp + 200, 12'000);
  const auto next = at_once.spans({kDispatch});
  EXPECT_EQ(next[0].end, kStamp + 200) << "no later than what waits for it begins";
  EXPECT_EQ(next[0].end - next[0].uncertainty, kStamp - 1'100);
  EXPECT_EQ(next[1].ready, next[1].start);
  // It wrote 64 MiB to the host's memory, of which as much as the cache holds can be on its way.
  constexpr std::string_view kMapped = "buffer m 64MiB host=mapped\nstream A\nA: axpb m fma=1\nA: spin 1us\n";
  const auto mapped = seen(kMapped).stamps(0, 5'000, 4'000'000).stamps(1, 4'900'000, 4'902'000).spans({kDispatch});
  EXPECT_GE(mapped[0].uncertainty, 20'000u);
  EXPECT_LE(mapped[0].uncertainty, 60'000u);
  const auto followed = seen(kMapped).stamps(0, 5'000, 4'000'000).stamps(1, 4'004'000, 4'006'000).spans({kDispatch});
  EXPECT_LE(followed[0].uncertainty, 6'000u);
}

TEST(KernelEnd, BesideMigrationsIsKnownOnlyByWhatFollows) {
  const auto spans = seen(
                         "buffer u 1000000 host=managed\nstreams S 2\nS0: prefetch u to=device\nS1: spin 1us\n"
                         "S1: spin 1us\n")
                         .event(0, 900'000)
                         .stamps(1, 50'000, 60'000)
                         .stamps(2, 500'000, 510'000)
                         .spans({kDispatch});
  EXPECT_GE(spans[1].uncertainty, 440'000u);
  EXPECT_LE(spans[1].uncertainty, 445'000u);
  EXPECT_LE(spans[1].start - spans[1].start_uncertainty, spans[1].ready);
}

TEST(Events, AreSeenLateBehindWhatIsWrittenToTheHostsMemory) {
  // While a kernel writes mapped memory, the event of a copy waits for up to what the cache holds: 21 us.
  const auto spans = seen("buffer m 64MiB host=mapped\nbuffer x 100000\nstreams S 2\nS0: axpb m fma=1\nS1: h2d x\n")
                         .stamps(0, 5'000, 4'000'000)
                         .event(1, 2'000'000)
                         .spans({kDispatch});
  EXPECT_NEAR(spans[1].uncertainty, 20'971u, 100u);
  const auto quiet = seen("buffer m 64MiB host=mapped\nbuffer x 100000\nstreams S 2\nS0: axpb m fma=1\nS1: h2d x\n")
                         .stamps(0, 5'000'000, 9'000'000)
                         .call(0, 4'900'000, 4'900'100)
                         .event(1, 2'000'000)
                         .spans({kDispatch});
  EXPECT_EQ(quiet[1].uncertainty, 0u);
}

TEST(Events, AreSeenLateBehindMigrationsWhileThereAreAny) {
  constexpr std::string_view kText =
      "buffer u 1000000 host=managed\nbuffer x 100000\nstreams S 2\nS0: prefetch u to=device\nS1: h2d x\n";
  const auto during = seen(kText).event(0, 900'000).event(1, 500'000).spans({kDispatch});
  EXPECT_GE(during[1].uncertainty, 50'000u);
  const auto long_after = seen(kText).event(0, 900'000).event(1, 1'500'000).spans({kDispatch});
  EXPECT_EQ(long_after[1].uncertainty, 0u);
}

TEST(Events, SeenLateDoNotMakeEarlierWhatWaitedForTheHostOnly) {
  constexpr std::string_view kText =
      "buffer u 1000000 host=managed\nbuffer x 1000000\nstreams S 2\nS0: prefetch u to=device\nS1: h2d x\n";
  const auto spans = seen(kText).call(1, 480'000, 485'000).event(0, 900'000).event(1, 500'000).spans({kDispatch});
  EXPECT_GE(spans[1].start - spans[1].start_uncertainty, 470'000);
}

TEST(TheGate, MakesReadyWhatWasQueuedBehindIt) {
  const auto spans = seen("buffer x 1000\nstreams S 2\nS0: h2d x\nS1: spin 1us\nS1: spin 1us\n")
                         .event(0, 9'000)
                         .stamps(1, 8'000, 9'500)
                         .stamps(2, 10'000, 12'000)
                         .spans({device::DispatchLatency{}, 5'000});
  EXPECT_EQ(spans[0].ready, 5'000);
  EXPECT_EQ(spans[0].reason, trace::WaitReason::gate);
  EXPECT_EQ(spans[1].reason, trace::WaitReason::gate);
  EXPECT_EQ(spans[2].ready, 9'500);
  EXPECT_EQ(spans[2].reason, trace::WaitReason::stream) << "the last cause to end is the reason";
}

TEST(TheGate, DoesNotHoldWhatIsIssuedAfterItOpened) {
  const auto spans = seen("stream A\nA: spin 1us\n").stamps(0, 9'000, 10'000).spans({device::DispatchLatency{}, 20});
  EXPECT_NE(spans[0].reason, trace::WaitReason::gate);
}

TEST(SourcesOfTimes, AreKeptForEachTime) {
  const auto spans = seen("buffer x 1000\nstream A\nA: h2d x\nA: spin 1us\nA: d2h x\n")
                         .event(0, 9'000, 400)
                         .stamps(1, 9'500, 12'000)
                         .event(2, 15'000, 300)
                         .spans({});
  EXPECT_EQ(spans[0].ready_source, trace::Source::host) << "its own call";
  EXPECT_EQ(spans[0].source, trace::Source::event);
  EXPECT_EQ(spans[0].uncertainty, 400u);
  EXPECT_EQ(spans[1].ready_source, trace::Source::event) << "the copy's end";
  EXPECT_EQ(spans[1].ready_uncertainty, 400u);
  EXPECT_EQ(spans[1].start_source, trace::Source::stamp);
  EXPECT_EQ(spans[2].ready_source, trace::Source::stamp);
  EXPECT_EQ(spans[2].start_source, trace::Source::inferred);
  EXPECT_EQ(spans[3].ready_source, trace::Source::host) << "the synchronisation at the end";
}

}  // namespace
}  // namespace streamscope::reconstruct
