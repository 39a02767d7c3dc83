// The CPU's side of verification. Needs no GPU.
#include "engine/device/cuda/verify/reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <vector>

#include "engine/program/program.h"
#include "engine/program/read_program.h"
#include "kernels/axpb/axpb.h"
#include "kernels/axpb/chains_reference.h"
#include "kernels/pattern.h"

namespace streamscope::cuda {
namespace {

float slow_chain(float v, std::uint32_t fma) {
  for (std::uint32_t i = 0; i < fma; ++i) v = std::fma(v, kernels::kAxpbA, kernels::kAxpbB);
  return v;
}

std::uint32_t bits(float v) {
  std::uint32_t word;
  std::memcpy(&word, &v, sizeof word);
  return word;
}

TEST(Pattern, IsFiniteScatteredAndDifferentForEachSeed) {
  std::set<std::uint32_t> values;
  std::size_t same = 0, as_neighbour = 0;
  for (std::uint64_t i = 0; i < 1'000'000; ++i) {
    const std::uint32_t word = kernels::pattern(i, 1);
    float value;
    std::memcpy(&value, &word, sizeof value);
    ASSERT_TRUE(value >= 0.5f && value < 1.0f);
    values.insert(word);
    same += word == kernels::pattern(i, 2) ? 1 : 0;
    as_neighbour += word == kernels::pattern(i + 1, 1) ? 1 : 0;
  }
  EXPECT_LE(values.size(), 16384u);
  EXPECT_GT(values.size(), 16000u);
  EXPECT_LT(same, 200u);
  EXPECT_LT(as_neighbour, 200u);
}

TEST(Pattern, FillsOddLengths) {
  std::vector<char> data(11, 'z');
  fill_pattern(data.data(), 10, 3);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(static_cast<unsigned char>(data[i]), (kernels::pattern(i / 4, 3) >> (8 * (i % 4))) & 0xFF);
  }
  EXPECT_EQ(data[10], 'z');
}

TEST(FmaChains, GivesTheBitsOfOneFmaAfterTheOther) {
  kernels::FmaChains chains;
  for (const std::uint32_t fma : {1u, 2u, 63u, 1000u}) {
    // The second range has more different values than are remembered.
    for (const std::uint64_t count : {1ull, 63ull, 100'003ull, 400'000ull}) {
      std::vector<float> data(count);
      for (std::uint64_t i = 0; i < count; ++i) data[i] = 0.25f + static_cast<float>(i) * 0x1p-19f;
      if (count > 10) data[7] = std::numeric_limits<float>::infinity(), data[8] = 1e-41f, data[9] = -0.0f;
      const std::vector<float> start = data;
      chains.apply(data.data(), count, fma);
      for (std::uint64_t i = 0; i<count; i += count> 1000 && fma > 100 ? 997 : 1) {
        ASSERT_EQ(bits(data[i]), bits(slow_chain(start[i], fma))) << i << " of " << count << ", fma " << fma;
      }
    }
  }
}

TEST(FirstDifference, IsTheFirstAndKnowsNan) {
  std::vector<float> a(300'001, 1.0f);
  std::vector<float> b = a;
  const auto compare = [&](std::uint64_t bytes) {
    return first_difference(reinterpret_cast<const char*>(a.data()), reinterpret_cast<const char*>(b.data()), bytes);
  };
  EXPECT_EQ(compare(a.size() * 4), std::nullopt);
  EXPECT_EQ(compare(0), std::nullopt);
  b[300'000] = 2.0f;
  EXPECT_EQ(compare(a.size() * 4), 1'200'000u);
  b[70'000] = 2.0f;
  b[70'001] = 3.0f;
  EXPECT_EQ(compare(a.size() * 4), 280'000u);
  EXPECT_EQ(compare(280'000), std::nullopt);
  EXPECT_EQ(compare(280'004), 280'000u);
  a[70'000] = std::numeric_limits<float>::quiet_NaN();
  b[70'000] = -std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(compare(a.size() * 4), 280'004u);
}

TEST(Reference, FollowsTheDataThroughAProgram) {
  const auto read = program::read_program(R"(
buffer x 64
buffer y 64
stream A
A: h2d x[0:32]
A: axpb x[16:16] fma=3
A: memset x[4:4] 9
A: d2d y[8:40] x[0:40]
A: d2h y
)",
                                          "test");
  ASSERT_TRUE(read) << read.error().message;
  const program::Program& program = read->program;
  Reference reference(program);
  ASSERT_EQ(reference.run(), std::nullopt);

  std::vector<char> x(64), y(64), host(64);
  fill_pattern(x.data(), 64, device_seed(BufferId{0}));
  fill_pattern(host.data(), 64, host_seed(BufferId{0}));
  std::memcpy(x.data(), host.data(), 32);
  for (std::size_t i = 4; i < 8; ++i) {
    float v;
    std::memcpy(&v, &x[4 * i], 4);
    v = slow_chain(v, 3);
    std::memcpy(&x[4 * i], &v, 4);
  }
  std::memset(&x[4], 9, 4);
  fill_pattern(y.data(), 64, device_seed(BufferId{1}));
  std::memcpy(&y[8], &x[0], 40);
  EXPECT_EQ(std::memcmp(reference.device(BufferId{0}), x.data(), 64), 0);
  EXPECT_EQ(std::memcmp(reference.device(BufferId{1}), y.data(), 64), 0);
  EXPECT_EQ(std::memcmp(reference.host(BufferId{1}), y.data(), 64), 0);
  EXPECT_EQ(std::memcmp(reference.host(BufferId{0}), host.data(), 64), 0);
}

// Not run on a device: reading what nothing has written is just what initcheck is there to find.
TEST(Reference, MemoryMadeInTheRunIsNotKnownBeforeItIsWritten) {
  const auto read = program::read_program(R"(
buffer x 1MiB
stream A
host: malloc t 1MiB
A: memset t[0:4096] 1
A: d2d x[0:4097] t[0:4097]
host: sync A
host: free t
)",
                                          "test");
  ASSERT_TRUE(read) << read.error().message;
  const auto why_not = Reference(read->program).run();
  ASSERT_TRUE(why_not);
  EXPECT_NE(why_not->find("line 6"), std::string::npos) << *why_not;
}

}  // namespace
}  // namespace streamscope::cuda
