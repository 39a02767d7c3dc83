// The model of an H200 against its sweep of the tile kernels: every way of copying, 1 to 8 stages. A panel is what the
// bench draws as one table: blocks a multiprocessor, multiply-adds, tile and threads are the same.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

#include "engine/device/catalog/catalog.h"
#include "tests/engine/model/simulated.h"

namespace streamscope::model {
namespace {

struct Case {
  std::string panel, program;
  bool of_the_default_panels = false;  // those that the bench draws by default
  double measured = 0;                 // GB/s, read and written
  double modelled = 0;
  double off() const { return std::abs(modelled / measured - 1); }
};

std::vector<Case> recorded() {
  const auto csv = read_text(STREAMSCOPE_SOURCE "/tests/recordings/h200-tiles.csv");
  EXPECT_TRUE(csv) << csv.error().message;
  std::istringstream lines(csv.value_or(""));
  std::vector<Case> cases;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#' || line[0] == 'b') continue;
    std::istringstream values(line);
    std::vector<std::string> of;
    for (std::string value; std::getline(values, value, ',');) of.push_back(value);
    EXPECT_EQ(of.size(), 8u) << line;
    if (of.size() != 8) continue;
    Case one;
    one.panel = fmt::format("per-sm={} fma={} tile={} threads={}", of[0], of[1], of[2], of[3]);
    one.program =
        fmt::format("buffer x 1GiB\nstream A\nA: tiles x {} copy={} stages={} align=128\n", one.panel, of[4], of[5]);
    one.of_the_default_panels = of[2] == "16384" && of[3] == "512";
    one.measured = std::stod(of[7]);
    cases.push_back(std::move(one));
  }
  return cases;
}

std::vector<Case> modelled() {
  auto profile = catalog::read_profile(STREAMSCOPE_SOURCE "/assets/devices/h200.toml");
  EXPECT_TRUE(profile) << profile.error().message;
  std::vector<Case> cases = recorded();
  if (!profile) return cases;
  for (Case& one : cases) {
    const Nanoseconds time = took(simulate(one.program, *profile)[0]);
    one.modelled = 2.0 * (1 << 30) / static_cast<double>(std::max<Nanoseconds>(1, time));
  }
  return cases;
}

// Pairs of one panel whose measured rates are further apart than a measurement is from the next, and those of them that
// the model has in the same order.
struct Order {
  int pairs = 0, kept = 0;
  double share() const { return pairs == 0 ? 1 : static_cast<double>(kept) / pairs; }
};
Order order(const std::vector<Case>& cases, bool of_the_default_panels) {
  constexpr double kApart = 1.05;
  Order order;
  for (const Case& slow : cases) {
    if (of_the_default_panels && !slow.of_the_default_panels) continue;
    for (const Case& fast : cases) {
      if (fast.panel != slow.panel || fast.measured <= kApart * slow.measured) continue;
      ++order.pairs;
      if (fast.modelled > slow.modelled) ++order.kept;
    }
  }
  return order;
}

TEST(TileSweep, OfAnH200IsPredicted) {
  const std::vector<Case> cases = modelled();
  ASSERT_EQ(cases.size(), 1611u);
  double all = 0, of_the_default_panels = 0;
  int defaults = 0;
  for (const Case& one : cases) {
    EXPECT_LT(one.off(), one.of_the_default_panels ? 0.10 : 0.16)
        << one.program << one.modelled << " GB/s, measured " << one.measured;
    all += one.off();
    if (!one.of_the_default_panels) continue;
    of_the_default_panels += one.off();
    ++defaults;
  }
  EXPECT_LT(of_the_default_panels / defaults, 0.03);
  EXPECT_LT(all / static_cast<double>(cases.size()), 0.03);

  const Order in_default_panels = order(cases, true);
  EXPECT_GT(in_default_panels.pairs, 3000);
  EXPECT_GT(in_default_panels.share(), 0.98);
  EXPECT_GT(order(cases, false).share(), 0.98);
}

}  // namespace
}  // namespace streamscope::model
