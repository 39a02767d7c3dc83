// A sweep as a plot.
#include <fmt/format.h>

#include "app/cli/sweep.h"

namespace streamscope::cli {
namespace {

std::string axis_title(SweepFigure figure, const SweepUnit& unit) {
  switch (figure) {
    case SweepFigure::kernel_rate: return fmt::format("read and written by the kernels, {}", unit.name);
    case SweepFigure::wall: return fmt::format("wall time, {}", unit.name);
    case SweepFigure::makespan: return fmt::format("makespan, first start to last end, {}", unit.name);
    case SweepFigure::overlap: return fmt::format("overlap, makespan with two or more engines busy, {}", unit.name);
  }
  return {};
}

bool higher_is_better(SweepFigure figure) {
  return figure == SweepFigure::kernel_rate || figure == SweepFigure::overlap;
}

std::string number(double value, const SweepUnit& unit) {
  return fmt::format("{:.{}f} {}", value, value >= 100 ? 0 : value >= 10 ? 1 : 2, unit.name);
}

std::optional<draw::ChartValue> scaled(const std::optional<draw::ChartValue>& value, double factor) {
  if (!value) return {};
  return draw::ChartValue{value->value * factor, value->low * factor, value->high * factor};
}

void add_cards(const Sweep& sweep, const SweepUnit& unit, draw::Chart& out) {
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
    const auto here = value_of(*result, sweep.figure);
    if (!here || (best && (higher_is_better(sweep.figure) ? here->value <= value : here->value >= value))) continue;
    best = i;
    value = here->value;
  }
  if (best) {
    out.figures.push_back({higher_is_better(sweep.figure) ? "Highest" : "Shortest", number(value * unit.factor, unit),
                           fmt::format("{}", fmt::join(settings_of(sweep.axes, *best), "  "))});
  }
  if (const auto copy = copy_rate_of(sweep); copy && best) {
    out.figures.push_back({"Of the device's own copy", fmt::format("{:.1f} %", 100 * value / *copy),
                           "copy within the device: " + number(*copy * unit.factor, unit)});
  }
  out.figures.push_back({"Combinations", fmt::format("{} of {}", there, sweep.points.size()),
                         fmt::format("median of {} run{} each", runs, runs == 1 ? "" : "s")});
  if (wrong) out.figures.push_back({"Data", "WRONG", "differs from the CPU's result", true});
}

}  // namespace

draw::Chart sweep_chart(const Sweep& sweep) {
  const std::vector<Axis>& axes = sweep.axes;
  const SweepUnit unit = unit_of(sweep);
  draw::Chart out;
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
    draw::ChartPlot one;
    if (axes.size() > 2) one.name = fmt::format("{}={}", axes[2].key, axes[2].values[plot]);
    for (std::size_t line = 0; line < lines; ++line) {
      draw::ChartLine drawn;
      if (axes.size() > 1) drawn.name = axes[1].values[line];
      for (std::size_t x = 0; x < axes[0].values.size(); ++x) {
        const auto& result = sweep.points[(x * lines + line) * plots + plot].result;
        const auto value = result ? value_of(*result, sweep.figure) : std::nullopt;
        drawn.values.push_back(scaled(value, unit.factor));
      }
      one.lines.push_back(std::move(drawn));
    }
    out.plots.push_back(std::move(one));
  }
  if (const auto copy = copy_rate_of(sweep)) {
    out.reference = *copy * unit.factor;
    out.reference_name = "the device's own copy";
  }
  out.notes = sweep_remarks(sweep);
  out.provenance = sweep.provenance;
  return out;
}

}  // namespace streamscope::cli
