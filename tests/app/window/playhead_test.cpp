// Slow motion in the state: what plays, how fast, and when a frame is due. The host's clock is an argument.
#include "app/window/state/playhead.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/state_loop.h"

namespace streamscope::window {
namespace {

using testing::StateLoop;

constexpr Nanoseconds kSecond = 1'000'000'000;

// Three spans from 0 to 250 ns.
struct Player : StateLoop {
  Player() {
    up();
    finish();
    state.slow_motion.times_slower = 1e6;
  }
  void play() {
    update(command::Play{true});
    at(0);
  }
  void at(Nanoseconds real) { update(command::PlayheadDue{kSecond + real}); }
  void index() {
    update(command::InstantsFound{state.runs.shown,
                                  std::make_shared<const timeline::InstantIndex>(state.runs.shown->run->trace)});
  }
};

TEST(Playing, GoesByTheHostsClockFromWhereItStood) {
  Player loop;
  EXPECT_FALSE(known(loop.state.slow_motion.playhead));
  loop.play();
  EXPECT_TRUE(loop.state.slow_motion.playing);
  EXPECT_EQ(loop.state.slow_motion.playhead, 0);
  loop.at(33'000'000);
  EXPECT_EQ(loop.state.slow_motion.playhead, 33);
  loop.at(33'999'999);
  EXPECT_EQ(loop.state.slow_motion.playhead, 33);
  // However the frames fall, nothing is lost between them.
  for (Nanoseconds real = 34'000'000; real <= 100'000'000; real += 700'001) loop.at(real);
  loop.at(100'000'000);
  EXPECT_EQ(loop.state.slow_motion.playhead, 100);
}

TEST(Playing, StopsAtTheEndAndBeginsAgainFromTheBeginning) {
  Player loop;
  loop.play();
  loop.at(249'000'000);
  EXPECT_TRUE(loop.state.slow_motion.playing);
  loop.at(3 * kSecond);
  EXPECT_FALSE(loop.state.slow_motion.playing);
  EXPECT_EQ(loop.state.slow_motion.playhead, 250);
  loop.update(command::Play{true});
  EXPECT_TRUE(loop.state.slow_motion.playing);
  EXPECT_EQ(loop.state.slow_motion.playhead, 0);
}

TEST(Playing, GoesOnFromWhereItWasStoppedOrSet) {
  Player loop;
  loop.play();
  loop.at(50'000'000);
  loop.update(command::Play{false});
  loop.at(kSecond);
  EXPECT_EQ(loop.state.slow_motion.playhead, 50) << "it stands";
  loop.update(command::Play{true});
  loop.at(9 * kSecond);  // the time in between does not count
  loop.at(9 * kSecond + 10'000'000);
  EXPECT_EQ(loop.state.slow_motion.playhead, 60);
  loop.update(command::SetPlayhead{200});
  EXPECT_TRUE(loop.state.slow_motion.playing) << "scrubbing does not stop it";
  loop.at(10 * kSecond);
  loop.at(10 * kSecond + 1'000'000);
  EXPECT_EQ(loop.state.slow_motion.playhead, 201);
  loop.update(command::SetPlayhead{10'000});
  EXPECT_EQ(loop.state.slow_motion.playhead, 250) << "not beyond the run";
}

TEST(Playing, AChangeOfSpeedDoesNotMoveThePlayhead) {
  Player loop;
  loop.play();
  loop.at(100'000'000);
  loop.update(command::SetSpeed{1e7});
  EXPECT_EQ(loop.state.slow_motion.times_slower, kSlowest);
  loop.update(command::SetSpeed{1e5});
  loop.at(110'000'000);
  EXPECT_EQ(loop.state.slow_motion.playhead, 100);
  loop.at(111'000'000);
  EXPECT_EQ(loop.state.slow_motion.playhead, 110);
  loop.update(command::SetSpeed{0});
  EXPECT_EQ(loop.state.slow_motion.times_slower, kFastest);
}

TEST(Playing, StandsStillWhileARunGoesOn) {
  Player loop;
  loop.play();
  loop.update(command::RunNow{});
  ASSERT_NE(loop.state.running.in_progress, 0u);
  loop.at(10'000'000);
  EXPECT_FALSE(loop.state.slow_motion.playing);
  EXPECT_EQ(loop.state.slow_motion.playhead, 0);
  loop.update(command::Play{true});
  EXPECT_FALSE(loop.state.slow_motion.playing);
  EXPECT_THAT(loop.state.status.text, ::testing::HasSubstr("stands still"));
  loop.finish();
  loop.update(command::Play{true});
  EXPECT_TRUE(loop.state.slow_motion.playing);
}

TEST(Playing, AnotherProgramTakesThePlayheadAway) {
  Player loop;
  loop.play();
  loop.update(command::EditProgram{"stream B\n"});
  loop.update(command::RunNow{});
  loop.checked();
  loop.finish();
  ASSERT_EQ(loop.state.runs.shown->run->program, "stream B\n");
  EXPECT_FALSE(known(loop.state.slow_motion.playhead));
  EXPECT_FALSE(loop.state.slow_motion.playing);
}

TEST(Playing, AFrameIsDueWhenThePlayheadHasMovedByAPixelOrSomethingBeganOrEnded) {
  Player loop;
  EXPECT_FALSE(known(next_frame(loop.state, kSecond, 40))) << "it stands: nothing is due";
  loop.update(command::ShowDock{command::Dock::program});
  loop.play();
  loop.at(0);
  EXPECT_EQ(next_frame(loop.state, kSecond, 40), kSecond + 40'000'000);
  EXPECT_EQ(next_frame(loop.state, kSecond, 0.001), kSecond + 16'666'667) << "sixty times a second at most";
  loop.index();
  EXPECT_EQ(next_frame(loop.state, kSecond, 1000), kSecond + 50'000'000) << "there the first span ends";
  loop.update(command::SetSpeed{1e6});
  loop.at(0);
  loop.update(command::ShowDock{command::Dock::slow_motion});
  loop.update(command::SetPlayhead{51});
  loop.at(0);
  loop.at(0);
  EXPECT_EQ(next_frame(loop.state, kSecond, 1000), kSecond + 49'000'000);
}

TEST(Playing, TheIndexIsMadeOnlyWhereSomebodyLooks) {
  Player loop;
  EXPECT_FALSE(needs_instants(loop.state));
  loop.update(command::ShowDock{command::Dock::slow_motion});
  EXPECT_TRUE(needs_instants(loop.state));
  EXPECT_EQ(instants(loop.state), nullptr);
  const auto before = loop.state.runs.shown;
  loop.index();
  EXPECT_FALSE(needs_instants(loop.state));
  EXPECT_NE(instants(loop.state), nullptr);
  loop.update(command::RunNow{});
  loop.finish();
  EXPECT_TRUE(needs_instants(loop.state)) << "of the new run";
  loop.update(command::InstantsFound{before, std::make_shared<const timeline::InstantIndex>(before->run->trace)});
  EXPECT_EQ(instants(loop.state), nullptr) << "that one was of the run before";
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
