// Changes one after the other, on the model and on figures written by hand.
#include "engine/remedy/fix.h"

#include <gmock/gmock.h>

#include "engine/remedy/explain_run.h"
#include "tests/engine/remedy/simulated_run.h"

namespace streamscope::remedy {
namespace {

Help help_to(const char* program, Nanoseconds predicted) {
  Help help;
  help.changed.program = program;
  help.predicted = predicted;
  return help;
}
Verdict offering(std::vector<Help> helps) {
  Verdict verdict;
  verdict.others = std::move(helps);
  return verdict;
}

TEST(Fix, KeepsWhatIsFasterAndLeavesOutWhatIsNot) {
  const TryIt try_it = [](const Source& source) -> Result<Tried> {
    if (source.program == "wrong") return Tried{120, offering({})};
    if (source.program == "good") return Tried{80, offering({help_to("better", 60), help_to("wrong", 50)})};
    return Tried{60, offering({help_to("good", 10)})};
  };
  const auto steps = fix({"", "as it was"}, {100, offering({help_to("good", 85), help_to("wrong", 70)})}, try_it);
  ASSERT_TRUE(steps);
  ASSERT_EQ(steps->size(), 3u);
  EXPECT_FALSE((*steps)[0].kept);
  EXPECT_EQ((*steps)[0].help.measured, 120);
  EXPECT_TRUE((*steps)[1].kept);
  EXPECT_EQ((*steps)[1].help.measured, 80);
  EXPECT_TRUE((*steps)[2].kept);
  EXPECT_EQ((*steps)[2].help.measured, 60);
}

TEST(Fix, EndsAfterTwentyRuns) {
  int runs = 0;
  const TryIt try_it = [&](const Source&) -> Result<Tried> {
    ++runs;
    return Tried{1'000'000 - 40'000 * runs, offering({help_to(std::to_string(runs).c_str(), 0)})};
  };
  const auto steps = fix({}, {1'000'000, offering({help_to("first", 0)})}, try_it);
  ASSERT_TRUE(steps);
  EXPECT_EQ(runs, kMostFixRuns);
}

TEST(Fix, EndsWithTheErrorOfARun) {
  const TryIt try_it = [](const Source&) -> Result<Tried> { return fail(ErrorKind::cancelled, "stopped"); };
  EXPECT_FALSE(fix({}, {1000, offering({help_to("first", 0)})}, try_it));
}

// What fails sooner is no gain; and work stays on its device.
TEST(ExplainRun, OffersNothingWhereCallsFailAndNoOtherDevice) {
  const std::string slow = "default: spin 500us\nper-thread: spin 400us\ndefault: spin 500us\n";
  const auto offers = [](const std::string& text, std::string_view device) {
    trace::Run run;
    run.program = text;
    run.trace = simulated_run({"", text}, device)->trace;
    const auto explained = explain_run(run, {});
    EXPECT_TRUE(explained) << explained.error().message;
    if (!explained) return false;
    const Verdict& verdict = (*explained)->verdict;
    return !verdict.others.empty() ||
           std::ranges::any_of(verdict.entries, [](const Entry& each) { return each.help.has_value(); });
  };
  EXPECT_TRUE(offers(slow, "model:h200"));
  EXPECT_FALSE(offers(slow + "per-thread: fault trap\n", "model:h200"));
  EXPECT_FALSE(offers("host: device 1\n" + slow, "model:h200x2"));
  const std::string turns =
      "buffer x 64MiB device=0,1\nstream A device=1\nrepeat 8 as i {\n  A: h2d x[{i*8}MiB:8MiB]\n"
      "  A: axpb x[{i*8}MiB:8MiB] fma=64\n  A: d2h x[{i*8}MiB:8MiB]\n}\n";
  EXPECT_TRUE(offers(turns, "model:h200x2"));
}

TEST(ExplainRun, SaysHowManySimulationsAreDone) {
  trace::Run run;
  run.program = "stream A\ndefault: spin 1ms\nA: spin 1ms\ndefault: spin 1ms\n";
  run.trace = simulated_run({"", run.program}, "model:h200")->trace;
  std::vector<int> counts;
  const auto explained =
      explain_run(run, {}, {}, Circumstances{}.most_simulated, [&](int done) { counts.push_back(done); });
  ASSERT_TRUE(explained);
  ASSERT_GE(counts.size(), 2u);  // the run as it is, and a change
  for (std::size_t i = 0; i < counts.size(); ++i) EXPECT_EQ(counts[i], static_cast<int>(i) + 1);
}

// Several faults at once: all are gone at the end.
TEST(Fix, TakesOneFaultAfterTheOtherAway) {
  const auto make = [](const Source& source) -> Result<Tried> {
    const auto run = simulated_run(source, "model:h200");
    return Tried{run->judgement->makespan, verdict_on(*run)};
  };
  const Source source =
      source_from("name = \"w\"\nbytes = \"256MiB\"\nchunk = \"64MiB\"\nhost = \"pageable\"\nstreams = 1\n");
  Tried now = *make(source);
  const Nanoseconds before = now.makespan;
  const auto steps = fix(source, std::move(now), make);
  ASSERT_TRUE(steps);
  ASSERT_FALSE(steps->empty());
  Nanoseconds best = before;
  for (const FixStep& each : *steps) {
    if (each.kept) {
      EXPECT_LT(each.help.measured, best);
      best = each.help.measured;
    }
  }
  EXPECT_LT(best, before / 5);
}

}  // namespace
}  // namespace streamscope::remedy
