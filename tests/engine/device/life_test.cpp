// What a run's few observations say about every operation, counted by hand.
#include "engine/device/life.h"

#include <gtest/gtest.h>

#include <random>
#include <string_view>

#include "engine/device/device.h"
#include "engine/device/settled.h"
#include "engine/program/text.h"

namespace streamscope {
namespace {

class Life {
 public:
  explicit Life(std::string_view text) {
    auto read = read_program(text, "test");
    EXPECT_TRUE(read) << read.error().message;
    if (read) program = std::move(read->program);
    seen.resize(program.operations.size());
  }

  Life& call(std::size_t i, Nanoseconds begin, Nanoseconds end) {
    seen.at(i).host_begin = begin;
    seen.at(i).host_end = end;
    return *this;
  }
  Life& event(std::size_t i, Nanoseconds end, std::uint32_t uncertainty = 0) {
    seen.at(i).end = end;
    seen.at(i).source = Source::event;
    seen.at(i).uncertainty = uncertainty;
    return *this;
  }
  Life& stamps(std::size_t i, Nanoseconds start, Nanoseconds end) {
    seen.at(i).start = start;
    seen.at(i).end = end;
    seen.at(i).source = Source::stamp;
    return *this;
  }
  std::vector<Span> spans(const Circumstances& circumstances = {}) const {
    std::vector<Span> result = blank_spans(program, frame_of(program, {}));
    reconstruct(program, Dependencies(program), seen, result, circumstances);
    return result;
  }

  Program program;
  std::vector<Observed> seen;
};

// times of a span, for comparisons that read like the text above them
struct Times {
  Nanoseconds ready, start, end;
  friend bool operator==(const Times&, const Times&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Times& t) {
    return out << "ready " << t.ready << " start " << t.start << " end " << t.end;
  }
};
Times times(const Span& span) { return {span.ready, span.start, span.end}; }

TEST(Life, AnIdleDeviceStartsWhatIsIssued) {
  Life life("buffer x 1MiB\nstream A\nA: h2d x\nA: spin 1us\n");
  life.call(0, 0, 2'000).event(0, 30'000).call(1, 2'500, 4'500).stamps(1, 31'000, 32'000).call(2, 5'000, 33'000);
  const auto spans = life.spans();
  EXPECT_EQ(times(spans[0]), (Times{2'000, 2'000, 30'000}));
  EXPECT_EQ(spans[0].reason, WaitReason::none);
  EXPECT_EQ(spans[0].source, Source::event);
  EXPECT_EQ(times(spans[1]), (Times{30'000, 31'000, 32'000}));
  EXPECT_EQ(spans[1].reason, WaitReason::stream);
  EXPECT_EQ(spans[1].waits_for, 0u);
  // The synchronisation is the host's.
  EXPECT_EQ(times(spans[2]), (Times{5'000, 5'000, 33'000}));
  EXPECT_EQ(spans[2].source, Source::host);
  EXPECT_EQ(spans[2].reason, WaitReason::host);
  EXPECT_EQ(spans[2].waits_for, 1u);
}

TEST(Life, CopiesOfOneDirectionTakeTurns) {
  Life life("buffer x 3MiB\nstreams S 3 nonblocking\nS0: h2d x[0:1MiB]\nS1: h2d x[1MiB:1MiB]\nS2: d2h x[2MiB:1MiB]\n");
  life.call(0, 0, 1'000).event(0, 20'000).call(1, 1'000, 2'000).event(1, 40'000);
  life.call(2, 2'000, 3'000).event(2, 25'000).call(3, 3'000, 41'000);
  const auto spans = life.spans();
  EXPECT_EQ(times(spans[1]), (Times{2'000, 20'000, 40'000}));
  EXPECT_EQ(spans[1].reason, WaitReason::engine);
  EXPECT_EQ(spans[1].waits_for, 0u);
  EXPECT_EQ(times(spans[2]), (Times{3'000, 3'000, 25'000}));  // another engine
  EXPECT_EQ(spans[2].reason, WaitReason::none);
}

// Who ended first went first, whoever was issued first.
TEST(Life, AnEngineServesInTheOrderOfTheEnds) {
  Life life("buffer x 2MiB\nstreams S 2 nonblocking\nS0: spin 50us\nS0: h2d x[0:1MiB]\nS1: h2d x[1MiB:1MiB]\n");
  life.call(0, 0, 1'000).stamps(0, 5'000, 55'000).call(1, 1'000, 2'000).event(1, 90'000);
  life.call(2, 2'000, 3'000).event(2, 70'000).call(3, 4'000, 95'000);
  const auto spans = life.spans();
  EXPECT_EQ(times(spans[2]), (Times{3'000, 3'000, 70'000}));
  EXPECT_EQ(times(spans[1]), (Times{55'000, 70'000, 90'000}));
  EXPECT_EQ(spans[1].reason, WaitReason::engine);
  EXPECT_EQ(spans[1].waits_for, 2u);
}

TEST(Life, RecordsAndWaitsTakeNoTimeAndAreSeenThrough) {
  Life life("streams S 2 nonblocking\nS0: spin 1us\nS0: record e\nS1: wait e\nS1: spin 1us\n");
  life.call(0, 0, 1'000).stamps(0, 4'000, 100'000).call(1, 1'000, 2'000).call(2, 2'000, 3'000);
  life.call(3, 3'000, 4'000).stamps(3, 101'500, 110'000).call(4, 5'000, 111'000);
  const auto spans = life.spans();
  for (const std::size_t i : {1, 2}) {
    EXPECT_EQ(times(spans[i]), (Times{100'000, 100'000, 100'000})) << i;
    EXPECT_EQ(spans[i].source, Source::inferred);
  }
  EXPECT_EQ(spans[3].ready, 100'000);
  EXPECT_EQ(spans[3].reason, WaitReason::event);
  EXPECT_EQ(spans[3].waits_for, 0u);
}

TEST(Life, AWaitThatHoldsNobodyBackIsNoReason) {
  Life life("streams S 2 nonblocking\nevent e\nS1: wait e\nS1: spin 1us\n");
  life.call(0, 0, 1'000).call(1, 1'000, 2'000).stamps(1, 5'000, 6'000).call(2, 2'000, 7'000);
  const auto spans = life.spans();
  EXPECT_EQ(times(spans[0]), (Times{1'000, 1'000, 1'000}));
  EXPECT_EQ(times(spans[1]), (Times{2'000, 5'000, 6'000}));
  EXPECT_EQ(spans[1].reason, WaitReason::none);
  EXPECT_EQ(spans[1].waits_for, kNoOperation);
}

TEST(Life, TheLegacyStreamIsNamed) {
  Life life("stream A\nstream B\nA: spin 1us\ndefault: spin 1us\nB: spin 1us\n");
  life.call(0, 0, 1'000).stamps(0, 4'000, 50'000).call(1, 1'000, 2'000).stamps(1, 51'000, 90'000);
  life.call(2, 2'000, 3'000).stamps(2, 91'000, 95'000).call(3, 4'000, 96'000);
  const auto spans = life.spans();
  EXPECT_EQ(spans[1].reason, WaitReason::legacy);
  EXPECT_EQ(spans[1].waits_for, 0u);
  EXPECT_EQ(spans[2].reason, WaitReason::legacy);
  EXPECT_EQ(spans[2].waits_for, 1u);
}

// The kernel began at 30000, so the copy before it had ended: its event fired late.
TEST(Life, AKernelsStampSetsALateEventRight) {
  Life life("buffer x 1MiB\nstream A\nA: h2d x\nA: record e\nA: spin 1us\n");
  life.call(0, 0, 2'000).event(0, 31'000, 500).call(1, 2'000, 3'000).call(2, 3'000, 4'500).stamps(2, 30'000, 32'000);
  life.call(3, 5'000, 33'000);
  EXPECT_EQ(life.spans()[0].end, 30'000);
  EXPECT_EQ(life.spans()[1].end, 30'000);
  EXPECT_EQ(times(life.spans()[2]), (Times{30'000, 30'000, 32'000}));
  // Too far off to be lateness: it stays, so that it is seen.
  life.event(0, 36'000, 500);
  EXPECT_EQ(life.spans()[0].end, 36'000);
  EXPECT_EQ(times(life.spans()[2]), (Times{30'000, 30'000, 32'000}));
}

TEST(Life, APageableCopyMayStartWhileItHoldsTheHost) {
  Life life("buffer x 1MiB host=pageable\nstream A\nA: h2d x\n");
  life.call(0, 1'000, 90'000).event(0, 95'000).call(1, 91'000, 96'000);
  EXPECT_EQ(times(life.spans()[0]), (Times{1'000, 1'000, 95'000}));
}

// A copy so short that its event fired before the call had returned.
TEST(Life, NothingStartsAfterItsEnd) {
  Life life("buffer x 1MiB\nstream A\nA: h2d x[0:4]\n");
  life.call(0, 1'000, 9'000).event(0, 5'000).call(1, 9'000, 9'500);
  EXPECT_EQ(times(life.spans()[0]), (Times{1'000, 1'000, 5'000}));
}

TEST(Life, WhatIsIssuedAfterAHostWaitWasHeldByTheHost) {
  Life life("stream A\nA: spin 1us\nhost: sync A\nA: spin 1us\nA: spin 1us\n");
  life.call(0, 0, 1'000).stamps(0, 4'000, 50'000).call(1, 1'000, 52'000).call(2, 52'000, 54'000);
  life.stamps(2, 57'000, 60'000).call(3, 54'500, 55'500).stamps(3, 61'000, 62'000).call(4, 56'000, 63'000);
  const auto spans = life.spans();
  EXPECT_EQ(spans[2].reason, WaitReason::host);
  EXPECT_EQ(spans[2].waits_for, 1u);
  EXPECT_EQ(spans[3].reason, WaitReason::stream);
}

TEST(Life, AKernelThatWaitsForMultiprocessorsSaysForWhich) {
  Life life("streams S 3 nonblocking\nS0: spin 1us\nS1: spin 1us\nS2: spin 1us\n");
  life.call(0, 0, 1'000).stamps(0, 5'000, 200'000).call(1, 1'000, 2'000).stamps(1, 6'500, 210'000);
  life.call(2, 2'000, 3'000).stamps(2, 200'500, 300'000).call(3, 3'000, 301'000);
  const auto spans = life.spans();
  EXPECT_EQ(spans[1].reason, WaitReason::none);  // side by side; 4.5 us are a launch
  EXPECT_EQ(spans[2].reason, WaitReason::engine);
  EXPECT_EQ(spans[2].waits_for, 1u);
  EXPECT_EQ(times(spans[2]), (Times{3'000, 200'500, 300'000}));
}

TEST(Life, BlockingCopiesHoldTheHostAndHaveALifeOfTheirOwn) {
  Life life("buffer x 1MiB\nstream A\nA: spin 1us\nhost: memcpy d2h x\nA: spin 1us\n");
  life.call(0, 0, 1'000).stamps(0, 4'000, 50'000).call(1, 1'000, 80'000);
  life.seen[1].end = 80'000;
  life.seen[1].source = Source::host;
  life.call(2, 80'000, 82'000).stamps(2, 85'000, 86'000).call(3, 83'000, 87'000);
  const auto spans = life.spans();
  EXPECT_EQ(times(spans[1]), (Times{50'000, 50'000, 80'000}));
  EXPECT_EQ(spans[1].reason, WaitReason::legacy);
  EXPECT_EQ(spans[1].waits_for, 0u);
  EXPECT_EQ(spans[2].reason, WaitReason::host);
  EXPECT_EQ(spans[2].waits_for, 1u);
}

TEST(Life, WhatWasNotSeenIsAbsent) {
  Life life("buffer x 1MiB\nstream A\nA: h2d x\nA: record e\nA: d2h x\n");
  life.call(0, 0, 1'000).event(0, 30'000).call(1, 1'000, 2'000).call(2, 2'000, 3'000);
  const auto spans = life.spans();
  EXPECT_EQ(times(spans[1]), (Times{30'000, 30'000, 30'000}));
  EXPECT_EQ(spans[2].host_end, 3'000);
  EXPECT_EQ(spans[2].end, kAbsent);
  EXPECT_EQ(spans[3].host_begin, kAbsent);
  EXPECT_EQ(spans[3].end, kAbsent);
}

// Random programs on a random device; at every time T, what reconstruct() says of spans that ended long before T from
// what had happened by T is what it says in the end.
// A run as it looked at 2 ms, when not all was known that is known in the end.
struct Look {
  Life then;
  std::size_t issued;
};
bool is_settled(const Look& look, std::size_t i) {
  return settled(look.then.program, Dependencies(look.then.program), look.then.spans(), look.issued, 2'000'000)[i];
}

TEST(Settled, NotWhileACallGoesOnThatBeganBefore) {
  Look look{Life("buffer x 1MiB\nstream A\nA: h2d x\nA: spin 1us\n"), 1};
  look.then.call(0, 0, 2'000).event(0, 31'000, 500);
  EXPECT_FALSE(is_settled(look, 0)) << "the kernel's stamp may yet set the copy's end right";
  look.issued = 2;
  look.then.call(1, 3'000, 4'000).stamps(1, 30'000, 32'000);
  EXPECT_TRUE(is_settled(look, 0));
}

TEST(Settled, NotWithoutTheEndsOfWhatItDependsOn) {
  Look look{
      Life("buffer x 300MiB\nstreams S 3 nonblocking\nevent e\nS2: h2d x[0:256MiB]\nS0: spin 100us\nS0: record e\n"
           "S1: wait e\nS1: memset x[260MiB:1MiB] 0\n"),
      5};
  look.then.call(0, 0, 2'000).call(1, 2'000, 4'000).stamps(1, 8'000, kAbsent).call(2, 4'000, 5'000);
  look.then.call(3, 6'000, 7'000).call(4, 7'000, 8'000).event(4, 112'000);
  EXPECT_FALSE(is_settled(look, 4));
  look.then.stamps(1, 8'000, 108'000);
  EXPECT_TRUE(is_settled(look, 4));
}

TEST(Settled, NotBehindAKernelThatMayStillRun) {
  Look look{Life("streams S 2 nonblocking\nS0: spin 100us\nS1: spin 10us\n"), 2};
  look.then.call(0, 0, 2'000).stamps(0, 8'000, kAbsent).call(1, 118'000, 120'000).stamps(1, 140'000, 150'000);
  EXPECT_FALSE(is_settled(look, 1));
  look.then.stamps(0, 8'000, 108'000);
  EXPECT_TRUE(is_settled(look, 1));
}

TEST(Life, WhatIsSettledStaysAsItIs) {
  std::mt19937 random(7);
  const auto up_to = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
  std::size_t compared = 0;
  for (int round = 0; round < 60; ++round) {
    std::string text = "buffer x 64MiB\nstreams S 4 nonblocking\nstream B\nevent e\nevent f\n";
    const std::vector<std::string> streams{"S0", "S1", "S2", "S3", "B", "default"};
    for (int i = 0; i < 60; ++i) {
      const std::string& stream = streams[static_cast<std::size_t>(up_to(5))];
      const std::string range = "x[" + std::to_string(i) + "MiB:1MiB]";
      switch (up_to(6)) {
        case 0: text += stream + ": h2d " + range + "\n"; break;
        case 1: text += stream + ": d2h " + range + "\n"; break;
        case 2: text += stream + ": spin 1us\n"; break;
        case 3: text += stream + ": record e\n"; break;
        case 4: text += stream + ": wait e\n"; break;
        case 5: text += stream + ": memset " + range + " 1\n"; break;
        default: text += i % 7 == 0 ? "host: sync " + stream + "\n" : stream + ": record f\n"; break;
      }
    }
    Life life(text);
    const Dependencies dependencies(life.program);
    const std::size_t count = life.program.operations.size();
    std::vector<Nanoseconds> ends(count);
    Nanoseconds host = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Nanoseconds begin = host;
      const Operation& operation = life.program.operations[i];
      Nanoseconds ready = begin + 1'000;
      for (const Dependency& on : dependencies.of(static_cast<OperationIndex>(i))) {
        ready = std::max(ready, ends[on.on]);
      }
      host = begin + 1'000;
      ends[i] = ready;
      const Nanoseconds start = ready + up_to(20'000), end = start + 1 + up_to(3'000'000);
      switch (kind(operation.work)) {
        case OperationKind::sync: host = ends[i] = std::max(host, ready); break;
        case OperationKind::kernel: life.stamps(i, start, ends[i] = end); break;
        case OperationKind::record:
        case OperationKind::wait: break;
        default: ends[i] = end; life.event(i, end + up_to(2'000), 500);
      }
      life.call(i, begin, host);
    }
    const auto whole = life.spans();
    for (int look = 0; look < 10; ++look) {
      const Nanoseconds now = std::uniform_int_distribution<Nanoseconds>(0, host)(random);
      Life partly = life;
      for (Observed& seen : partly.seen) {
        if (seen.host_end > now) seen = Observed{};
        if (known(seen.end) && seen.end > now) seen.end = kAbsent;
        if (known(seen.start) && seen.start > now) seen.start = kAbsent, seen.source = Source::none;
        // Nothing proves the ends of some kernels yet.
        if (known(seen.start) && seen.source == Source::stamp && up_to(3) == 0) seen.end = kAbsent;
      }
      const auto returned =
          std::find_if(life.seen.begin(), life.seen.end(), [&](const Observed& seen) { return seen.host_end > now; });
      const auto issued = static_cast<std::size_t>(returned - life.seen.begin());
      const auto so_far = partly.spans();
      const std::vector<bool> final = settled(life.program, dependencies, so_far, issued, now);
      for (std::size_t i = 0; i < count; ++i) {
        if (!final[i]) continue;
        EXPECT_TRUE(so_far[i] == whole[i])
            << "round " << round << ": " << describe(life.program, static_cast<OperationIndex>(i)) << "\n then "
            << times(so_far[i]) << "\n in the end " << times(whole[i]);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 5'000u);
}

}  // namespace
}  // namespace streamscope
