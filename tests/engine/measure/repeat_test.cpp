// The loop under every measurement, on a device that writes down which passes it was asked for.
#include "engine/measure/repeat.h"

#include <gmock/gmock.h>

#include "tests/engine/measure/fake_device.h"

namespace streamscope::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

struct Made {
  Script script;
  std::vector<std::pair<int, std::size_t>> passes;  // turn and place
  Result<Ended> ended = Ended::all_made;
};

Made repeated(const Repetition& repetition, const std::function<bool(int)>& enough = {}, Script script = {},
              device::RunControl control = {}) {
  Made made;
  made.script = std::move(script);
  FakeProgram loaded(made.script);
  made.ended = repeat(
      loaded, repetition, control,
      {[&](int turn, std::size_t place, const device::Pass&) { made.passes.emplace_back(turn, place); }, enough});
  return made;
}

Repetition pairs(int turns) {
  Repetition repetition;
  repetition.turn = {device::Instrument::full, device::Instrument::bare};
  repetition.most = turns;
  return repetition;
}

TEST(Repeat, WarmsUpAndReversesTheOrderFromTurnToTurn) {
  Repetition repetition = pairs(3);
  repetition.warm_ups = 2;
  const Made made = repeated(repetition);
  ASSERT_TRUE(made.ended);
  EXPECT_EQ(*made.ended, Ended::all_made);
  using P = std::pair<int, std::size_t>;
  EXPECT_THAT(made.passes, ElementsAre(P{-1, 0}, P{-1, 0}, P{0, 0}, P{0, 1}, P{1, 1}, P{1, 0}, P{2, 0}, P{2, 1}));
  EXPECT_THAT(made.script.log, ElementsAre("full", "full", "full", "bare", "bare", "full", "full", "bare", "unload"));
}

TEST(Repeat, EndsBeforeTheTurnAtWhichThereAreEnough) {
  const Made made = repeated(pairs(9), [](int turn) { return turn == 2; });
  ASSERT_TRUE(made.ended);
  EXPECT_EQ(*made.ended, Ended::enough);
  EXPECT_THAT(made.passes, SizeIs(1 + 2 * 2));
}

TEST(Repeat, ATimeoutEndsItAfterTheLeast) {
  Repetition repetition = pairs(9);
  repetition.timeout = 0;
  repetition.least = 3;
  const Made made = repeated(repetition);
  ASSERT_TRUE(made.ended);
  EXPECT_EQ(*made.ended, Ended::timed_out);
  EXPECT_THAT(made.passes, SizeIs(1 + 3 * 2));
}

TEST(Repeat, AFailureEndsItAndWhatWasMadeStands) {
  Script script;
  script.fail_at = "bare";
  script.fail_on = 1;
  const Made made = repeated(pairs(9), {}, std::move(script));
  ASSERT_FALSE(made.ended);
  EXPECT_EQ(made.ended.error().kind, ErrorKind::device_failed);
  EXPECT_THAT(made.passes, SizeIs(1 + 2));
}

TEST(Repeat, EachSampledTurnSeesAnotherShare) {
  Repetition repetition;
  device::PassRequest sampled(device::Instrument::sampled);
  sampled.share.of = 4;
  repetition.turn = {sampled};
  repetition.most = 4;
  const Made made = repeated(repetition);
  std::vector<std::uint32_t> phases;
  for (std::size_t i = 1; i < made.script.requests.size(); ++i) phases.push_back(made.script.requests[i].share.phase);
  EXPECT_THAT(phases, ::testing::UnorderedElementsAre(0u, 1u, 2u, 3u));
}

}  // namespace
}  // namespace streamscope::measure
