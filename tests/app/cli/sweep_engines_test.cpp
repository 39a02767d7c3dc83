// A sweep on several engines: real ones, and such that go wrong (tests/support/frail_engine.cpp,
// misbehaving_engine.cpp).
#include "app/cli/sweep_engines.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <utility>

#include "app/cli/input.h"
#include "engine/base/stop_source.h"
#include "engine/output/output.h"
#include "tests/app/cli/command_line.h"
#include "tests/app/session/children.h"
#include "tests/support/open_device.h"

namespace streamscope::cli {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kEngine = "'" STREAMSCOPE_PROGRAM "' engine";

std::string frail(int at, const std::string& how) {
  return "exec " STREAMSCOPE_TEST_PROGRAMS "/frail_engine " + std::to_string(at) + " " + how;
}
std::string misbehaving(const std::string& mode) {
  return "exec " STREAMSCOPE_TEST_PROGRAMS "/misbehaving_engine " + mode;
}

using EnginesOfASweep = CommandLine;

struct Swept {
  sweep::Sweep sweep;
  std::optional<Error> ended;
  std::vector<std::string> told;
  int begun = 0;  // runs
};

experiment::InputText source() {
  auto read = read_source("four-streams");
  EXPECT_TRUE(read);
  return read ? *read : experiment::InputText{};
}

sweep::Sweep blank(const std::vector<std::string>& axes, std::vector<std::string> settings) {
  sweep::Sweep sweep;
  sweep.settings = std::move(settings);
  sweep.axes = *sweep::parse_axes(axes);
  return sweep;
}

sweep::Combinations combined(const sweep::Sweep& sweep) {
  auto all = sweep::combine(source(), sweep.settings, sweep.axes);
  EXPECT_TRUE(all) << all.error().message;
  return all ? *all : sweep::Combinations{};
}

const std::vector<std::string> kSix = {"streams=[1,2,3,4,5,6]"};

struct Asked {
  std::vector<std::string> engines;
  std::vector<std::string> axes = kSix;
  std::vector<std::string> settings = {"bytes=16MiB"};
  std::string device = "model:h200";
  EngineSweep how = {};
  std::size_t stop_at = 1'000'000;  // once so many are done
};

// A model's runs take no time, so that no limit is met but by an engine that says nothing.
Swept swept(Asked asked) {
  Swept out;
  out.sweep = blank(asked.axes, asked.settings);
  const sweep::Combinations all = combined(out.sweep);
  asked.how.commands = asked.engines;
  asked.how.device = *device::parse_device(asked.device);
  const StopSource stop;
  const EngineSweepCalls calls{.progress =
                                   [&](const sweep::SweepProgress& at) {
                                     ++out.begun;
                                     if (at.combination >= asked.stop_at) stop.request_stop();
                                   },
                               .tell = [&](const std::string& line) { out.told.push_back(line); }};
  out.ended = sweep_on_engines(asked.how, source(), all, stop.flag(), calls, out.sweep);
  session::expect_no_children();
  return out;
}

// The same by run_sweep(), on the device here.
sweep::Sweep swept_here(const Asked& asked) {
  sweep::Sweep sweep = blank(asked.axes, asked.settings);
  const auto device = tests::open_device(asked.device);
  EXPECT_TRUE(device);
  EXPECT_FALSE(sweep::run_sweep(**device, source(), combined(sweep), {.runs = 1}, {}, {}, sweep));
  return sweep;
}

std::map<std::string, int> counts(const sweep::Sweep& sweep) {
  std::map<std::string, int> of;
  for (const sweep::SweepPoint& point : sweep.points)
    if (point.result && !point.same_as) ++of[point.result->engine];
  return of;
}

// Without who made it and when, which is not the same.
std::string files_of(sweep::Sweep sweep) {
  for (sweep::SweepPoint& point : sweep.points)
    if (point.result) point.result->engine.clear();
  sweep.provenance.date.clear();
  return output::sweep_csv(sweep) + output::sweep_json(sweep);
}

TEST_F(EnginesOfASweep, FindWhatOneFinds) {
  // Points that cannot be, that the device refuses, and that are the same program as others.
  const Asked asked{.engines = {kEngine, kEngine, "exec " + kEngine},
                    .axes = {"kernel.copy=[sync,cp.async,bulk]", "kernel.stages=[1,2,3]", "kernel.tile=[16KiB,128KiB]"},
                    .settings = {"kernel.name=tiles", "streams=1", "bytes=16MiB", "chunk=16MiB"},
                    .device = "model:laptop-pcie4x8"};
  const Swept several = swept(asked);
  ASSERT_FALSE(several.ended) << several.ended->message;
  const sweep::Sweep one = swept_here(asked);
  EXPECT_EQ(files_of(several.sweep), files_of(one));
  EXPECT_THAT(one.points, AllOf(Contains(::testing::Field(&sweep::SweepPoint::same_as, ::testing::Ne(std::nullopt))),
                                Contains(::testing::Field(&sweep::SweepPoint::why_not, HasSubstr("9.0")))));
  const sweep::Combinations all = combined(blank(asked.axes, asked.settings));
  EXPECT_EQ(several.begun,
            std::count_if(all.all.begin(), all.all.end(),
                          [](const sweep::Combination& each) { return each.why_not.empty() && !each.same_as; }))
      << "each once";
  for (const auto& [name, count] : counts(several.sweep)) EXPECT_THAT(engine_names(asked.engines), Contains(name));
}

TEST_F(EnginesOfASweep, FindItAllWhereOneIsKilled) {
  const Asked asked{
      .engines = {kEngine, frail(3, "dies"), "exec " + kEngine},
      .axes = {"streams=[1,2,3,4,5,6]", "chunk=[1MiB,2MiB,4MiB,8MiB]", "order=[depth-first,breadth-first]"}};
  const Swept several = swept(asked);
  ASSERT_FALSE(several.ended) << several.ended->message;
  sweep::Sweep without_notes = several.sweep, here = swept_here(asked);
  without_notes.notes.clear();
  here.notes.clear();
  EXPECT_EQ(files_of(without_notes), files_of(here));
  const bool died = std::any_of(several.told.begin(), several.told.end(),
                                [](const std::string& line) { return line.find(" was lost: ") != std::string::npos; });
  auto of_each = counts(several.sweep);
  EXPECT_EQ(several.begun, counts(here).at("") + (died ? 1 : 0));
  EXPECT_LE(of_each[frail(3, "dies")], 2);
}

TEST_F(EnginesOfASweep, AreCalledByTheirCommands) {
  EXPECT_THAT(engine_names({"ssh a", "x", "ssh b", "x"}), ElementsAre("ssh a", "x #1", "ssh b", "x #2"));
}

// The second engine starts when the first has died.
class DyingAt : public EnginesOfASweep, public ::testing::WithParamInterface<int> {};

TEST_P(DyingAt, ItsPointsAreTakenOver) {
  const int at = GetParam();
  ASSERT_EQ(::mkfifo(path("over").c_str(), 0600), 0);
  const std::string first = "(" + frail(at, "dies") + "); echo over >" + path("over");
  const std::string second = "read over <" + path("over") + "; " + kEngine;
  const Asked asked{.engines = {first, second}};
  const Swept both = swept(asked);
  ASSERT_FALSE(both.ended) << both.ended->message;
  sweep::Sweep without_notes = both.sweep, here = swept_here(asked);
  without_notes.notes.clear();
  here.notes.clear();
  EXPECT_EQ(files_of(without_notes), files_of(here));
  for (int i = 0; i < 6; ++i) {
    ASSERT_TRUE(both.sweep.points[i].result) << i;
    EXPECT_EQ(both.sweep.points[i].result->engine, i + 1 < at ? first : second) << i;
  }
  EXPECT_EQ(both.begun, 7) << "all once, and the one that was lost";
  EXPECT_THAT(both.told, Contains(HasSubstr("Engine " + first + " was lost: The engine ended")));
  EXPECT_THAT(trace::texts(both.sweep.notes), Contains(HasSubstr("was lost")));
}

INSTANTIATE_TEST_SUITE_P(EnginesOfASweep, DyingAt, ::testing::Values(1, 3, 6));

TEST_F(EnginesOfASweep, ThatCannotBeUsedAreSaidAndTheOthersGoOn) {
  const Swept some = swept({.engines = {misbehaving("garbage"), kEngine, "no-such-program engine", misbehaving("dies"),
                                        misbehaving("protocol"), frail(2, "garbage")}});
  ASSERT_FALSE(some.ended) << some.ended->message;
  EXPECT_THAT(some.sweep.points, Each(::testing::Field(&sweep::SweepPoint::result, ::testing::Ne(std::nullopt))));
  EXPECT_THAT(some.told, AllOf(Contains(AllOf(HasSubstr("garbage cannot be used: The engine sent an invalid message"),
                                              HasSubstr("Welcome to gpubox"))),
                               Contains(HasSubstr("no-such-program engine cannot be used: The engine ended")),
                               Contains(HasSubstr("exit code 3. (no GPU in this drawer)")),
                               Contains(HasSubstr("speaks protocol 99"))));
  EXPECT_THAT(some.told, Each(::testing::Not(HasSubstr("\n")))) << "one line each";
}

TEST_F(EnginesOfASweep, HasNoneThatHasTheDevice) {
  const Swept none = swept({.engines = {kEngine, kEngine}, .device = "cuda:999"});
  ASSERT_TRUE(none.ended);
  EXPECT_EQ(none.ended->kind, ErrorKind::device_failed);
  EXPECT_THAT(none.told, Contains(HasSubstr("#2 cannot be used: ")));
}

TEST_F(EnginesOfASweep, LeaveWhatIsForMoreDevicesToWhoHasThem) {
  const Asked asked{.engines = {kEngine, "exec " + kEngine},
                    .axes = {"devices=[2,1]", "streams=[1,2,4]"},
                    .settings = {"bytes=16MiB", "chunk=1MiB"}};
  const Swept few = swept(asked);
  ASSERT_FALSE(few.ended) << few.ended->message;
  EXPECT_EQ(files_of(few.sweep), files_of(swept_here(asked))) << "none has two";
  EXPECT_THAT(few.sweep.points[0].why_not, HasSubstr("the program is for 2 devices"));
  EXPECT_THAT(few.told, Each(::testing::StartsWith("engine "))) << "none is given up";
  const Swept all = swept({.engines = {frail(0, "one-device"), kEngine},
                           .axes = asked.axes,
                           .settings = asked.settings,
                           .device = "model:h200x2"});
  ASSERT_FALSE(all.ended) << all.ended->message;
  for (int i = 0; i < 6; ++i) {
    ASSERT_TRUE(all.sweep.points[i].result) << all.sweep.points[i].why_not;
    if (i < 3) {
      EXPECT_EQ(all.sweep.points[i].result->engine, kEngine) << i;
    }
  }
}

// It lists the device still, and refuses what it could run before.
TEST_F(EnginesOfASweep, ThatLoseTheirDeviceAreGivenUp) {
  for (const int at : {1, 3}) {
    const Swept alone = swept({.engines = {frail(at, "loses-device")}});
    ASSERT_TRUE(alone.ended) << at;
    EXPECT_EQ(alone.begun, at) << "no point is offered to it any more";
    EXPECT_THAT(alone.told, Contains(HasSubstr("was lost: The GPU is gone.")));
  }
  const Swept both = swept({.engines = {frail(3, "loses-device"), kEngine}});
  ASSERT_FALSE(both.ended) << both.ended->message;
  EXPECT_THAT(both.sweep.points, Each(::testing::Field(&sweep::SweepPoint::result, ::testing::Ne(std::nullopt))));
}

TEST_F(EnginesOfASweep, AreAllLost) {
  const Swept none = swept({.engines = {frail(2, "dies"), frail(1, "garbage"), "false"}});
  ASSERT_TRUE(none.ended);
  EXPECT_EQ(none.ended->kind, ErrorKind::device_failed);
  EXPECT_EQ(counts(none.sweep), (std::map<std::string, int>{{frail(2, "dies"), 1}}));
  EXPECT_EQ(std::count_if(none.sweep.points.begin(), none.sweep.points.end(),
                          [](const sweep::SweepPoint& point) {
                            return point.why_not == "not run: No engine is left to run the sweep.";
                          }),
            5);
}

// Limits that only an engine meets that says nothing.
TEST_F(EnginesOfASweep, ThatNeverAnswerAreGivenUp) {
  EngineSweep how;
  how.limits.hello_limit = 100'000'000;
  const Swept silent = swept({.engines = {misbehaving("silent"), misbehaving("silent")}, .how = how});
  ASSERT_TRUE(silent.ended);
  EXPECT_THAT(silent.told, Contains(HasSubstr("#2 cannot be used: The engine did not say hello within 100 ms")));
  how.limits.hello_limit = 60'000'000'000;
  how.limits.silence_limit = 1'000'000'000;
  const Swept hung = swept({.engines = {frail(3, "hangs")}, .how = how});
  ASSERT_TRUE(hung.ended);
  EXPECT_THAT(hung.told, Contains(HasSubstr("was lost: The engine said nothing for 1 s")));
  EXPECT_EQ(counts(hung.sweep)[frail(3, "hangs")], 2);
}

TEST_F(EnginesOfASweep, ARunThatFailsOnADeviceIsTriedOnceMore) {
  const Swept once = swept({.engines = {frail(2, "fails")}});
  ASSERT_FALSE(once.ended) << once.ended->message;
  EXPECT_EQ(counts(once.sweep)[frail(2, "fails")], 6);
  EXPECT_THAT(once.told, Contains(HasSubstr("failed at streams=2: An illegal address was touched.")));
  const Swept twice = swept({.engines = {frail(6, "keeps-failing")}});
  ASSERT_TRUE(twice.ended);
  EXPECT_EQ(twice.ended->kind, ErrorKind::device_failed);
  EXPECT_EQ(counts(twice.sweep)[frail(6, "keeps-failing")], 5);
  EXPECT_EQ(twice.sweep.points[5].why_not, "An illegal address was touched.");
}

TEST_F(EnginesOfASweep, AreStopped) {
  const Swept stopped = swept({.engines = {kEngine, kEngine}, .stop_at = 3});
  ASSERT_TRUE(stopped.ended);
  EXPECT_EQ(stopped.ended->kind, ErrorKind::cancelled);
  const auto done = std::count_if(stopped.sweep.points.begin(), stopped.sweep.points.end(),
                                  [](const sweep::SweepPoint& point) { return point.result.has_value(); });
  EXPECT_GE(done, 3);
  for (const sweep::SweepPoint& point : stopped.sweep.points)
    EXPECT_TRUE(point.result || point.why_not == "not run: The sweep was stopped on request.") << point.why_not;
  EngineSweep how;
  how.limits.stop_limit = 100'000'000;
  const Swept hung = swept({.engines = {frail(3, "hangs")}, .how = how, .stop_at = 2});
  ASSERT_TRUE(hung.ended);
  EXPECT_EQ(hung.ended->kind, ErrorKind::cancelled);
  EXPECT_EQ(counts(hung.sweep)[frail(3, "hangs")], 2);
  EXPECT_THAT(hung.told, Contains(HasSubstr("did not stop its run within 100 ms")));
}

TEST_F(EnginesOfASweep, AreNamedInTableAndFiles) {
  // The first begins as the second ends, or the sweep would be over before that.
  ASSERT_EQ(mkfifo(path("over").c_str(), 0600), 0);
  const std::string first = "read over <" + path("over") + "; " + kEngine;
  const std::string second = "echo over >" + path("over") + "; false";
  const ChildResult result = streamscope_child({"sweep", "four-streams", "--device", "model", "--axis", "streams=[1,2]",
                                                "--csv", path("s.csv"), "--engines", first, second});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("Engine " + second + " cannot be used: The engine ended with exit code 1.\n"));
  EXPECT_THAT(result.out, AllOf(HasSubstr("  engine\n"), HasSubstr("  " + first + "\n"),
                                HasSubstr("Engine " + first + ": 2 of 2 points, on NVIDIA H200.")));
  EXPECT_THAT(written("s.csv"), AllOf(HasSubstr(",date,engine\n"), HasSubstr("," + first + "\n")));
  const ChildResult none = streamscope_child(
      {"sweep", "four-streams", "--device", "model", "--axis", "streams=[1,2]", "--engines", "false"});
  EXPECT_EQ(none.code, 4);
  EXPECT_THAT(none.out, HasSubstr("streams=1 and 1 more: not run: No engine is left to run the sweep."));
  EXPECT_THAT(none.err, HasSubstr("\nNo engine is left to run the sweep.\n"));
}

TEST_F(EnginesOfASweep, AreStoppedByASignal) {
  ChildOptions options;
  options.stop_after = "engine " + kEngine + ": ";
  std::string values = "1";
  for (int i = 2; i <= 500; ++i) values += "," + std::to_string(i);
  const ChildResult result =
      streamscope_child({"sweep", "four-streams", "--device", "model", "--repeat", "1000", "--axis",
                         "kernel.fma=" + values, "--csv", path("s.csv"), "--engines", kEngine},
                        options);
  EXPECT_EQ(result.code, 4) << result.err;
  EXPECT_THAT(result.err, HasSubstr("stopped on request"));
  const std::string csv = written("s.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 501);
  EXPECT_THAT(csv, HasSubstr("not run"));
}

TEST_F(EnginesOfASweep, TakeNoInputForACommand) {
  const ChildResult result =
      streamscope_child({"sweep", "--axis", "streams=[1,2]", "--engines", kEngine, "four-streams"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("--engines four-streams: error: "));
  EXPECT_THAT(result.out, IsEmpty());
}

}  // namespace
}  // namespace streamscope::cli
