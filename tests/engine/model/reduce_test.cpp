// reduce on the model: it only reads, so memory's rate or its latency decides.
#include <fmt/format.h>

#include "tests/engine/model/simulated.h"

namespace streamscope::model {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

struct Setting {
  std::uint64_t mib = 256, blocks = 264, threads = 256;
};
double reduced(const Setting& of, const Profile& profile = h200()) {
  return static_cast<double>(took(simulate(
      fmt::format("buffer x {}MiB\nbuffer y {}\nstream A nonblocking\nA: reduce y from x blocks={} threads={}\n",
                  of.mib, 4 * of.blocks, of.blocks, of.threads),
      profile)[0]));
}
double read_bytes_a_ns(const Setting& of) { return static_cast<double>(of.mib * kMiB) / reduced(of); }

TEST(Reduce, ReadsLargeDataAtMemorysRate) {
  const Profile profile = h200();
  const double rate = static_cast<double>(profile.compute.memory_rate) / 1e9;  // bytes a ns
  for (const std::uint64_t mib : {256, 1024, 4096}) {
    EXPECT_GT(read_bytes_a_ns({mib}), 0.95 * rate) << mib;
    EXPECT_LT(read_bytes_a_ns({mib}), 1.35 * rate) << mib;
  }
  const auto axpb = simulate("buffer x 1GiB\nstream A nonblocking\nA: axpb x fma=1\n");
  EXPECT_LT(reduced({1024}), 0.55 * static_cast<double>(took(axpb[0]))) << "which writes as much as it reads";
  Profile slow = profile;
  slow.compute.memory_rate /= 4;
  EXPECT_GT(reduced({1024}, slow), 2.5 * reduced({1024}));
  EXPECT_LT(reduced({1024}, slow), 4.1 * reduced({1024}));
}

TEST(Reduce, IsFasterPerByteWhereTheCacheHoldsTheData) {
  EXPECT_GT(read_bytes_a_ns({16}), 0.8 * read_bytes_a_ns({1024}));
  Profile without = h200();
  without.compute.cache_bytes = 0;
  EXPECT_GT(reduced({16}, without), 1.15 * reduced({16}));
  EXPECT_NEAR(reduced({4096}, without) / reduced({4096}), 1, 0.02);
}

TEST(Reduce, IsBoundByLatencyWhereFewThreadsLoad) {
  const Profile profile = h200();
  // A warp has 4 KiB under way.
  const auto latency = static_cast<double>(profile.compute.memory_latency);
  EXPECT_GT(reduced({64, 1, 32}), 64 * kMiB / 4096 * 0.5 * latency);
  EXPECT_LT(reduced({64, 1, 32}), 64 * kMiB / 4096 * 1.5 * latency);
  Profile far = profile;
  far.compute.memory_latency *= 4;
  far.compute.cache_latency *= 4;
  EXPECT_GT(reduced({64, 1, 32}, far), 3 * reduced({64, 1, 32}));
  EXPECT_LT(reduced({1024}, far), 1.6 * reduced({1024})) << "2 blocks a multiprocessor hide most of it";
  for (const std::uint64_t blocks : {1, 8, 33, 66, 132}) {
    EXPECT_GT(reduced({256, blocks}), 1.01 * reduced({256, 2 * blocks})) << blocks;
  }
}

TEST(Reduce, TakesNoLessForMoreData) {
  for (const Setting& of : {Setting{.blocks = 264}, Setting{.blocks = 50, .threads = 1024}, Setting{.blocks = 3000}}) {
    double before = 0;
    for (std::uint64_t mib = 1; mib <= 1024; mib *= 2) {
      const double now = reduced({mib, of.blocks, of.threads});
      EXPECT_GE(now, before) << mib;
      before = now;
    }
  }
}

TEST(Reduce, WithManyMoreBlocksTakesALittleLonger) {
  EXPECT_LT(reduced({1024, 4096}), 1.1 * reduced({1024, 264}));
  EXPECT_GT(reduced({1, 100'000}), 2 * reduced({1, 264})) << "blocks without data begin and end all the same";
}

TEST(Reduce, SharesMemoryWithAnother) {
  const auto both = simulate(
      "buffer x 256MiB\nbuffer z 256MiB\nbuffer y 2112\nstream A nonblocking\nstream B nonblocking\n"
      "A: reduce y[0:1056] from x\nB: reduce y[1056:1056] from z\n");
  EXPECT_GT(static_cast<double>(took(both[0])), 1.7 * reduced({256}));
}

TEST(Reduce, BringsManagedMemoryOfBothRanges) {
  const auto after_touch = [](const char* touched) {
    return simulate(
        fmt::format("buffer x 1MiB host=managed\nbuffer y 1056 host=managed\nstream A\n"
                    "A: prefetch x to=device\nA: prefetch y to=device\nhost: sync A\n{}A: reduce y from x\n",
                    touched));
  };
  const auto none = after_touch(""), first = after_touch("host: touch y\n"), second = after_touch("host: touch x\n");
  EXPECT_GT(took(first[4]), took(none[3]) + 10 * us);
  EXPECT_GT(took(second[4]), took(first[4]) + 10 * us);
}

}  // namespace
}  // namespace streamscope::model
