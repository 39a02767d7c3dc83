// Times that cannot all be true are found, each of them; times that can, however uncertain, are not taken for such.
#include "engine/reconstruct/contradictions.h"

#include <gmock/gmock.h>

#include <functional>

#include "tests/engine/reconstruct/observed_run.h"

namespace streamscope::reconstruct {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using Rule = Contradiction::Rule;

// 0 h2d, 1 spin, 2 d2h, 3 record and 4 h2d in S0; 5 wait, 6 d2h and 7 spin in S1; 8 and 9 a blocking copy out and in;
// 10 a graph's launch, 11 memset and 12 spin in it; 13 a small copy in, 14 a pageable one, 15 a host function; 16
// sync S0, 17 poll, 18 the end.
constexpr std::string_view kProgram =
    "buffer x 8MiB\nbuffer p 1MiB host=pageable\nstreams S 2 nonblocking\nstream T nonblocking\nevent e\n"
    "graph G on S0 {\nS0: memset x[0:1MiB] 7\nS0: spin 20us\n}\n"
    "S0: h2d x[0:1MiB]\nS0: spin 10us\nS0: d2h x[0:1MiB]\nS0: record e\nS0: h2d x[1MiB:1MiB]\n"
    "S1: wait e\nS1: d2h x[2MiB:1MiB]\nS1: spin 10us\n"
    "host: memcpy d2h x[3MiB:1MiB]\nhost: memcpy h2d x[3MiB:1MiB]\nS0: launch G\nT: h2d x[0:4KiB]\nT: h2d p\n"
    "T: hostfn 5us\nhost: sync S0\nhost: poll S1 every=5us\n";

// Times that hold together: whatever depends on another starts 100 ns after it.
struct SoundRun {
  SoundRun() {
    for (OperationIndex i = 0; i < spans.size(); ++i) {
      const auto call = static_cast<Nanoseconds>(i) * 1'000;
      const bool node = spans[i].launch != kNoOperation;
      spans[i].host_begin = node ? spans[spans[i].launch].host_begin : call;
      spans[i].host_end = node ? spans[spans[i].launch].host_end : call + 900;
    }
    const auto ran = [&](OperationIndex i, Nanoseconds start, Nanoseconds end) {
      spans[i].start = spans[i].ready = start;
      spans[i].end = end;
    };
    ran(0, 10'000, 30'000);
    ran(1, 30'100, 40'000);
    ran(2, 40'100, 60'000);
    ran(3, 60'000, 60'000);
    ran(4, 60'100, 80'000);
    ran(5, 60'000, 60'000);
    ran(6, 60'100, 80'000);
    ran(7, 80'100, 90'000);
    spans[8].host_end = 115'000;
    ran(8, 90'000, 114'000);
    spans[9].host_begin = 116'000;
    spans[9].host_end = 140'000;
    ran(9, 117'000, 139'000);
    for (OperationIndex i = 10; i < spans.size(); ++i) {
      spans[i].host_begin += 140'000;
      spans[i].host_end += 140'000;
    }
    ran(10, 151'000, 151'000);
    ran(11, 152'000, 160'000);
    ran(12, 160'100, 180'000);
    ran(13, 155'000, 160'000);
    ran(14, 160'100, 200'000);
    ran(15, 200'100, 205'000);
    spans[16].host_end = 190'000;
    spans[17].host_begin = 191'000;
    spans[17].host_end = 192'000;
    spans[18].host_begin = 193'000;
    spans[18].host_end = 210'000;
    for (const OperationIndex host : {16u, 17u, 18u}) ran(host, spans[host].host_begin, spans[host].host_end);
  }
  std::vector<Contradiction> found() const {
    return find_contradictions(program, program::Dependencies(program), spans);
  }

  program::Program program = tests::program_of(kProgram);
  std::vector<trace::Span> spans = device::blank_spans(program, device::frame_of(program, {}));
};

TEST(Contradictions, ASoundRunHasNone) {
  const SoundRun run;
  ASSERT_EQ(run.spans.size(), 19u);
  EXPECT_THAT(run.found(), IsEmpty());
}

struct Lie {
  std::string_view what;
  OperationIndex operation;
  Nanoseconds trace::Span::*time;
  Nanoseconds at;
  Contradiction found;
};
const Lie kLies[] = {
    {"a kernel before the copy that it reads", 1, &trace::Span::start, 29'000, {0, 1, 1'000, Rule::order}},
    {"a copy that ends while its kernel runs", 0, &trace::Span::end, 35'000, {0, 1, 4'900, Rule::order}},
    {"a copy out before its kernel has ended", 2, &trace::Span::start, 39'000, {1, 2, 1'000, Rule::order}},
    {"a kernel that ends during the copy out", 1, &trace::Span::end, 45'000, {1, 2, 4'900, Rule::order}},
    {"a record before what it records", 3, &trace::Span::start, 50'000, {2, 3, 10'000, Rule::order}},
    {"a wait that is over before its event", 5, &trace::Span::start, 59'000, {3, 5, 1'000, Rule::order}},
    {"work behind a wait that starts early", 6, &trace::Span::start, 59'500, {5, 6, 500, Rule::order}},
    {"a copy out that begins during another", 6, &trace::Span::start, 59'000, {2, 6, 1'000, Rule::engine}},
    {"a copy out that goes on during another", 2, &trace::Span::end, 61'000, {2, 6, 900, Rule::engine}},
    {"a call that begins after its work", 1, &trace::Span::host_begin, 31'000, {kNoOperation, 1, 900, Rule::call}},
    {"a start before the call", 0, &trace::Span::start, -1'000, {kNoOperation, 0, 1'000, Rule::call}},
    {"a node before its launch", 11, &trace::Span::start, 149'000, {kNoOperation, 11, 1'000, Rule::call}},
    {"a node before the one it comes after", 12, &trace::Span::start, 159'000, {11, 12, 1'000, Rule::order}},
    {"a kernel that ends before it starts", 7, &trace::Span::end, 80'000, {kNoOperation, 7, 100, Rule::duration}},
    {"a call that returns before it begins", 4, &trace::Span::host_end, 3'500, {kNoOperation, 4, 500, Rule::duration}},
    {"a blocking copy out that is not awaited", 8, &trace::Span::host_end, 113'000, {8, 8, 1'000, Rule::host_wait}},
    {"a blocking copy in that is not awaited", 9, &trace::Span::end, 141'000, {9, 9, 1'000, Rule::host_wait}},
    {"a stream not waited for", 16, &trace::Span::host_end, 179'000, {12, 16, 1'000, Rule::host_wait}},
    {"a poll that succeeds too soon", 7, &trace::Span::end, 193'000, {7, 17, 1'000, Rule::host_wait}},
    {"a device not waited for", 18, &trace::Span::host_end, 204'000, {15, 18, 1'000, Rule::host_wait}},
    {"a host function during the copy before it", 15, &trace::Span::start, 199'000, {14, 15, 1'000, Rule::order}},
};
static_assert(std::size(kLies) >= 20);

TEST(Contradictions, EachTimeMadeFalseIsFound) {
  for (const Lie& lie : kLies) {
    SCOPED_TRACE(lie.what);
    SoundRun run;
    run.spans[lie.operation].*lie.time = lie.at;
    EXPECT_THAT(run.found(), Contains(lie.found));
  }
}

TEST(Contradictions, NoneIsFoundOnceTheTimesMayBeOffAsMuch) {
  for (const Lie& lie : kLies) {
    if (lie.time == &trace::Span::host_begin || lie.time == &trace::Span::host_end)
      continue;  // the host's clock is exact
    SCOPED_TRACE(lie.what);
    SoundRun run;
    run.spans[lie.operation].*lie.time = lie.at;
    trace::Span& span = run.spans[lie.operation];
    (lie.time == &trace::Span::start ? span.start_uncertainty : span.uncertainty) = 50'000;
    EXPECT_THAT(run.found(), IsEmpty());
  }
}

TEST(Contradictions, SmallAndPageableCopiesMayRunBesideOthers) {
  SoundRun run;
  run.spans[13].start = 118'000, run.spans[13].host_begin = 117'000;
  run.spans[14].start = 160'000, run.spans[9].end = 139'500;
  EXPECT_THAT(run.found(), IsEmpty());
}

TEST(Contradictions, TheWorstIsNamed) {
  SoundRun run;
  run.spans[1].start = 29'000;
  run.spans[6].start = 50'000;
  const auto found = run.found();
  EXPECT_EQ(contradiction_text(found, run.spans),
            "Times contradict each other 3 times by more than they may be off; at worst operation 6 (line 16) starts "
            "10 us before operation 5 (line 15) has ended.");
}

// Two threads' calls at one time: where one of them waited for room, the other came first.
TEST(Contradictions, KnowNotWhichOfTwoCallsAtOneTimeCameFirst) {
  const program::Program program =
      tests::program_of("stream A\nthread T {\n  A: spin 10us\n}\nA: spin 10us\nhost: join T\n");
  std::vector<trace::Span> spans = device::blank_spans(program, device::frame_of(program, {}));
  const auto call = [&](OperationIndex i, Nanoseconds from, Nanoseconds to) {
    spans[i].host_begin = spans[i].ready = spans[i].start = from;
    spans[i].host_end = spans[i].end = to;
  };
  const auto runs = [&](OperationIndex i, Nanoseconds from, Nanoseconds to) {
    spans[i].ready = spans[i].start = from;
    spans[i].end = to;
  };
  call(0, 0, 1'000);  // the thread starts
  call(1, 2'000, 90'000);
  runs(1, 91'000, 101'000);
  call(2, 3'000, 4'000);
  runs(2, 5'000, 15'000);  // while the other one's call waits for room
  call(3, 91'000, 92'000);
  call(4, 93'000, 102'000);
  const program::Dependencies order(program);
  EXPECT_THAT(find_contradictions(program, order, spans), IsEmpty());
  call(2, 90'500, 90'800);  // behind that call
  runs(2, 90'900, 99'000);
  EXPECT_THAT(find_contradictions(program, order, spans), ::testing::Not(IsEmpty()));
}

// Beside a capture in mode global: it came back at once, and waited for nothing.
TEST(Contradictions, AWaitThatWasRefusedWaitedForNothing) {
  const program::Program program = tests::program_of("stream A\nA: spin 1ms\nhost: sync A\n");
  std::vector<trace::Span> spans = device::blank_spans(program, device::frame_of(program, {}));
  spans[0].host_begin = 0;
  spans[0].host_end = spans[0].ready = 5'000;
  spans[0].start = 8'000;
  spans[0].end = 1'008'000;
  spans[1].host_begin = spans[1].ready = spans[1].start = 5'000;
  spans[1].host_end = spans[1].end = 6'000;
  const program::Dependencies order(program);
  EXPECT_THAT(find_contradictions(program, order, spans), ::testing::Not(IsEmpty()));
  spans[1].result = CallResult::capture_unsupported;
  EXPECT_THAT(find_contradictions(program, order, spans), IsEmpty());
}

}  // namespace
}  // namespace streamscope::reconstruct
