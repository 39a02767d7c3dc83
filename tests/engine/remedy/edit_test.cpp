// What edits change, on texts small enough to read.
#include "engine/remedy/edit.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "engine/program/order/order.h"
#include "tests/engine/remedy/simulated_run.h"

namespace streamscope::remedy {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using verdict::Cause;

std::vector<Edit> edits_for(const std::string& text, Cause cause) {
  std::vector<Edit> out;
  for (Edit& each : edits(source_from(text), {verdict::Evidence{cause, 1, {}}})) {
    if (each.cause == cause) out.push_back(std::move(each));
  }
  return out;
}
std::vector<std::string> differences(const std::string& text, Cause cause) {
  std::vector<std::string> out;
  for (const Edit& each : edits_for(text, cause)) out.push_back(difference(source_from(text), each.changed));
  return out;
}

TEST(Edits, MakePageableBuffersPinned) {
  EXPECT_THAT(differences("buffer x 1MiB host=pageable\nstream A\nA: h2d x\n", Cause::pageable_copy),
              Contains("- buffer x 1MiB host=pageable\n+ buffer x 1MiB host=pinned\n"));
}

TEST(Edits, MakeStreamsNonblocking) {
  EXPECT_THAT(differences("stream A\ndefault: spin 1us\nA: spin 1us\n", Cause::legacy_barrier),
              Contains("- stream A\n+ stream A nonblocking\n"));
}

TEST(Edits, LeaveOutWaitsButForTheLast) {
  const std::string text = "stream A\nA: spin 1us\nhost: sync A\nA: spin 1us\nhost: sync device\n";
  EXPECT_THAT(differences(text, Cause::host_sync), Contains("- host: sync A\n"));
  EXPECT_THAT(differences(text, Cause::host_sync), Not(Contains("- host: sync device\n")));
}

TEST(Edits, LetStreamsWaitWhereTheHostDid) {
  // For an event, and for a stream; what goes on behind the last wait of a turn is what the next one begins with.
  EXPECT_THAT(
      differences("stream A\nstream B\nA: spin 1us\nA: record e\nhost: sync e\nB: spin 1us\n", Cause::host_sync),
      Contains("- host: sync e\n+ B: wait e\n"));
  EXPECT_THAT(differences("stream A\nstream B\nA: spin 1us\nhost: poll A every=2us\nB: spin 1us\n", Cause::host_sync),
              Contains("- host: poll A every=2us\n+ A: record reached\n+ B: wait reached\n"));
  EXPECT_THAT(differences("stream A\nstream B\nrepeat 3 {\n  B: spin 1us\n  A: spin 1us\n  host: sync A\n}\n"
                          "host: sync device\n",
                          Cause::host_sync),
              Contains("-   host: sync A\n+   A: record reached\n+   B: wait reached\n"));
  // Its own stream goes on in order; and nothing goes on behind the last.
  EXPECT_THAT(differences("stream A\nA: spin 1us\nhost: sync A\nA: spin 1us\nhost: sync A\n", Cause::host_sync),
              Not(Contains(HasSubstr("reached"))));
}

TEST(Edits, LetStreamsWaitWhereverTheHostDid) {
  EXPECT_THAT(differences("stream A\nstream B\nstream C\nrepeat 3 {\n  A: spin 1us\n  A: record e\n  host: poll e\n"
                          "  B: spin 1us\n  B: record f\n  host: sync f\n  C: spin 1us\n}\nhost: sync device\n",
                          Cause::host_sync),
              Contains("-   host: poll e\n+   B: wait e\n    B: spin 1us\n    B: record f\n-   host: sync f\n"
                       "+   C: wait f\n"));
}

TEST(Edits, MoveARecordBeforeWhatItNeedNotWaitFor) {
  EXPECT_THAT(
      differences("stream A\nstream B\nevent e\nA: spin 1us\nA: spin 2us\nA: record e\nB: wait e\nB: spin 3us\n",
                  Cause::event_late),
      Contains("- A: spin 2us\n  A: record e\n+ A: spin 2us\n"));
}

TEST(Edits, GiveNoEventOfItsOwnToAnOnlyWait) {
  EXPECT_FALSE(std::ranges::any_of(
      edits_for("stream A\nstream B\nA: spin 1us\nA: spin 2us\nA: record e\nB: wait e\nB: spin 3us\n",
                Cause::event_late),
      [](const Edit& each) { return each.changed.program.find("record e2") != std::string::npos; }));
}

TEST(Edits, MoveARecordBeforeARepeat) {
  const std::string text =
      "stream A\nstream B\nA: spin 1us\nrepeat 3 {\n  A: spin 2us\n}\nA: record e\nB: wait e\nB: spin 3us\n";
  EXPECT_TRUE(std::ranges::any_of(edits_for(text, Cause::event_late), [](const Edit& each) {
    return each.changed.program.find("A: spin 1us\nA: record e\nrepeat 3 {") != std::string::npos;
  }));
}

// B's first kernel needs the first copy only, its second the other one, too.
TEST(Edits, GiveAWaitAnEventOfItsOwn) {
  const std::string text =
      "buffer x 2MiB\nstream A\nstream B\nA: h2d x[0:1MiB]\nA: h2d x[1MiB:1MiB]\nA: record e\nB: wait e\n"
      "B: axpb x[0:1MiB] fma=1\nB: axpb x[1MiB:1MiB] fma=1\n";
  EXPECT_TRUE(std::ranges::any_of(edits_for(text, Cause::event_late), [](const Edit& each) {
    return each.changed.program.find(
               "A: h2d x[0:1MiB]\nA: record e2\nA: h2d x[1MiB:1MiB]\nA: record e\nB: wait e2\n"
               "B: axpb x[0:1MiB] fma=1\nB: wait e\nB: axpb x[1MiB:1MiB] fma=1") != std::string::npos;
  }));
}

constexpr const char* kTwoDevices = "buffer x 1MiB device=0,1\nstream A nonblocking\n";

// The makespan has none of the call: the words say what it takes.
TEST(Edits, TurnPeerAccessOnFromTheStart) {
  const auto all = edits_for(kTwoDevices + std::string("A: peer x@1 x@0\n"), Cause::peer_staged);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].change, "peer access, for about 1 ms more of the host's time at the start");
  EXPECT_THAT(all[0].changed.program, HasSubstr("nonblocking\nhost: peer 0 1 on\nA: peer x@1 x@0\n"));

  const auto large = edits_for("buffer x 512MiB device=0,1\nstream A\nA: peer x@1 x@0\n", Cause::peer_staged);
  ASSERT_EQ(large.size(), 1u);
  EXPECT_THAT(large[0].change, HasSubstr("about 18 ms")) << "all of it is mapped";

  const auto experiment =
      edits_for("name = \"e\"\ndevices = 4\nacross = \"all-gather\"\npeer_access = false\n", Cause::peer_staged);
  ASSERT_EQ(experiment.size(), 1u);
  EXPECT_THAT(experiment[0].change, HasSubstr("about 6 ms")) << "of each pair a call";
}

TEST(Edits, TurnPeerAccessOnWhereDevicesAreComputed) {
  const std::string text = "buffer x 1MiB device=0,1,2\nstream A\nrepeat 2 as i {\n  A: peer x@{i+1} x@0\n}\n";
  EXPECT_THAT(differences(text, Cause::peer_staged), Contains("+ host: peer 0 1 on\n+ host: peer 0 2 on\n"));
}

TEST(Edits, TurnPeerAccessOnNoLaterThanFromTheStart) {
  const std::string copy = "A: peer x@1 x@0\n", on = "host: peer 0 1 on\n";
  const auto all = edits_for(kTwoDevices + copy + on + copy, Cause::peer_staged);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].changed.program, kTwoDevices + on + copy + copy);
  EXPECT_EQ(all[0].change, "peer access from the start") << "the call is there already";
  // What one line turns on for several pairs goes with it, and the block that nothing is left of.
  const auto block = edits_for(
      "buffer x 1MiB device=0,1,2\nstream A\nA: peer x@2 x@0\nrepeat 2 as i {\n"
      "  host: peer 0 {i+1} on\n}\nA: peer x@1 x@0\n",
      Cause::peer_staged);
  ASSERT_EQ(block.size(), 1u);
  EXPECT_THAT(block[0].changed.program,
              HasSubstr("stream A\nhost: peer 0 1 on\nhost: peer 0 2 on\nA: peer x@2 x@0\nA: peer x@1 x@0\n"));
}

TEST(Edits, LeavePeerAccessWhereTheProgramTurnsItOff) {
  const std::string text = kTwoDevices + std::string("host: peer 0 1 on\nhost: peer 0 1 off\nA: peer x@1 x@0\n");
  EXPECT_THAT(edits_for(text, Cause::peer_staged), IsEmpty());
  const auto run = simulated_run(text, "model:h200x2");
  const Verdict verdict = verdict_on(*run);
  ASSERT_FALSE(verdict.entries.empty());
  EXPECT_THAT(verdict.entries.front().text, HasSubstr("the program has turned peer access off before them"));
}

TEST(Edits, PinHostMemoryBeforeTheRun) {
  EXPECT_THAT(
      differences("stream A\nbuffer x 1MiB\nhost: malloc-host h 1MiB\nA: d2h x to h\nhost: free-host h\nA: spin "
                  "1us\n",
                  Cause::implicit_sync),
      Contains("+ buffer h 1MiB\n  stream A\n  buffer x 1MiB\n- host: malloc-host h 1MiB\n  A: d2h x to h\n- host: "
               "free-host h\n"));
  const std::string text = "buffer x 1MiB host=pageable\nstream A\nhost: register x\nA: h2d x\n";
  const char* const change =
      "- buffer x 1MiB host=pageable\n+ buffer x 1MiB host=pinned\n  stream A\n- host: register x\n";
  EXPECT_THAT(differences(text, Cause::host_late), Contains(change));
  EXPECT_THAT(differences(text, Cause::pageable_copy), IsEmpty()) << "what is registered is not staged";
  // To give it back waits for the device; what another thread registers keeps the driver from this one.
  EXPECT_THAT(differences(text + "host: unregister x\nA: spin 1us\n", Cause::implicit_sync),
              Contains(StartsWith(change)));
  EXPECT_THAT(differences("buffer x 1MiB host=pageable\nstream A\nthread t {\n  host: register x\n}\nA: spin 1us\n"
                          "host: join t\nA: h2d x\n",
                          Cause::driver_lock),
              Contains(HasSubstr("+ buffer x 1MiB host=pinned\n")));
}

TEST(Edits, AllocateInStreamOrderInEachTurn) {
  EXPECT_THAT(
      differences(
          "streams S 2\nrepeat 4 as i {\n  host: malloc t{i} 1MiB\n  S{i%2}: memset t{i} 0\n  host: free t{i}\n}\n",
          Cause::implicit_sync),
      Contains(
          "-   host: malloc t{i} 1MiB\n+   S{i%2}: malloc t{i} 1MiB\n    S{i%2}: memset t{i} 0\n-   host: free t{i}\n+ "
          "  S{i%2}: free t{i}\n"));
}

TEST(Edits, AllocateInStreamOrderOrBefore) {
  const std::string text =
      "stream A\nhost: malloc t 1MiB\nA: memset t 0\nhost: free t\nA: spin 1us\nhost: sync device\n";
  EXPECT_THAT(differences(text, Cause::implicit_sync),
              Contains("- host: malloc t 1MiB\n+ A: malloc t 1MiB\n  A: memset t 0\n- host: free t\n+ A: free t\n"));
}

TEST(Edits, GiveEveryOtherLaunchASecondGraph) {
  const std::vector<Edit> all = edits_for(
      "stream A\nstream B\ngraph G on A {\n  A: spin 1us\n}\nA: launch G\nB: launch G\n", Cause::graph_serial);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_NE(all[0].changed.program.find("B: launch G2"), std::string::npos);
  EXPECT_NE(all[0].changed.program.find("graph G2 on A"), std::string::npos);
}

// With two instances of three launches, two still wait for each other.
TEST(Edits, GiveEachLaunchAGraphOfItsOwn) {
  const std::vector<Edit> all =
      edits_for("stream A\nstream B\ngraph G on A {\n  A: spin 1us\n}\nA: launch G\nB: launch G\nA: launch G\n",
                Cause::graph_serial);
  const auto three = std::ranges::find(all, "3 instances of the graph G", &Edit::change);
  ASSERT_NE(three, all.end());
  const auto changed = program::read_program(three->changed.program, "test");
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->program.graphs.size(), 3u);
  EXPECT_NE(three->changed.program.find("A: launch G\nB: launch G2\nA: launch G3\n"), std::string::npos);
}

TEST(Edits, GatherCallsOfTwoStreamsInAGraphThatForksAndJoins) {
  const std::vector<Edit> all = edits_for(
      "stream A nonblocking\nstream B nonblocking\nA: spin 1us\nB: spin 1us\nhost: sync device\n", Cause::host_late);
  ASSERT_EQ(all.size(), 1u);
  const auto changed = program::read_program(all[0].changed.program, "changed");
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(changed->program.graphs.size(), 1u);
  EXPECT_EQ(changed->program.graphs[0].nodes.size(), 2u);
}

TEST(Edits, TakeARepeatApartAndPutRepeatsTogether) {
  const std::string depth =
      "buffer x 2MiB\nstreams S 2\nrepeat 2 as i {\n  S{i}: h2d x[{i}MiB:1MiB]\n  S{i}: d2h x[{i}MiB:1MiB]\n}\n";
  const std::vector<Edit> breadth = edits_for(depth, Cause::issue_order);
  ASSERT_EQ(breadth.size(), 1u);
  const std::vector<Edit> back = edits_for(breadth[0].changed.program, Cause::issue_order);
  EXPECT_TRUE(std::ranges::any_of(back, [&](const Edit& each) { return each.changed.program == depth; }));
}

TEST(Edits, IssueFirstWhatOtherStreamsHaveNothingToDoWith) {
  const std::string text = "buffer x 8MiB\nbuffer y 1MiB\nstream A\nstream B\nA: h2d x\nB: h2d y\nB: spin 1us\n";
  EXPECT_THAT(differences(text, Cause::issue_order), Contains("- A: h2d x\n  B: h2d y\n  B: spin 1us\n+ A: h2d x\n"));
}

// What an event joins, and what is in the default stream, keeps its place; `S{i}` of two turns is S0 and S1, not S2.
TEST(Edits, ReorderNothingThatIsOrdered) {
  EXPECT_THAT(differences("stream A\nstream B\nA: spin 1us\nA: record e\nB: wait e\nB: spin 1us\n", Cause::issue_order),
              IsEmpty());
  EXPECT_THAT(differences("stream A\nA: spin 1us\ndefault: spin 1us\nA: spin 1us\n", Cause::issue_order), IsEmpty());
  EXPECT_THAT(differences("streams S 3\nrepeat 3 as i {\n  S{i}: spin 1us\n}\nS2: spin 2us\n", Cause::issue_order),
              IsEmpty());
  EXPECT_EQ(differences("streams S 3\nrepeat 2 as i {\n  S{i}: spin 1us\n}\nS2: spin 2us\n", Cause::issue_order).size(),
            1u);
}

TEST(Edits, MoveWorkAheadOfWhatItNeedsNothingOf) {
  const std::string head = "buffer x 8MiB\nbuffer y 1MiB\nstream A nonblocking\nstream B nonblocking\n";
  EXPECT_THAT(differences(head + "A: h2d x\nA: h2d y\nA: record e\nB: wait e\nB: axpb y fma=1\n", Cause::issue_order),
              Contains("- A: h2d x\n  A: h2d y\n  A: record e\n+ A: h2d x\n"));
  // Not of what it needs, nor of what its stream waits for.
  EXPECT_THAT(differences(head + "A: h2d x\nA: axpb x fma=1\n", Cause::issue_order), IsEmpty());
  EXPECT_THAT(
      differences(head + "B: spin 1us\nB: record e\nA: h2d x\nA: wait e\nA: axpb y fma=1\n", Cause::issue_order),
      IsEmpty());
}

// With what comes before and behind in its stream: only joined to that does it keep the order.
TEST(Edits, SpreadTurnsOverStreamsThatTheirStreamWaitsFor) {
  const std::string text =
      "buffer x 4MiB\nrepeat 4 as i {\n  per-thread: h2d x[{i}MiB:1MiB]\n  per-thread: axpb x[{i}MiB:1MiB] fma=1\n}\n"
      "per-thread: d2h x\nhost: sync per-thread\n";
  std::size_t legal = 0;
  for (const Edit& each : edits_for(text, Cause::one_stream)) {
    const auto changed = program::read_program(each.changed.program, "changed");
    ASSERT_TRUE(changed) << changed.error().message << each.changed.program;
    legal += program::hazards(changed->program).empty() ? 1 : 0;
  }
  EXPECT_EQ(legal, 2u);
}

TEST(Edits, LeaveWorkOnItsDevice) {
  const std::string head = "buffer x 4MiB device=0,1\nbuffer y 4MiB device=0,1\nstream A device=1\n";
  for (const std::string& work : {std::string("repeat 4 as i {\n  A: h2d x[{i}MiB:1MiB]\n  A: d2h x[{i}MiB:1MiB]\n}\n"),
                                  std::string("A: h2d x\nA: h2d y\nA: d2h x\nA: d2h y\n")}) {
    const std::vector<Edit> all = edits_for(head + work, Cause::one_stream);
    EXPECT_FALSE(all.empty());
    for (const Edit& each : all) {
      const auto changed = program::read_program(each.changed.program, "changed");
      ASSERT_TRUE(changed) << each.changed.program;
      for (const program::Operation& one : changed->program.operations) {
        const DeviceId expected = one.stream ? DeviceId{1} : DeviceId{};
        EXPECT_EQ(program::device_of(changed->program, one), expected) << each.changed.program;
      }
    }
  }
  EXPECT_THAT(edits_for("buffer x 4MiB device=0,1\nhost: device 1\ndefault: h2d x\n", Cause::legacy_barrier),
              IsEmpty());
}

TEST(Edits, MakeEachStreamTheMostUrgentOne) {
  const std::vector<std::string> all = differences(
      "stream A nonblocking\nstream B nonblocking priority=-2\nA: spin 1us\nB: spin 1us\n", Cause::priority);
  EXPECT_THAT(all, Contains("- stream A nonblocking\n- stream B nonblocking priority=-2\n"
                            "+ stream A nonblocking priority=-5\n+ stream B nonblocking\n"));
}

TEST(Edits, LeaveOutAllNeedlessWaitsAtOnce) {
  const std::string text =
      "stream A\nstream B\nA: spin 1us\nA: record e\nB: spin 1us\nB: record f\nB: wait e\nA: wait f\nA: spin 1us\n"
      "B: spin 1us\n";
  EXPECT_THAT(differences(text, Cause::event_needless), Contains("- B: wait e\n- A: wait f\n"));
}

TEST(Edits, RecordAnEventBehindEachTurn) {
  const std::string text =
      "buffer x 2MiB\nstream A\nstream B\nrepeat 2 as i {\n  A: h2d x[{i}MiB:1MiB]\n}\nA: record e\n"
      "repeat 2 as i {\n  B: wait e\n  B: axpb x[{i}MiB:1MiB] fma=1\n}\n";
  const std::vector<Edit> all = edits_for(text, Cause::event_late);
  EXPECT_TRUE(std::ranges::any_of(all, [](const Edit& each) {
    return each.changed.program.find("h2d x[{i}MiB:1MiB]\n  A: record e\n  B: wait e\n  B: axpb") != std::string::npos;
  }));
}

// Fewer turns would do less of what has no range.
TEST(Edits, CutNoRepeatThatDoesOtherWorkToo) {
  EXPECT_THAT(differences("buffer x 8MiB\nstream A\nrepeat 4 as i {\n  A: h2d x[{i*2}MiB:2MiB]\n  A: spin 1us\n}\n",
                          Cause::chunks_too_small),
              IsEmpty());
}

TEST(Edits, LetSmallerChunksTakeTurnsInTheStreamsThereAre) {
  const std::vector<Edit> all = edits_for(
      "buffer x 8MiB\nstreams S 2\nrepeat 2 as i {\n  S{i}: h2d x[{i*4}MiB:4MiB]\n}\n", Cause::chunks_too_large);
  ASSERT_FALSE(all.empty());
  EXPECT_NE(all[0].changed.program.find("S{i%2}: h2d"), std::string::npos) << all[0].changed.program;
}

TEST(Edits, ConvergeWarpsAndHaveMoreTilesOnTheirWay) {
  const std::string text = "buffer x 1MiB\nstream A\nA: tiles x fma=1 diverge=4\n";
  EXPECT_THAT(differences(text, Cause::divergence),
              Contains("- A: tiles x fma=1 diverge=4\n+ A: tiles x fma=1 diverge=1\n"));
  EXPECT_THAT(differences(text, Cause::tile_stages),
              Contains("- A: tiles x fma=1 diverge=4\n+ A: tiles x fma=1 diverge=4 stages=3\n"));
}

TEST(Edits, OfAnExperimentAreItsKeys) {
  const std::string text = "name = \"e\"\nbytes = \"64MiB\"\nchunk = \"16MiB\"\nhost = \"pageable\"\nstreams = 2\n";
  std::vector<std::string> all;
  for (const Edit& each : edits(source_from(text), {})) all.push_back(difference(source_from(text), each.changed));
  EXPECT_THAT(all, Contains("- host = \"pageable\"\n+ host = \"pinned\"\n"));
  EXPECT_THAT(all, Contains("- chunk = \"16MiB\"\n+ chunk = \"8MiB\"\n"));
  EXPECT_THAT(all, Contains("- streams = 2\n+ streams = 4\n"));
  EXPECT_THAT(all, Contains("- order = \"depth-first\"\n+ order = \"breadth-first\"\n"));
}

TEST(Edits, DoNotCutCopiesOfRows) {
  for (const Cause cause : {Cause::chunks_too_small, Cause::chunks_too_large}) {
    EXPECT_TRUE(edits_for("buffer x 64MiB\nstreams S 2\nrepeat 8 as i {\n  S{i%2}: h2d x[{i*8}MiB:8MiB] rows=64 "
                          "width=64KiB pitch=128KiB\n}\n",
                          cause)
                    .empty());
  }
}

// The same bytes in all, in fewer pieces or in more.
TEST(Edits, CutARepeatIntoOtherChunks) {
  const std::string text =
      "buffer x 64MiB\nstreams S 2\nrepeat 8 as i {\n  S{i%2}: h2d x[{i*8}MiB:8MiB]\n  S{i%2}: d2h "
      "x[{i*8}MiB:8MiB]\n}\n";
  const auto bytes_of = [](const std::string& program) {
    const auto read = program::read_program(program, "test");
    EXPECT_TRUE(read) << read.error().message;
    std::map<std::uint64_t, std::uint64_t> pieces;  // by offset
    for (const program::Operation& each : read->program.operations) {
      if (const auto* copy = std::get_if<program::op::Copy>(&each.work)) pieces[copy->host.offset] = copy->host.bytes;
    }
    return pieces;
  };
  for (const Cause cause : {Cause::chunks_too_small, Cause::chunks_too_large}) {
    const std::vector<Edit> all = edits_for(text, cause);
    ASSERT_EQ(all.size(), 2u);
    for (const Edit& each : all) {
      std::uint64_t at = 0;
      for (const auto& [offset, bytes] : bytes_of(each.changed.program)) {
        EXPECT_EQ(offset, at) << each.changed.program;
        at += bytes;
      }
      EXPECT_EQ(at, 64u << 20);
    }
  }
}

TEST(Edits, OrderTwoLinesByAnEvent) {
  const Source loop = source_from(
      "buffer x 4MiB\nstreams S 2\nstreams T 2\nrepeat 2 as i {\n  S{i}: h2d x[{i}MiB:1MiB]\n  T{i}: d2h "
      "x[{i}MiB:1MiB]\n}\n");
  const std::vector<Edit> all = orderings(loop, 5, 6);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(difference(loop, all[0].changed), "+   S{i}: record ordered{i}\n+   T{i}: wait ordered{i}\n");
  const auto changed = program::read_program(all[0].changed.program, "changed");
  ASSERT_TRUE(changed);
  EXPECT_TRUE(program::hazards(changed->program).empty());
}

TEST(Edits, LetTheHostWaitBeforeItTouches) {
  const Source source = source_from("buffer x 1MiB\nstream A\nA: d2h x\nhost: touch x\n");
  const std::vector<Edit> all = orderings(source, 3, 4);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(difference(source, all[0].changed), "+ host: sync A\n");
}

TEST(Difference, IsTheLinesThatDiffer) {
  const auto text = [](const char* lines) { return Source{"", lines}; };
  EXPECT_EQ(difference(text("stream A\nA: spin 1us\n"), text("stream A\nA: spin 1us\n")), "");
  // In which way it is written is no difference.
  EXPECT_EQ(difference(text("stream   A\nA:  spin 1us\n"), text("stream A\nA: spin 1us\n")), "");
  EXPECT_EQ(difference(text("stream A\nA: spin 1us\nA: spin 2us\n"), text("stream A\nA: spin 2us\nA: spin 3us\n")),
            "- A: spin 1us\n  A: spin 2us\n+ A: spin 3us\n");
}

// What a host function may read stays before it.

}  // namespace
}  // namespace streamscope::remedy
