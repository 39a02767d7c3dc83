#include "app/window/state/sweeping.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/experiment/experiment_file.h"

namespace streamscope::window {
namespace {

struct SweepUpdate {
  Sweeping& sweeping;

  void operator()(const command::SetSweepAxis& c) {
    if (c.which < sweeping.axes.size()) sweeping.axes[c.which] = c.axis;
    sweeping.wrong.clear();
  }
  void operator()(const command::SetSweepFigure& c) { sweeping.sweep.figure = c.figure; }
  void operator()(const command::ShowSweepLines& c) { sweeping.lines = c.on; }
};

}  // namespace

void update(Sweeping& sweeping, const SweepCommand& command) { std::visit(SweepUpdate{sweeping}, command); }

Setup setup_of_point(const Sweeping& sweeping, std::size_t point) {
  Setup setup = sweeping.setup;
  std::vector<experiment::Setting> settings;
  for (const std::string& each : sweep::settings_of(sweeping.sweep.axes, point))
    if (auto setting = experiment::parse_setting(each)) settings.push_back(std::move(*setting));
  if (auto parsed = experiment::parse_experiment(sweeping.source.text.text, sweeping.source.text.file, settings))
    setup.experiment = std::move(parsed->experiment);
  setup.program = sweeping.combinations.all[point].program;
  return setup;
}

std::string name_of_point(const Sweeping& sweeping, std::size_t point) {
  return fmt::format("{}", fmt::join(sweep::settings_of(sweeping.sweep.axes, point), " "));
}

std::size_t points_done(const Sweeping& sweeping) {
  const auto& all = sweeping.sweep.points;
  return static_cast<std::size_t>(std::ranges::count_if(
      all, [](const sweep::SweepPoint& each) { return each.result.has_value() || !each.why_not.empty(); }));
}

}  // namespace streamscope::window
