// Slow motion in the state: what plays, how fast, and when a frame is due. The host's clock is an argument.
#include "app/window/state/playhead.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/state_desk.h"

namespace streamscope::window {
namespace {

using testing::Desk;

constexpr Nanoseconds kSecond = 1'000'000'000;

// Three spans from 0 to 250 ns.
struct Player : Desk {
  Player() {
    up();
    finish();
    state.times_slower = 1e6;
  }
  void play() {
    apply(command::Play{true});
    at(0);
  }
  void at(Nanoseconds real) { apply(command::PlayheadDue{kSecond + real}); }
  void index() {
    apply(command::InstantsFound{state.shown, std::make_shared<const timeline::InstantIndex>(state.shown->run->trace)});
  }
};

TEST(Playing, GoesByTheHostsClockFromWhereItStood) {
  Player desk;
  EXPECT_FALSE(known(desk.state.playhead));
  desk.play();
  EXPECT_TRUE(desk.state.playing);
  EXPECT_EQ(desk.state.playhead, 0);
  desk.at(33'000'000);
  EXPECT_EQ(desk.state.playhead, 33);
  desk.at(33'999'999);
  EXPECT_EQ(desk.state.playhead, 33);
  // However the frames fall, nothing is lost between them.
  for (Nanoseconds real = 34'000'000; real <= 100'000'000; real += 700'001) desk.at(real);
  desk.at(100'000'000);
  EXPECT_EQ(desk.state.playhead, 100);
}

TEST(Playing, StopsAtTheEndAndBeginsAgainFromTheBeginning) {
  Player desk;
  desk.play();
  desk.at(249'000'000);
  EXPECT_TRUE(desk.state.playing);
  desk.at(3 * kSecond);
  EXPECT_FALSE(desk.state.playing);
  EXPECT_EQ(desk.state.playhead, 250);
  desk.apply(command::Play{true});
  EXPECT_TRUE(desk.state.playing);
  EXPECT_EQ(desk.state.playhead, 0);
}

TEST(Playing, GoesOnFromWhereItWasStoppedOrSet) {
  Player desk;
  desk.play();
  desk.at(50'000'000);
  desk.apply(command::Play{false});
  desk.at(kSecond);
  EXPECT_EQ(desk.state.playhead, 50) << "it stands";
  desk.apply(command::Play{true});
  desk.at(9 * kSecond);  // the time in between does not count
  desk.at(9 * kSecond + 10'000'000);
  EXPECT_EQ(desk.state.playhead, 60);
  desk.apply(command::SetPlayhead{200});
  EXPECT_TRUE(desk.state.playing) << "scrubbing does not stop it";
  desk.at(10 * kSecond);
  desk.at(10 * kSecond + 1'000'000);
  EXPECT_EQ(desk.state.playhead, 201);
  desk.apply(command::SetPlayhead{10'000});
  EXPECT_EQ(desk.state.playhead, 250) << "not beyond the run";
}

TEST(Playing, AChangeOfSpeedDoesNotMoveThePlayhead) {
  Player desk;
  desk.play();
  desk.at(100'000'000);
  desk.apply(command::SetSpeed{1e7});
  EXPECT_EQ(desk.state.times_slower, kSlowest);
  desk.apply(command::SetSpeed{1e5});
  desk.at(110'000'000);
  EXPECT_EQ(desk.state.playhead, 100);
  desk.at(111'000'000);
  EXPECT_EQ(desk.state.playhead, 110);
  desk.apply(command::SetSpeed{0});
  EXPECT_EQ(desk.state.times_slower, kFastest);
}

TEST(Playing, StandsStillWhileARunGoesOn) {
  Player desk;
  desk.play();
  desk.apply(command::RunNow{});
  ASSERT_NE(desk.state.in_progress, 0u);
  desk.at(10'000'000);
  EXPECT_FALSE(desk.state.playing);
  EXPECT_EQ(desk.state.playhead, 0);
  desk.apply(command::Play{true});
  EXPECT_FALSE(desk.state.playing);
  EXPECT_THAT(desk.state.said, ::testing::HasSubstr("stands still"));
  desk.finish();
  desk.apply(command::Play{true});
  EXPECT_TRUE(desk.state.playing);
}

TEST(Playing, AnotherProgramTakesThePlayheadAway) {
  Player desk;
  desk.play();
  desk.apply(command::EditProgram{"stream B\n"});
  desk.apply(command::RunNow{});
  desk.checked();
  desk.finish();
  ASSERT_EQ(desk.state.shown->run->program, "stream B\n");
  EXPECT_FALSE(known(desk.state.playhead));
  EXPECT_FALSE(desk.state.playing);
}

TEST(Playing, AFrameIsDueWhenThePlayheadHasMovedByAPixelOrSomethingBeganOrEnded) {
  Player desk;
  EXPECT_FALSE(known(next_frame(desk.state, kSecond, 40))) << "it stands: nothing is due";
  desk.apply(command::ShowDock{command::Dock::program});
  desk.play();
  desk.at(0);
  EXPECT_EQ(next_frame(desk.state, kSecond, 40), kSecond + 40'000'000);
  EXPECT_EQ(next_frame(desk.state, kSecond, 0.001), kSecond + 16'666'667) << "sixty times a second at most";
  desk.index();
  EXPECT_EQ(next_frame(desk.state, kSecond, 1000), kSecond + 50'000'000) << "there the first span ends";
  desk.apply(command::SetSpeed{1e6});
  desk.at(0);
  desk.apply(command::ShowDock{command::Dock::slow_motion});
  desk.apply(command::SetPlayhead{51});
  desk.at(0);
  desk.at(0);
  EXPECT_EQ(next_frame(desk.state, kSecond, 1000), kSecond + 49'000'000);
}

TEST(Playing, TheIndexIsMadeOnlyWhereSomebodyLooks) {
  Player desk;
  EXPECT_FALSE(needs_instants(desk.state));
  desk.apply(command::ShowDock{command::Dock::slow_motion});
  EXPECT_TRUE(needs_instants(desk.state));
  EXPECT_EQ(instants(desk.state), nullptr);
  const auto before = desk.state.shown;
  desk.index();
  EXPECT_FALSE(needs_instants(desk.state));
  EXPECT_NE(instants(desk.state), nullptr);
  desk.apply(command::RunNow{});
  desk.finish();
  EXPECT_TRUE(needs_instants(desk.state)) << "of the new run";
  desk.apply(command::InstantsFound{before, std::make_shared<const timeline::InstantIndex>(before->run->trace)});
  EXPECT_EQ(instants(desk.state), nullptr) << "that one was of the run before";
}

TEST(Playback, TheTwoClocksAreEachOthersInverse) {
  const Playback playback{1'000, 5 * kSecond};
  for (const double slower : {1.0, 7.0, 1000.0, 1e6})
    for (const Nanoseconds time : {1'000LL, 1'001LL, 1'999LL, 123'456LL}) {
      const Nanoseconds due = comes_to(playback, slower, time);
      EXPECT_EQ(played(playback, slower, due), time) << slower;
      EXPECT_TRUE(due == playback.since || played(playback, slower, due - 1) < time) << slower;
    }
  EXPECT_EQ(played(playback, 1, 0), 1'000) << "a clock does not go back";
}

TEST(Playback, SpeedsGoInStepsOfOneTwoFive) {
  EXPECT_EQ(speed(0), 1);
  EXPECT_EQ(speed(1), 2);
  EXPECT_EQ(speed(2), 5);
  EXPECT_EQ(speed(kSpeeds - 1), kSlowest);
  for (int step = 0; step < kSpeeds; ++step) EXPECT_EQ(step_of(speed(step)), step);
  EXPECT_EQ(step_of(900), step_of(1000));
  EXPECT_EQ(speed_text(10'000, 5'300'000), "10,000 × slower: 5.3 ms take 53 s");
  EXPECT_EQ(speed_text(1, 5'300'000), "as fast as it was: 5.3 ms");
}

}  // namespace
}  // namespace streamscope::window
