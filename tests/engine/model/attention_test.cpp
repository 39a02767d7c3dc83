// Attention on the model: an estimate, so only how it changes with the settings is tested.
#include <fmt/format.h>

#include "tests/engine/model/simulated.h"

namespace streamscope::model {
namespace {

struct Setting {
  std::string_view type = "fp32";
  std::uint64_t heads = 16, rows = 4096, head = 64;
  int buffers = 2;
};

Nanoseconds attention(const Setting& of, const Profile& profile = h200()) {
  const std::uint64_t bytes = 4 * of.heads * of.rows * of.head * (of.type == "bf16" ? 2 : 4);
  return took(simulate(fmt::format("buffer x {}\nstream A nonblocking\nA: attention x heads={} head={} type={} "
                                   "buffers={}\n",
                                   bytes, of.heads, of.head, of.type, of.buffers),
                       profile)[0]);
}

TEST(Attention, IsNeverSlowerWithTwoBuffers) {
  for (const std::string_view type : {"fp32", "bf16"}) {
    for (const std::uint64_t head : {64, 128}) {
      for (const std::uint64_t rows : {1, 64, 200, 1024, 8192}) {
        EXPECT_LE(attention({type, 8, rows, head, 2}), attention({type, 8, rows, head, 1}))
            << type << " " << head << " " << rows;
      }
    }
  }
  EXPECT_GT(attention({.buffers = 1}), attention({.buffers = 2}) * 105 / 100) << "one waits for each pair of tiles";
}

TEST(Attention, GainsFromASecondBufferWhereMemoryIsFarAway) {
  Profile slow = h200();
  slow.compute.cache_latency *= 10;
  slow.compute.memory_latency *= 10;
  const auto gain = [](const Profile& profile) {
    return static_cast<double>(attention({.buffers = 1}, profile)) /
           static_cast<double>(attention({.buffers = 2}, profile));
  };
  EXPECT_GT(gain(slow), gain(h200()));
}

TEST(Attention, GrowsWithTheSquareOfTheRows) {
  const auto at = [](std::uint64_t rows) { return static_cast<double>(attention({.rows = rows})); };
  EXPECT_NEAR(at(16384) / at(8192), 4, 0.3);
  EXPECT_NEAR(at(32768) / at(16384), 4, 0.3);
  const double once = static_cast<double>(attention({.heads = 33})),
               twice = static_cast<double>(attention({.heads = 66}));
  EXPECT_NEAR(twice / once, 2, 0.2);
  EXPECT_GT(attention({.head = 128}), attention({.head = 64}) * 3 / 2);
}

TEST(Attention, CopiesHalfOfItInBfloat16) {
  EXPECT_LE(attention({.type = "bf16", .buffers = 1}), attention({.type = "fp32", .buffers = 1}));
  // Where moving tiles is all that counts.
  Profile narrow = h200();
  narrow.compute.cache_rate = narrow.compute.memory_rate = 100'000'000'000;
  const double whole = static_cast<double>(attention({.type = "fp32"}, narrow)),
               half = static_cast<double>(attention({.type = "bf16"}, narrow));
  EXPECT_NEAR(whole / half, 2, 0.1);
}

TEST(Attention, IsNoFasterThanTheArithmetic) {
  const Profile profile = h200();
  const double fmas = 2.0 * 16 * 4096 * 4096 * 64;
  const double least = fmas / (132.0 * profile.compute.fma_per_clock * profile.compute.clock_mhz) * 1e3;
  const auto time = static_cast<double>(attention({}));
  EXPECT_GT(time, least);
  EXPECT_LT(time, 3 * least) << "nor far from it";
}

TEST(Attention, IsRefusedWhereItDoesNotFit) {
  const auto refused = [](const Profile& profile) {
    const program::Program program = tests::program_of("buffer x 4MiB\nstream A\nA: attention x head=128 buffers=2\n");
    const auto loaded = make_model(profile)->load(program, {});
    return loaded ? std::string() : loaded.error().message;
  };
  Profile older = h200();
  older.compute_capability = "7.5";
  EXPECT_THAT(refused(older), ::testing::HasSubstr("attention needs compute capability 8.0"));
  Profile small = h200();
  small.compute.shared_bytes = 64 << 10;
  small.compute.block_shared = 63 << 10;
  EXPECT_THAT(refused(small), ::testing::HasSubstr("shared memory"));
  EXPECT_EQ(refused(h200()), "");
}

TEST(Attention, FromSeveralStreamsSharesTheDevice) {
  const std::string one = "buffer x 16MiB\nbuffer y 16MiB\nstreams S 2 nonblocking\nS0: attention x heads=8\n";
  const auto alone = simulate(one);
  const auto both = simulate(one + "S1: attention y heads=8\n");
  const Nanoseconds first = took(alone[0]);
  const Nanoseconds until = std::max(both[0].end, both[1].end) - both[0].start;
  EXPECT_GE(until, first);
  EXPECT_LE(until, 5 * first / 2);
}

TEST(Attention, WaitingForBothTilesAtOnceTakesLonger) {
  const auto with = [](const std::string& options) {
    return took(simulate("buffer x 64MiB\nstream A nonblocking\nA: attention x heads=64 head=64 " + options + "\n")[0]);
  };
  for (const std::string buffers : {"buffers=1", "buffers=2"})
    EXPECT_GE(with(buffers + " waits=1"), with(buffers + " waits=2")) << buffers;
}

}  // namespace
}  // namespace streamscope::model
