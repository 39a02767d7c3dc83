// An engine and a window that is none: strangers on the line, more than can be done, pipes that close at any byte.
// STREAMSCOPE_REQUESTS: how many runs are asked for at once; STREAMSCOPE_CUTS: cuts of a session, 0: at each byte.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>

#include "engine/remote/connection.h"
#include "tests/engine/remote/served.h"
#include "tests/support/counts.h"

namespace streamscope::remote {
namespace {

using ::testing::HasSubstr;
using tests::count_from;
using Bytes = std::vector<std::uint8_t>;

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
Bytes text(const char* words) { return {words, words + std::strlen(words)}; }
Bytes hello() { return encode(message::Hello{}); }

// A run that is over at once.
message::StartRun small(std::uint64_t id) {
  message::StartRun run;
  run.id = id;
  run.device = "model";
  run.program = "stream A\n";
  run.options.observer_effect = run.options.serial = run.options.verify = false;
  return run;
}

struct Stranger {
  const char* name;
  Bytes says;
  const char* is_told;
};
std::ostream& operator<<(std::ostream& out, const Stranger& which) { return out << which.name; }

class FalseWindow : public Serve, public ::testing::WithParamInterface<Stranger> {};

TEST_P(FalseWindow, IsToldWhatIsWrongAndTheEngineEnds) {
  window_->say_bytes(GetParam().says);
  const auto failed = window_->await<message::Failed>();
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->id, 0u);
  EXPECT_EQ(failed->error.kind, ErrorKind::bad_input);
  EXPECT_THAT(failed->error.message, HasSubstr(GetParam().is_told));
  EXPECT_FALSE(window_->hear()) << "nothing comes after that";
  EXPECT_EQ(ended_by_itself(), kProtocolError);
}

INSTANTIATE_TEST_SUITE_P(
    Says, FalseWindow,
    ::testing::Values(
        Stranger{"text", hello() + text("ls -l\n"), "Text came where a message should be: \"ls -l"},
        Stranger{"another_protocol", encode(message::Hello{99, "streamscope 9"}),
                 "speaks protocol 99, this engine 12: install the same version"},
        Stranger{"no_hello", encode(small(1)), "must be a hello"},
        Stranger{"an_engines_message", hello() + encode(message::Passes{1, 1, 2}), "that only engines send"},
        Stranger{"a_huge_message", hello() + Bytes{0xFF, 0xFF, 0xFF, 0xFF}, "A message of 4294967295 bytes"},
        Stranger{"an_empty_message", hello() + Bytes{0, 0, 0, 0}, "A message of 0 bytes"},
        Stranger{"no_map", hello() + Bytes{1, 0, 0, 0, 0x01}, "A message is no map"},
        Stranger{"an_unknown_type", hello() + Bytes{9, 0, 0, 0, 0xA1, 0x64, 't', 'y', 'p', 'e', 0x62, 'h', 'i'},
                 "unknown type \"hi\""},
        Stranger{"a_map_cut_off", hello() + Bytes{2, 0, 0, 0, 0xA1, 0x64}, "message"},
        Stranger{"a_count_without_values", hello() + Bytes{5, 0, 0, 0, 0x9A, 0xFF, 0xFF, 0xFF, 0xFF}, "message"}),
    [](const auto& which) { return which.param.name; });

// More than a machine should keep for one window.
TEST(FalseWindowOf, RunsWithoutEndIsRefusedWhatItAsksFor) {
  Pipe out = make_pipe();
  Connection connection(std::move(out.write));
  message::StartRun large = small(1);
  large.program.assign(kMaximumText, '#');
  std::size_t asked = 0;
  while (asked < 100 && connection.ask(Job{large, {}})) ++asked;
  EXPECT_EQ(asked, kMostWaiting / kMaximumText - 1) << "the runs themselves count, too";
  ASSERT_TRUE(connection.next());
  EXPECT_TRUE(connection.ask(Job{large, {}})) << "what is begun waits no more";
  EXPECT_FALSE(connection.ask(Job{large, {}}));
}

TEST_F(Serve, AnswersEachOfManyRequestsOnceAndInOrder) {
  const auto count = static_cast<std::uint64_t>(count_from("STREAMSCOPE_REQUESTS", 300));
  greeted();
  for (std::uint64_t id = 1; id <= count; ++id) window_->say(small(id));
  for (std::uint64_t id = 1; id <= count; ++id) {
    const auto done = window_->await<message::Done>();
    ASSERT_TRUE(done);
    ASSERT_EQ(done->id, id);
  }
  EXPECT_EQ(ended(), kEndedByInput);
}

// All that wait are stopped, the last first, while the first of all goes on; each is answered, and the engine serves
// on.
TEST_F(Serve, AStormOfStopsLosesNoAnswer) {
  const auto count = static_cast<std::uint64_t>(count_from("STREAMSCOPE_REQUESTS", 300));
  greeted().say(request(1, 1'000'000));
  ASSERT_TRUE(window_->await<message::Passes>());
  for (std::uint64_t id = 2; id <= count; ++id) window_->say(small(id));
  for (std::uint64_t id = count; id >= 1; --id) window_->say(message::Stop{id});
  expect_stopped(*window_, 1);
  for (std::uint64_t id = 2; id <= count; ++id) {
    const auto failed = window_->await<message::Failed>();
    ASSERT_TRUE(failed);
    ASSERT_EQ(failed->id, id);
    ASSERT_EQ(failed->error.kind, ErrorKind::cancelled);
  }
  window_->say(small(count + 1));
  EXPECT_TRUE(window_->await<message::Done>());
  EXPECT_EQ(ended(), kEndedByInput);
}

// A window that goes away between any two bytes of a session, with its ear or without.
TEST(FalseWindowOf, ASessionThatIsCutAnywhereLeavesNoEngine) {
  const Bytes session = hello() + encode(message::AskDevices{}) + encode(request(1, 1'000'000)) + encode(small(2)) +
                        encode(message::Stop{1}) + encode(message::Stop{2});
  const int cuts = count_from("STREAMSCOPE_CUTS", 24);
  const std::size_t step = cuts == 0 ? 1 : std::max<std::size_t>(1, session.size() / static_cast<std::size_t>(cuts));
  for (const bool listening : {true, false}) {
    for (std::size_t cut = 0; cut <= session.size(); cut += step) {
      Served engine;
      engine.window_->say_bytes({session.begin(), session.begin() + static_cast<std::ptrdiff_t>(cut)});
      if (!listening) engine.window_->stop_listening();
      ASSERT_EQ(engine.ended(), kEndedByInput) << "cut at " << cut;
    }
  }
}

}  // namespace
}  // namespace streamscope::remote
