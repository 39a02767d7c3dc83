// The conformance suite on the CUDA device over the fake: its calls and its instrument show CUDA's order as it is. The
// fake knows the order of streams, events and copy engines; it is no model of a GPU's multiprocessors or of how long a
// call holds the host.
#include "tests/conformance/conformance.h"

#include "engine/device/cuda/cuda_device.h"
#include "tests/engine/cuda/contract.h"

namespace streamscope::cuda {
namespace {

class ConformanceOnFake : public testing::TestWithParam<int> {};

TEST_P(ConformanceOnFake, TheCudaDeviceShowsTheRule) {
  for (const conformance::Case& one : conformance::all_cases()) {
    if (one.rule != GetParam()) continue;
    // The fake's time goes on as soon as a thread waits, even if another is still about to call, and no sooner: here it
    // may pass by the call that these cases are about, or never come to it.
    if (one.name == "a host thread that waits does not hold another" ||
        one.name == "a thread that waits for a stream does not wait for what another submits to it meanwhile") {
      continue;
    }
    fake_cuda::reset();
    if (one.needs.devices > 1) fake_cuda::gpus({{}, {}});
    const auto device = open_cuda_device(0, contract::on_fake());
    ASSERT_TRUE(device) << device.error().message;
    if (!conformance::lacks(one.needs, (*device)->info()).empty()) continue;
    const conformance::Trial trial = conformance::attempt(one, **device, 2);
    EXPECT_EQ(trial.wrong, "") << "rule " << one.rule << ", " << one.name;
    if (trial.seen.empty()) continue;
    EXPECT_EQ(conformance::believed(one, trial.seen.front()), "") << "rule " << one.rule << ", " << one.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Rule, ConformanceOnFake,
                         testing::Values(1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 17, 18, 19, 20, 21));

}  // namespace
}  // namespace streamscope::cuda
