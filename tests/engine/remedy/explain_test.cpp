// What a verdict says and offers, of runs on the model.
#include <gmock/gmock.h>

#include "engine/program/order/order.h"
#include "tests/engine/remedy/simulated_run.h"

namespace streamscope::remedy {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using verdict::Cause;

TEST(Explain, OffersNoOrderThatLeavesOtherData) {
  const auto offered = [](const std::string& last) {
    const auto run = simulated_run(
        "buffer ckpt 384MiB\nbuffer answer 8MiB\nstream dump nonblocking\nstream reply nonblocking\n"
        "repeat 12 as i {\n  dump: d2h ckpt[{i*32}MiB:32MiB]\n}\nreply: axpb answer fma=300\nreply: d2h answer\n"
        "reply: " +
        last + "\nhost: sync device\n");
    const Verdict verdict = verdict_on(*run);
    std::vector<std::string> all;
    for (const Help& each : verdict.others) all.push_back(each.change);
    for (const Entry& each : verdict.entries) {
      if (each.help) all.push_back(each.help->change);
    }
    return all;
  };
  EXPECT_THAT(offered("spin 6ms blocks=1"), Contains("line 10 moved ahead in its stream"));
  EXPECT_THAT(offered("hostfn 6ms"), Not(Contains("line 10 moved ahead in its stream")));
}

// On a GPU what a new order costs is known within a tenth of the run at best.
TEST(Explain, SaysHowUnsureARepairIsOnAGpu) {
  const auto run = simulated_run(
      "buffer x 64MiB\nstream A nonblocking\nstream B nonblocking\nA: h2d x\nB: axpb x fma=200\nhost: sync device\n");
  const Nanoseconds makespan = run->judgement->makespan;
  const auto verdict = explain(*run->judgement, run->source, {.makespan = makespan}, simulator(*run));
  ASSERT_TRUE(verdict);
  ASSERT_FALSE(verdict->entries.empty());
  ASSERT_EQ(verdict->entries[0].cause, Cause::hazard);
  ASSERT_TRUE(verdict->entries[0].help);
  const Help& help = *verdict->entries[0].help;
  EXPECT_GE(help.high - help.predicted, makespan / 10);
  EXPECT_GE(help.predicted - help.low, makespan / 10);
}

// What else there was of the run says nothing: neither how near it came to a bound nor that its chunks are large.
TEST(Explain, OfAFailedKernelSaysTheErrorAndNothingElse) {
  const auto run = simulated_run(
      "buffer x 64MiB\nstream A nonblocking\nA: h2d x\nA: fault illegal-address\nA: axpb x fma=8\nA: d2h x\nhost: sync "
      "A\n");
  const Verdict verdict = verdict_on(*run);
  ASSERT_EQ(verdict.entries.size(), 1u);
  EXPECT_TRUE(verdict.others.empty());
  EXPECT_TRUE(headline(*run->judgement).empty());
  const Entry& only = verdict.entries.front();
  EXPECT_EQ(only.cause, Cause::fault);
  EXPECT_EQ(only.lines, std::vector<std::uint32_t>{4});
  EXPECT_FALSE(only.help);
  EXPECT_THAT(only.text, StartsWith("cudaErrorIllegalAddress: the kernel of line 4 failed, and it took 120 ms until"));
  EXPECT_THAT(only.text, HasSubstr("Calls behind that return it too"));
}

TEST(Explain, OfSeveralDevicesSaysWhichOneFailed) {
  const auto run = simulated_run(
      "stream A\nstream B device=1\nA: spin 10us\nB: fault assert\nA: spin 10us\nhost: sync B\nhost: sync A\n",
      "model:h200x2");
  const Verdict verdict = verdict_on(*run);
  ASSERT_EQ(verdict.entries.size(), 1u);
  EXPECT_THAT(verdict.entries.front().text,
              StartsWith("cudaErrorAssert: the kernel of line 4 failed on device 1, and it took "));
  EXPECT_THAT(verdict.entries.front().text, HasSubstr("return it too, for each device, and nothing"));
}

// A reset right behind it takes the error: what is left tells of it.
TEST(Explain, OfAFailedKernelThatOnlyAResetTellsOfSaysThatThereIsNoDevice) {
  const auto run = simulated_run("stream A\nA: fault illegal-address\nhost: reset\n");
  const Verdict verdict = verdict_on(*run);
  ASSERT_EQ(verdict.entries.size(), 1u);
  EXPECT_TRUE(headline(*run->judgement).empty());
  EXPECT_EQ(verdict.entries.front().cause, Cause::fault);
  EXPECT_EQ(verdict.entries.front().lines, std::vector<std::uint32_t>{2});
  EXPECT_THAT(verdict.entries.front().text, StartsWith("cudaErrorDevicesUnavailable: the kernel of line 2 failed"));
}

// Without the wait the copy would race with the kernel: no verdict offers that.
TEST(Explain, OffersNothingThatAddsAHazard) {
  const auto run = simulated_run(
      "buffer x 64MiB\nstream A nonblocking\nstream B nonblocking\nevent e\nA: h2d x\nA: record e\nB: wait e\n"
      "B: axpb x fma=2000\nhost: sync B\nhost: touch x\nB: d2h x\nhost: sync device\n");
  const Verdict verdict = verdict_on(*run);
  std::vector<Help> all = verdict.others;
  for (const Entry& each : verdict.entries) {
    if (each.help) all.push_back(*each.help);
  }
  for (const Help& each : all) {
    const auto changed = program::read_program(each.changed.program, "changed");
    ASSERT_TRUE(changed);
    EXPECT_TRUE(program::hazards(changed->program).empty()) << each.difference;
  }
}

TEST(Explain, NamesALineOnceThatIsAHazardWithItself) {
  const auto run = simulated_run(
      "buffer x 64MiB\nstreams S 2 nonblocking\nrepeat 2 as i {\n  S{i}: axpb x fma=10\n}\nhost: sync device\n");
  const Verdict verdict = verdict_on(*run);
  ASSERT_FALSE(verdict.entries.empty());
  EXPECT_EQ(verdict.entries.front().cause, Cause::hazard);
  EXPECT_THAT(verdict.entries.front().lines, ElementsAre(4u));
  EXPECT_THAT(verdict.entries.front().text, StartsWith("Line 4 touches"));
}

TEST(Explain, NamesAHazardBeforeAllElse) {
  const auto run = simulated_run(
      "buffer x 64MiB host=pageable\nstream A nonblocking\nstream B nonblocking\nA: h2d x\nB: axpb x fma=10\nhost: "
      "sync device\n");
  const Verdict verdict = verdict_on(*run);
  ASSERT_FALSE(verdict.entries.empty());
  EXPECT_EQ(verdict.entries.front().cause, Cause::hazard);
  EXPECT_THAT(verdict.entries.front().lines, ElementsAre(4u, 5u));
  // And repairs it.
  ASSERT_TRUE(verdict.entries.front().help);
  const auto repaired = program::read_program(verdict.entries.front().help->changed.program, "repaired");
  ASSERT_TRUE(repaired) << repaired.error().message;
  EXPECT_TRUE(program::hazards(repaired->program).empty()) << verdict.entries.front().help->difference;
  // However far off the model is: it is the data that it helps.
  const auto far = explain(*run->judgement, run->source, {.makespan = 3 * run->judgement->makespan}, simulator(*run));
  ASSERT_TRUE(far);
  ASSERT_TRUE(far->entries.front().help);
  EXPECT_TRUE(far->entries.front().help->sure);
}

// A run that took three times what the model makes of it: a change that gains less is no promise. At a tenth off it is
// likely, and its figure too uncertain to be told.
TEST(Explain, PromisesNoLessThanTheModelIsOff) {
  const auto run = simulated_run(
      "buffer x 64MiB\nstream A nonblocking\nrepeat 8 as i {\n  A: h2d x[{i*8}MiB:8MiB]\n  A: axpb x[{i*8}MiB:8MiB] "
      "fma=500\n  A: d2h x[{i*8}MiB:8MiB]\n}\nhost: sync device\n");
  const auto of = [&](Nanoseconds makespan) {
    auto verdict = explain(*run->judgement, run->source, {.makespan = makespan}, simulator(*run));
    EXPECT_TRUE(verdict);
    return verdict->entries.front();
  };
  const Nanoseconds makespan = run->judgement->makespan;
  const Entry close = of(makespan * 101 / 100), near = of(makespan * 11 / 10), far = of(makespan * 3);
  ASSERT_TRUE(close.help && near.help && far.help);
  EXPECT_TRUE(close.help->sure && close.help->likely);
  EXPECT_TRUE(!near.help->sure && near.help->likely);
  EXPECT_THAT(help_text(*near.help), HasSubstr("too uncertain"));
  EXPECT_TRUE(!far.help->sure && !far.help->likely);
  EXPECT_THAT(help_text(*far.help), HasSubstr("too uncertain"));
  EXPECT_GE(far.help->high, makespan * 3);
}

// Staging goes at each host's own pace: of what leaves it in place no figure is given, however well the run is
// predicted.
TEST(Explain, GivesNoFigureWhereTheHostsMemoryTells) {
  const auto run = simulated_run(
      "buffer x 64MiB host=pageable\nstream A nonblocking\nrepeat 8 as i {\n  A: h2d x[{i*8}MiB:8MiB]\n  A: axpb "
      "x[{i*8}MiB:8MiB] fma=2000\n  A: d2h x[{i*8}MiB:8MiB]\n}\nhost: sync device\n");
  const auto verdict = explain(*run->judgement, run->source, {.makespan = run->judgement->makespan}, simulator(*run));
  ASSERT_TRUE(verdict);
  int others = 0;
  for (const Entry& entry : verdict->entries) {
    if (!entry.help) continue;
    const bool is_pinned = entry.cause == Cause::pageable_copy;
    EXPECT_EQ(entry.help->sure, is_pinned) << entry.help->change;
    others += is_pinned ? 0 : 1;
  }
  EXPECT_GT(others, 0);
}

// A kernel whose copies are narrow by its own options is not at any bound.
TEST(Explain, OffersTheCopiesThatAKernelWouldChooseByItself) {
  const auto of_text = simulated_run(
      "buffer x 256MiB\nstream A nonblocking\nA: tiles x fma=128 copy=cp.async stages=4 tile=4KiB wait=all "
      "smem-align=4\nhost: sync A\n");
  const auto of_keys = simulated_run(
      "name = \"t\"\nbytes = \"256MiB\"\nchunk = \"256MiB\"\nh2d = false\nd2h = false\n[kernel]\nname = \"tiles\"\n"
      "fma = 128\ncopy = \"cp.async\"\nstages = 4\ntile = \"4KiB\"\nsmem_align = 4\n");
  for (const SimulatedRun* const run : {of_text.get(), of_keys.get()}) {
    const Verdict verdict = verdict_on(*run);
    ASSERT_FALSE(verdict.entries.empty());
    const Entry& first = verdict.entries.front();
    EXPECT_EQ(first.cause, Cause::tile_stages);
    ASSERT_TRUE(first.help);
    EXPECT_THAT(first.help->change, StartsWith("smem-align"));
    EXPECT_LT(first.help->predicted, run->judgement->makespan * 6 / 10);
  }
}

// What the model says of its own changes is what they are.
TEST(Explain, AModelsPredictionOfItselfIsExact) {
  const auto run = simulated_run("name = \"o\"\nbytes = \"256MiB\"\nchunk = \"16MiB\"\nstreams = 1\n");
  const Verdict verdict = verdict_on(*run);
  ASSERT_TRUE(verdict.entries.front().help);
  const Help& help = *verdict.entries.front().help;
  const auto changed = simulated_run(help.changed, "model:h200");
  EXPECT_EQ(help.predicted, changed->judgement->makespan);
  EXPECT_EQ(help.low, help.predicted);
  EXPECT_EQ(help.high, help.predicted);
}

constexpr std::string_view kAFreeWaits =
    "stream A nonblocking\nstream B nonblocking\nhost: malloc t 1MiB\nA: spin 5ms\nhost: free t\nB: spin 5ms\n"
    "host: sync device\n";

const Entry* entry_of(const Verdict& verdict, Cause cause) {
  const auto found = std::ranges::find(verdict.entries, cause, &Entry::cause);
  return found == verdict.entries.end() ? nullptr : &*found;
}

// A device without the cause is tried, and takes as long.
TEST(Explain, SaysOfATimeOnThePathNotThatItIsACost) {
  const auto run = simulated_run(kAFreeWaits);
  const Nanoseconds makespan = run->judgement->makespan;
  const auto as_long = [&](const program::Program&, std::optional<Cause>) -> Result<Nanoseconds> { return makespan; };
  const auto verdict = explain(*run->judgement, run->source, {.makespan = 2 * makespan}, as_long);
  ASSERT_TRUE(verdict);
  const Entry* const free = entry_of(*verdict, Cause::implicit_sync);
  ASSERT_NE(free, nullptr);
  EXPECT_THAT(free->text, HasSubstr("on the critical path"));
  EXPECT_THAT(free->text, Not(HasSubstr("It costs")));
}

// A host that is ten times as fast is nothing to be had, and stands behind what is.
TEST(Explain, SaysOfADearerLateHostThatItCostsAtLeastWhatTheFirstDoes) {
  const auto run = simulated_run(kAFreeWaits);
  const Nanoseconds makespan = run->judgement->makespan;
  const auto faster = [&](const program::Program&, std::optional<Cause> without) -> Result<Nanoseconds> {
    if (without == Cause::host_late) return makespan * 4 / 10;
    return without == Cause::implicit_sync ? makespan * 5 / 10 : makespan;
  };
  const auto verdict = explain(*run->judgement, run->source, {.makespan = makespan, .model = true}, faster);
  ASSERT_TRUE(verdict);
  ASSERT_EQ(verdict->entries.at(0).cause, Cause::implicit_sync);
  const Entry* const late = entry_of(*verdict, Cause::host_late);
  ASSERT_NE(late, nullptr);
  EXPECT_EQ(late->cost, verdict->entries[0].cost);
  EXPECT_THAT(late->text, HasSubstr("It costs at least"));
}

}  // namespace
}  // namespace streamscope::remedy
