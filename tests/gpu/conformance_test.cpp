// The conformance suite on a real GPU: CUDA's rules as the hardware keeps them, and as the full instrument shows them.
#include <fmt/format.h>

#include <map>

#include "tests/conformance/conformance.h"
#include "tests/gpu/gpu.h"

namespace streamscope::cuda {
namespace {

constexpr int kPasses = 3;  // every one must hold

class ConformanceOnGpu : public Gpu, public testing::WithParamInterface<int> {};

TEST_P(ConformanceOnGpu, TheHardwareKeepsTheRule) {
  auto device = open_cuda_device(0);
  ASSERT_TRUE(device) << device.error().message;
  int tried = 0, known = 0;
  for (const conformance::Case& one : conformance::all_cases()) {
    if (one.rule != GetParam()) continue;
    ++known;
    if (const std::string why = conformance::lacks(one.needs, (*device)->info()); !why.empty()) {
      fmt::print("rule {}: not tried: {}: {}\n", one.rule, one.name, why);
      continue;
    }
    ++tried;
    const conformance::Trial trial = conformance::attempt(one, **device, kPasses);
    EXPECT_EQ(trial.wrong, "") << "rule " << one.rule << ", " << one.name << "\n"
                               << conformance::program_for(one, (*device)->info());
    // And had it been otherwise, these very times would have shown it.
    if (trial.wrong.empty() && !trial.seen.empty()) {
      EXPECT_EQ(conformance::believed(one, trial.seen.front()), "") << "rule " << one.rule << ", " << one.name;
    }
    std::map<std::string, int> outcomes;
    for (const std::string& outcome : trial.outcomes) ++outcomes[outcome];
    for (const auto& [outcome, times] : outcomes) {
      fmt::print("rule {}: {}: {} (in {} of {} passes)\n", one.rule, one.name, outcome, times, kPasses);
    }
  }
  fmt::print("rule {}: {} of {} cases on {}\n", GetParam(), tried, known, (*device)->info().name);
  EXPECT_GT(known, 0);
}

INSTANTIATE_TEST_SUITE_P(Rule, ConformanceOnGpu, testing::Range(1, conformance::kRules + 1));

}  // namespace
}  // namespace streamscope::cuda
