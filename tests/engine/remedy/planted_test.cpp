// The verdict on programs with one fault each, on the model.
#include "tests/engine/remedy/planted.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <memory>

#include "engine/device/blank_trace.h"
#include "engine/experiment/experiment_file.h"
#include "engine/remedy/explain.h"
#include "tests/engine/remedy/simulated_run.h"

namespace streamscope::remedy {
namespace {

using verdict::Cause;

TEST(PlantedFaults, AreNamedFirst) {
  std::map<Cause, std::pair<int, int>> right;  // and how many there are
  int all = 0, found = 0;
  for (const Planted& each : planted_faults()) {
    const auto run = simulated_run(each.text, each.device);
    const Verdict verdict = verdict_on(*run);
    ASSERT_FALSE(verdict.entries.empty()) << each.name;
    const Cause named = verdict.entries.front().cause;
    const bool is = named == each.cause || std::ranges::find(each.also, named) != each.also.end();
    auto& [good, of] = right[each.cause];
    good += is ? 1 : 0;
    ++of;
    ++all;
    found += is ? 1 : 0;
    if (!is)
      std::printf("%s: %s, not %s\n", std::string(each.name).c_str(), std::string(name(named)).c_str(),
                  std::string(name(each.cause)).c_str());
  }
  EXPECT_GE(found, (95 * all + 99) / 100) << found << " of " << all;
  for (const auto& [cause, counts] : right) EXPECT_GE(4 * counts.first, 3 * counts.second) << name(cause);
}

}  // namespace
}  // namespace streamscope::remedy
