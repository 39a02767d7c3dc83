// Looks at a run that still goes on: which spans are final, and that they stay as they are.
#include "engine/reconstruct/final_spans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "tests/engine/reconstruct/observed_run.h"

namespace streamscope::reconstruct {
namespace {

// A run as it looked at 2 ms, when not all was known that is known in the end.
struct Look {
  SeenRun then;
  std::size_t issued;
};
bool is_final(const Look& look, std::size_t i) {
  return final_spans(look.then.program, program::Dependencies(look.then.program), look.then.spans(), look.issued,
                     2'000'000)[i];
}

TEST(FinalSpans, NotWhileACallGoesOnThatBeganBefore) {
  Look look{SeenRun("buffer x 1MiB\nstream A\nA: h2d x\nA: spin 1us\n"), 1};
  look.then.call(0, 0, 2'000).event(0, 31'000, 500);
  EXPECT_FALSE(is_final(look, 0)) << "the kernel's stamp may yet correct the end of the copy";
  look.issued = 2;
  look.then.call(1, 3'000, 4'000).stamps(1, 30'000, 32'000);
  EXPECT_TRUE(is_final(look, 0));
}

TEST(FinalSpans, NotWithoutTheEndsOfWhatItDependsOn) {
  Look look{
      SeenRun("buffer x 300MiB\nstreams S 3 nonblocking\nevent e\nS2: h2d x[0:256MiB]\nS0: spin 100us\nS0: record e\n"
              "S1: wait e\nS1: memset x[260MiB:1MiB] 0\n"),
      5};
  look.then.call(0, 0, 2'000).call(1, 2'000, 4'000).stamps(1, 8'000, kAbsent).call(2, 4'000, 5'000);
  look.then.call(3, 6'000, 7'000).call(4, 7'000, 8'000).event(4, 112'000);
  EXPECT_FALSE(is_final(look, 4));
  look.then.stamps(1, 8'000, 108'000);
  EXPECT_TRUE(is_final(look, 4));
}

TEST(FinalSpans, NotBehindAKernelThatMayStillRun) {
  Look look{SeenRun("streams S 2 nonblocking\nS0: spin 100us\nS1: spin 10us\n"), 2};
  look.then.call(0, 0, 2'000).stamps(0, 8'000, kAbsent).call(1, 118'000, 120'000).stamps(1, 140'000, 150'000);
  EXPECT_FALSE(is_final(look, 1));
  look.then.stamps(0, 8'000, 108'000);
  EXPECT_TRUE(is_final(look, 1));
}

// Random programs on a random device; at every time T, what reconstruct() says of spans that ended long before T from
// what had happened by T is what it says in the end.
TEST(FinalSpans, StaysAsItIs) {
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
    SeenRun life(text);
    const program::Dependencies dependencies(life.program);
    const std::size_t count = life.program.operations.size();
    std::vector<Nanoseconds> ends(count);
    Nanoseconds host = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Nanoseconds begin = host;
      const program::Operation& operation = life.program.operations[i];
      Nanoseconds ready = begin + 1'000;
      for (const program::Dependency& on : dependencies.of(static_cast<OperationIndex>(i))) {
        ready = std::max(ready, ends[on.on]);
      }
      host = begin + 1'000;
      ends[i] = ready;
      const Nanoseconds start = ready + up_to(20'000), end = start + 1 + up_to(3'000'000);
      switch (program::kind(operation.work)) {
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
      SeenRun partly = life;
      for (device::Observed& seen : partly.seen) {
        if (seen.host_end > now) seen = device::Observed{};
        if (known(seen.end) && seen.end > now) seen.end = kAbsent;
        if (known(seen.start) && seen.start > now) seen.start = kAbsent, seen.source = trace::Source::none;
        // Nothing proves the ends of some kernels yet.
        if (known(seen.start) && seen.source == trace::Source::stamp && up_to(3) == 0) seen.end = kAbsent;
      }
      const auto returned = std::find_if(life.seen.begin(), life.seen.end(),
                                         [&](const device::Observed& seen) { return seen.host_end > now; });
      const auto issued = static_cast<std::size_t>(returned - life.seen.begin());
      const auto so_far = partly.spans();
      const std::vector<bool> final = final_spans(life.program, dependencies, so_far, issued, now);
      for (std::size_t i = 0; i < count; ++i) {
        if (!final[i]) continue;
        EXPECT_TRUE(so_far[i] == whole[i])
            << "round " << round << ": " << program::describe(life.program, static_cast<OperationIndex>(i))
            << "\n then " << times(so_far[i]) << " +- " << so_far[i].start_uncertainty << ", " << so_far[i].uncertainty
            << "\n in the end " << times(whole[i]) << " +- " << whole[i].start_uncertainty << ", "
            << whole[i].uncertainty;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 5'000u);
}

}  // namespace
}  // namespace streamscope::reconstruct
