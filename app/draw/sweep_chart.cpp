#include "app/draw/sweep_chart.h"

#include <fmt/format.h>

namespace streamscope::draw {
namespace {

std::string axis_title(sweep::SweepFigure figure, const sweep::SweepUnit& unit) {
  switch (figure) {
    case sweep::SweepFigure::kernel_rate: return fmt::format("read and written by the kernels, {}", unit.name);
    case sweep::SweepFigure::wall: return fmt::format("wall time, {}", unit.name);
    case sweep::SweepFigure::makespan: return fmt::format("makespan, first start to last end, {}", unit.name);
    case sweep::SweepFigure::overlap:
      return fmt::format("overlap, makespan with two or more engines busy, {}", unit.name);
  }
  return {};
}

bool higher_is_better(sweep::SweepFigure figure) {
  return figure == sweep::SweepFigure::kernel_rate || figure == sweep::SweepFigure::overlap;
}

std::string number(double value, const sweep::SweepUnit& unit) {
  return fmt::format("{:.{}f} {}", value, value >= 100 ? 0 : value >= 10 ? 1 : 2, unit.name);
}

std::optional<ChartValue> scaled(const std::optional<sweep::FigureValue>& value, double factor) {
  if (!value) return {};
  return ChartValue{value->value * factor, value->low * factor, value->high * factor};
}

void add_cards(const sweep::Sweep& sweep, const sweep::SweepUnit& unit, Chart& out) {
  std::optional<std::size_t> best;
  double value = 0;
  int runs = 0;
  std::size_t there = 0;
  bool wrong = false;
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const auto& result = sweep.points[i].result;
    if (!result) continue;
    ++there;
    runs = std::max(runs, result->runs);
    wrong = wrong || result->verified == false;
    const auto here = sweep::value_of(*result, sweep.figure);
    if (!here || (best && (higher_is_better(sweep.figure) ? here->value <= value : here->value >= value))) continue;
    best = i;
    value = here->value;
  }
  if (best) {
    out.figures.push_back({higher_is_better(sweep.figure) ? "Highest" : "Shortest", number(value * unit.factor, unit),
                           fmt::format("{}", fmt::join(sweep::settings_of(sweep.axes, *best), "  "))});
  }
  if (const auto copy = sweep::copy_rate_of(sweep); copy && best) {
    out.figures.push_back({"Of the device's own copy", fmt::format("{:.1f} %", 100 * value / *copy),
                           "copy within the device: " + number(*copy * unit.factor, unit)});
  }
  out.figures.push_back({"Combinations", fmt::format("{} of {}", there, sweep.points.size()),
                         fmt::format("median of {} run{} each", runs, runs == 1 ? "" : "s")});
  if (wrong) out.figures.push_back({"Data", "WRONG", "differs from the CPU's result", true});
}

}  // namespace

Chart sweep_chart(const sweep::Sweep& sweep) {
  const std::vector<sweep::Axis>& axes = sweep.axes;
  const sweep::SweepUnit unit = sweep::unit_of(sweep);
  Chart out;
  out.caption.title = sweep.title;
  out.caption.subtitle = "swept over " + axes[0].key;
  for (std::size_t i = 1; i < axes.size(); ++i) out.caption.subtitle += ", " + axes[i].key;
  for (const std::string& setting : sweep.settings) out.caption.subtitle += "  ·  " + setting;
  add_cards(sweep, unit, out);
  out.x = axes[0].key;
  out.y = axis_title(sweep.figure, unit);
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
        const auto value = result ? sweep::value_of(*result, sweep.figure) : std::nullopt;
        drawn.values.push_back(scaled(value, unit.factor));
      }
      one.lines.push_back(std::move(drawn));
    }
    out.plots.push_back(std::move(one));
  }
  if (const auto copy = sweep::copy_rate_of(sweep)) {
    out.reference = *copy * unit.factor;
    out.reference_name = "the device's own copy";
  }
  out.notes = sweep::sweep_remarks(sweep);
  out.provenance = sweep.provenance;
  return out;
}

}  // namespace streamscope::draw
