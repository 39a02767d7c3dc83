// What a wait of the host stands for.
#include "engine/verdict/causes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engine/verdict/judged.h"

namespace streamscope::verdict {
namespace {

Nanoseconds time_of(const Judged& run, Cause cause) {
  const std::vector<Evidence> all = evidence(judge(run.trace, &run.program));
  const auto found = std::ranges::find(all, cause, &Evidence::cause);
  return found == all.end() ? 0 : found->time;
}

TEST(Causes, TheHostIsLateWithWhatAShortWaitDidNotDelay) {
  const auto run = judged("stream A nonblocking\nA: spin 100us\nhost: sync A\nhost: work 2ms\nA: spin 100us\n");
  EXPECT_GT(time_of(*run, Cause::host_late), 1'500'000);
  EXPECT_LT(time_of(*run, Cause::host_sync), 300'000);
}

TEST(Causes, AWaitThatNobodyAskedForCountsFromItsCall) {
  const auto run = judged(
      "stream A nonblocking\nstream B nonblocking\nhost: malloc t 1MiB\nA: spin 3ms blocks=8\nhost: free t\n"
      "B: spin 1ms blocks=8\nhost: sync device\n");
  EXPECT_GT(time_of(*run, Cause::implicit_sync), 2'500'000);
}

TEST(Causes, PagesThatTheHostTouchesMigrate) {
  const auto run = judged(
      "buffer x 16MiB host=managed\nstream A nonblocking\nA: axpb x fma=64\nhost: sync A\nhost: touch x\nA: axpb x "
      "fma=64\n"
      "host: sync A\n");
  EXPECT_GT(time_of(*run, Cause::page_migration), time_of(*run, Cause::host_late));
}

}  // namespace
}  // namespace streamscope::verdict
