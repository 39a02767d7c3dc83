// The conformance suite on the model, with every profile that is shipped; and the suite itself: it covers every rule,
// and none of its cases believes a wrong device.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "engine/base/files.h"
#include "engine/device/catalog/catalog.h"
#include "engine/device/model/model.h"
#include "tests/conformance/conformance.h"

namespace streamscope::conformance {
namespace {

// What a time read off a GPU may be off by.
constexpr std::uint32_t kUnsure = 8'000;

std::vector<model::Profile> profiles() {
  std::vector<model::Profile> all;
  for (const auto& file : std::filesystem::directory_iterator(assets_folder() / "devices")) {
    if (file.path().extension() != ".toml") continue;
    auto profile = catalog::read_profile(file.path());
    EXPECT_TRUE(profile) << profile.error().message;
    if (profile) all.push_back(std::move(*profile));
  }
  // Devices that no shipped profile need be.
  for (model::Profile profile : std::vector<model::Profile>(all)) {
    if (profile.id != "h200") continue;
    profile.id = "h200 with one copy engine";
    profile.copies.engines = 1;
    profile.copies.queue = model::CopyQueue::issue;
    all.push_back(profile);
    profile.id = "two of them";
    profile.devices = 2;
    all.push_back(profile);
  }
  return all;
}

std::vector<Case> cases_of(int rule) {
  std::vector<Case> all = all_cases();
  std::erase_if(all, [&](const Case& one) { return one.rule != rule; });
  return all;
}

class Conformance : public testing::TestWithParam<int> {};

TEST_P(Conformance, TheModelKeepsTheRule) {
  int tried = 0;
  for (const Case& one : cases_of(GetParam())) {
    int devices = 0;
    std::string why_not;
    for (const model::Profile& profile : profiles()) {
      const auto device = model::make_model(profile);
      if (const std::string why = lacks(one.needs, device->info()); !why.empty()) {
        why_not += profile.id + ": " + why + "; ";
        continue;
      }
      ++devices;
      const Trial trial = attempt(one, *device, 1);
      EXPECT_EQ(trial.wrong, "") << "rule " << one.rule << ", " << one.name << ", on " << profile.id;
      for (const std::string& outcome : trial.outcomes) {
        fmt::print("rule {}: {}: {} ({})\n", one.rule, one.name, outcome, profile.id);
      }
    }
    EXPECT_GT(devices, 0) << one.name << " was tried nowhere: " << why_not;
    ++tried;
  }
  fmt::print("rule {}: {} cases\n", GetParam(), tried);
  EXPECT_GT(tried, 0);
}

// Each case on the first device that it applies to, with its lies. Beyond doubt, and with times as
// unsure as a GPU's.
TEST_P(Conformance, NoCaseBelievesAWrongDevice) {
  for (const Case& one : cases_of(GetParam())) {
    SCOPED_TRACE(one.name);
    if (one.refused) continue;  // what is refused says so, or runs
    EXPECT_FALSE(one.lies.empty());
    for (const model::Profile& profile : profiles()) {
      const auto device = model::make_model(profile);
      if (!lacks(one.needs, device->info()).empty()) continue;
      const Trial trial = attempt(one, *device, 1);
      ASSERT_EQ(trial.wrong, "");
      const Observation& seen = trial.seen.front();
      EXPECT_EQ(one.holds(seen.unsure(kUnsure)).wrong, "") << "with unsure times on " << profile.id;
      EXPECT_EQ(believed(one, seen), "");
      EXPECT_EQ(believed(one, seen.unsure(kUnsure)), "") << "when times are unsure";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rule, Conformance, testing::Range(1, kRules + 1));

TEST(Suite, NamesAreUnique) {
  std::set<std::string> names;
  for (const Case& one : all_cases()) EXPECT_TRUE(names.insert(one.name).second) << one.name;
}

}  // namespace
}  // namespace streamscope::conformance
