// How many cores there are to use, from what the system says.
#include "engine/device/cuda/runtime/cores.h"

#include <gtest/gtest.h>

namespace streamscope::cuda {
namespace {

TEST(Cores, AControlGroupOfVersion2) {
  EXPECT_EQ(cores_of_quota("max 100000\n"), std::nullopt);
  EXPECT_EQ(cores_of_quota("150000 100000\n"), 1.5);
  EXPECT_EQ(cores_of_quota("400000 100000"), 4.0);
  for (const char* const text : {"", "max", "100000", "x 100000", "100000 0", "-1 100000", "100000 1e5"})
    EXPECT_EQ(cores_of_quota(text), std::nullopt) << text;
}

TEST(Cores, AControlGroupOfVersion1) {
  EXPECT_EQ(cores_of_quota("-1\n", "100000\n"), std::nullopt);
  EXPECT_EQ(cores_of_quota("250000\n", "100000\n"), 2.5);
  EXPECT_EQ(cores_of_quota("", ""), std::nullopt);
}

TEST(Cores, WhichGroupLimitsProcessors) {
  const char* const both =
      "12:cpuset:/a\n4:cpu,cpuacct:/docker/b\n3:cpuacct:/no\n1:name=systemd:/c\n0::/user.slice/d\n";
  EXPECT_EQ(cpu_group(both, 1), "/docker/b");
  EXPECT_EQ(cpu_group(both, 2), "/user.slice/d");
  EXPECT_EQ(cpu_group("0::/\n", 2), "/");
  EXPECT_EQ(cpu_group("0::/\n", 1), "");
  EXPECT_EQ(cpu_group("nonsense", 2), "");
}

TEST(Cores, TheLeastOfAllCounts) {
  EXPECT_EQ(usable_cores(64, 64, std::nullopt), 64u);
  EXPECT_EQ(usable_cores(64, 0, std::nullopt), 64u) << "where the system does not say";
  EXPECT_EQ(usable_cores(64, 3, std::nullopt), 3u);
  EXPECT_EQ(usable_cores(64, 8, 2.5), 2u);
  EXPECT_EQ(usable_cores(64, 8, 0.5), 1u);
  EXPECT_EQ(usable_cores(64, 2, 16.0), 2u);
  EXPECT_EQ(usable_cores(0, 0, std::nullopt), 1u);
}

TEST(Cores, ThisProcessHasOneAtLeast) { EXPECT_GE(usable_cores(), 1u); }

}  // namespace
}  // namespace streamscope::cuda
