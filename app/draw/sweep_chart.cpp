#include "app/draw/sweep_chart.h"

#include <fmt/format.h>

#include "engine/base/translate.h"

namespace streamscope::draw {
namespace {

std::string number(double value, const sweep::SweepUnit& unit) {
  return fmt::format("{:.{}f} {}", value, value >= 100 ? 0 : value >= 10 ? 1 : 2, unit.name);
}

std::optional<ChartValue> scaled(const sweep::SweepFigure& of, double factor) {
  if (!of.figure.value) return {};
  return ChartValue{*of.figure.value * factor, of.low * factor, of.high * factor};
}

void add_cards(const sweep::Sweep& sweep, const sweep::SweepUnit& unit, Chart& out) {
  const bool higher_is_better = sweep::figure_of({}, sweep.figure).figure.unit != analysis::FigureUnit::time;
  const std::optional<std::size_t> best = sweep::best_of(sweep);
  const double value = best ? sweep::figure_of(*sweep.points[*best].result, sweep.figure).figure.value.value_or(0) : 0;
  int runs = 0;
  std::size_t there = 0;
  bool wrong = false;
  for (const sweep::SweepPoint& point : sweep.points) {
    const auto& result = point.result;
    if (!result) continue;
    ++there;
    runs = std::max(runs, result->runs);
    wrong = wrong || result->verified == false;
  }
  if (best) {
    out.figures.push_back({higher_is_better ? tr("Highest") : tr("Shortest"), number(value * unit.factor, unit),
                           fmt::format("{}", fmt::join(sweep::settings_of(sweep.axes, *best), "  "))});
  }
  if (const auto copy = sweep::copy_rate_of(sweep); copy && best) {
    out.figures.push_back({tr("Of the device's own copy"), fmt::format("{:.1f} %", 100 * value / *copy),
                           tr("copy within the device: {}", number(*copy * unit.factor, unit))});
  }
  out.figures.push_back(
      {tr("Combinations"), tr("{} of {}", there, sweep.points.size()),
       tr_n("median of {} run each", "median of {} runs each", static_cast<unsigned long>(runs), runs)});
  if (wrong) out.figures.push_back({tr("Data"), tr("WRONG"), tr("differs from the CPU's result"), true});
}

}  // namespace

Chart sweep_chart(const sweep::Sweep& sweep) {
  const std::vector<sweep::Axis>& axes = sweep.axes;
  const sweep::SweepUnit unit = sweep::unit_of(sweep);
  Chart out;
  out.caption.title = sweep.title;
  std::string swept = axes[0].key;
  for (std::size_t i = 1; i < axes.size(); ++i) swept += ", " + axes[i].key;
  out.caption.subtitle = tr("swept over {}", swept);
  for (const std::string& setting : sweep.settings) out.caption.subtitle += "  ·  " + setting;
  add_cards(sweep, unit, out);
  out.x = axes[0].key;
  out.y = fmt::format("{}, {}", sweep::figure_of({}, sweep.figure).figure.meaning, unit.name);
  out.categories = axes[0].values;
  if (axes.size() > 1) out.legend = axes[1].key;
  const std::size_t lines = axes.size() > 1 ? axes[1].values.size() : 1;
  const std::size_t plots = axes.size() > 2 ? axes[2].values.size() : 1;
  for (std::size_t plot = 0; plot < plots; ++plot) {
    ChartPlot one;
    if (axes.size() > 2) one.name = fmt::format("{}={}", axes[2].key, axes[2].values[plot]);
    for (std::size_t line = 0; line < lines; ++line) {
      ChartLine drawn;
      if (axes.size() > 1) drawn.name = axes[1].values[line];
      for (std::size_t x = 0; x < axes[0].values.size(); ++x) {
        const auto& result = sweep.points[(x * lines + line) * plots + plot].result;
        drawn.values.push_back(
            scaled(sweep::figure_of(result.value_or(sweep::SweepResult{}), sweep.figure), unit.factor));
      }
      one.lines.push_back(std::move(drawn));
    }
    out.plots.push_back(std::move(one));
  }
  if (const auto copy = sweep::copy_rate_of(sweep)) {
    out.reference = *copy * unit.factor;
    out.reference_name = tr("the device's own copy");
  }
  out.notes = sweep::sweep_remarks(sweep);
  out.provenance = sweep.provenance;
  return out;
}

}  // namespace streamscope::draw
