// That links carry no more than they can, in generated programs; what else holds of these on several devices is among
// the properties of tests/generated.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/engine/model/simulated.h"
#include "tests/generated/write_program.h"

namespace streamscope::model {
namespace {

// When it starts that much more of the bytes of `these` have not been moved than the links could have.
void expect_within_rate(const Simulated& run, const std::vector<OperationIndex>& these, double rate) {
  for (const OperationIndex first : these) {
    double bytes = 0;
    Nanoseconds end = 0;
    for (const OperationIndex each : these) {
      if (run[each].start < run[first].start) continue;
      bytes += static_cast<double>(run[each].bytes);
      end = std::max(end, run[each].end);
      EXPECT_LE(bytes, rate * static_cast<double>(end - run[first].start) * 1.001 + 4096) << each;
    }
  }
}

TEST(Links, CarryNoMoreThanTheyCan) {
  constexpr double kRate = 393;  // bytes in a nanosecond
  const auto profile = catalog::open_profile(device::model_of("h200x3"));
  ASSERT_TRUE(profile);
  std::size_t copies = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::string text = generated::write_program(seed, {.devices = 3});
    SCOPED_TRACE(text);
    const Simulated run = simulate(text, *profile);
    std::map<std::uint32_t, std::vector<OperationIndex>> out, in;
    for (OperationIndex i = 0; i < run.spans.size(); ++i) {
      if (run[i].kind != OperationKind::peer) continue;
      EXPECT_NE(run[i].device, run[i].to_device) << i;
      out[run[i].device].push_back(i);
      in[run[i].to_device].push_back(i);
      ++copies;
    }
    for (auto* const ways : {&out, &in}) {
      for (auto& [device, its] : *ways) {
        std::ranges::sort(its, {}, [&](OperationIndex i) { return run[i].start; });
        expect_within_rate(run, its, kRate);
      }
    }
  }
  EXPECT_GT(copies, 100u);
}

}  // namespace
}  // namespace streamscope::model
