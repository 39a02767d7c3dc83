// Faults on one of two modelled GPUs, fifty in a row in one engine; tests/gpu/two_gpus_faults_test.cpp has the same on
// real ones.
#include "tests/support/two_device_faults.h"

namespace streamscope::remote {
namespace {

class TwoDeviceFaults : public testing::TestWithParam<tests::FaultOfTwo> {};

TEST_P(TwoDeviceFaults, FiftyInARowAreToldAndBothDevicesWorkBehindEach) {
  constexpr std::size_t kTimes = 50;
  const auto runs = run_in_own_process(tests::faults_and_work("model:h200x2", GetParam(), kTimes), {});
  ASSERT_TRUE(runs) << runs.error().message;
  ASSERT_EQ(runs->size(), 2 * kTimes) << "none is lost";
  for (std::size_t i = 0; i < kTimes; ++i) {
    SCOPED_TRACE(i);
    tests::expect_failed((*runs)[2 * i], GetParam());
    tests::expect_worked((*runs)[2 * i + 1], false);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, TwoDeviceFaults, testing::ValuesIn(tests::all_faults_of_two()), tests::name_of);

}  // namespace
}  // namespace streamscope::remote
