#include "engine/sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/translate.h"

namespace streamscope::sweep {
namespace {

SweepFigure of_time(SweepFigure figure, const std::optional<trace::Statistic>& runs) {
  if (!runs) return figure;
  const auto median = static_cast<double>(runs->median);
  figure.runs = runs;
  figure.figure.value = median;
  figure.figure.noise = known(runs->spread) ? static_cast<double>(runs->spread) : 0;
  figure.low = std::max(median - figure.figure.noise, 0.0);
  figure.high = median + figure.figure.noise;
  return figure;
}

SweepFigure of_value(SweepFigure figure, std::optional<double> value) {
  figure.figure.value = value;
  figure.low = figure.high = value.value_or(0);
  return figure;
}

// Spread as the time is in which so much was moved.
SweepFigure of_rate(SweepFigure figure, std::optional<double> rate, const SweepFigure& time) {
  figure = of_value(std::move(figure), rate);
  if (!rate || !(time.low < time.high)) return figure;
  figure.low = *rate * *time.figure.value / time.high;
  figure.high = *rate * *time.figure.value / std::max(time.low, 1.0);
  return figure;
}

std::optional<double> positive(double value) { return value > 0 ? std::optional(value) : std::nullopt; }

}  // namespace

double SweepResult::kernel_rate() const {
  if (!kernel || kernel->median <= 0) return 0;
  return static_cast<double>(kernel_bytes) / (static_cast<double>(kernel->median) * 1e-9);
}

std::vector<SweepFigure> figures(const SweepResult& of) {
  using enum analysis::FigureUnit;
  const double moved = of.kernel_rate();
  const auto effect = of.observer_effect ? std::optional(of.observer_effect->median) : std::nullopt;
  const SweepFigure kernel = of_time({.figure = {.key = "kernel_ns"}, .column = "kernel"}, of.kernel);
  return {
      of_time({.figure = {.key = "wall_ns", .name = tr("wall time"), .meaning = tr("wall time")},
               .choice = "wall",
               .column = "wall",
               .heading = tr("wall")},
              of.wall),
      of_time(
          {.figure = {.key = "makespan_ns", .name = tr("makespan"), .meaning = tr("makespan, first start to last end")},
           .choice = "makespan",
           .column = "makespan",
           .heading = tr("makespan")},
          of.makespan),
      kernel,
      of_value({.figure = {.key = "kernel_bytes", .unit = bytes}}, positive(static_cast<double>(of.kernel_bytes))),
      of_rate({.figure = {.key = "kernel_bytes_per_s",
                          .name = tr("rate of the kernels"),
                          .meaning = tr("read and written by the kernels"),
                          .unit = rate},
               .choice = "kernel-rate",
               .column = "kernel_gb_per_s",
               .heading = tr("kernels GB/s"),
               .of_kernels = true,
               .reference = of.copy_rate},
              positive(moved), kernel),
      of_value({.figure = {.key = "device_copy_bytes_per_s", .unit = rate}, .column = "copy_gb_per_s"},
               positive(of.copy_rate)),
      of_value({.figure = {.key = "share_of_copy_rate", .unit = share},
                .column = "share_of_copy",
                .heading = tr("of the copy rate"),
                .of_kernels = true},
               of.copy_rate > 0 ? positive(moved / of.copy_rate) : std::nullopt),
      of_value({.figure = {.key = "overlap",
                           .name = tr("overlap of the engines"),
                           .meaning = tr("overlap, makespan with two or more copies or kernels at once"),
                           .unit = share},
                .choice = "overlap",
                .column = "overlap",
                .heading = tr("overlap")},
               of.overlap),
      of_value({.figure = {.key = "observer_effect", .unit = ratio}, .column = "observer_effect"}, effect),
  };
}

std::vector<std::string_view> choices(bool of_kernels) {
  std::vector<std::string_view> first, others;
  for (const SweepFigure& each : figures({})) {
    if (!each.choice.empty()) (each.of_kernels ? first : others).push_back(each.choice);
  }
  if (of_kernels) others.insert(others.begin(), first.begin(), first.end());
  return others;
}

SweepFigure figure_of(const SweepResult& result, std::string_view choice) {
  std::vector<SweepFigure> all = figures(result);
  return *std::find_if(all.begin(), all.end(), [&](const SweepFigure& each) { return each.choice == choice; });
}

std::optional<double> copy_rate_of(const Sweep& sweep) {
  for (const SweepPoint& point : sweep.points) {
    const double rate = point.result ? figure_of(*point.result, sweep.figure).reference : 0;
    if (rate > 0) return rate;
  }
  return {};
}

std::optional<std::size_t> best_of(const Sweep& sweep) {
  const bool higher_is_better = figure_of({}, sweep.figure).figure.unit != analysis::FigureUnit::time;
  std::optional<std::size_t> best;
  double value = 0;
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    if (!sweep.points[i].result) continue;
    const std::optional<double> here = figure_of(*sweep.points[i].result, sweep.figure).figure.value;
    if (!here || (best && (higher_is_better ? *here <= value : *here >= value))) continue;
    best = i;
    value = *here;
  }
  return best;
}

SweepUnit unit_of(const Sweep& sweep) {
  double most = 0;
  for (const SweepPoint& point : sweep.points) {
    if (point.result) most = std::max(most, figure_of(*point.result, sweep.figure).figure.value.value_or(0));
  }
  switch (figure_of({}, sweep.figure).figure.unit) {
    case analysis::FigureUnit::rate: return {"GB/s", 1e-9};
    case analysis::FigureUnit::share: return {"%", 100};
    case analysis::FigureUnit::bytes: return {"B", 1};
    case analysis::FigureUnit::ratio: return {"×", 1};
    case analysis::FigureUnit::time: break;
  }
  if (most >= 1e9) return {"s", 1e-9};
  return most >= 1e6 ? SweepUnit{"ms", 1e-6} : SweepUnit{"us", 1e-3};
}

std::vector<std::string> engines_of(const Sweep& sweep) {
  std::vector<std::string> engines;
  for (const SweepPoint& point : sweep.points) {
    if (!point.result || point.result->engine.empty()) continue;
    if (std::find(engines.begin(), engines.end(), point.result->engine) == engines.end())
      engines.push_back(point.result->engine);
  }
  return engines;
}

std::vector<std::string> sweep_remarks(const Sweep& sweep) {
  std::vector<std::string> out;
  std::vector<std::pair<std::string, std::vector<std::size_t>>> reasons;  // in the order in which they come
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const SweepPoint& point = sweep.points[i];
    if (point.result) {
      if (point.result->verified == false) {
        out.push_back(tr("{}: the data that came back is WRONG", fmt::join(settings_of(sweep.axes, i), " ")));
      }
      continue;
    }
    const auto known_reason =
        std::find_if(reasons.begin(), reasons.end(), [&](const auto& each) { return each.first == point.why_not; });
    if (known_reason == reasons.end()) {
      reasons.push_back({point.why_not, {i}});
    } else {
      known_reason->second.push_back(i);
    }
  }
  for (const auto& [why, points] : reasons) {
    std::string of = fmt::format("{}", fmt::join(settings_of(sweep.axes, points.front()), " "));
    if (points.size() > 1) of += tr(" and {} more", points.size() - 1);
    out.push_back(fmt::format("-  {}: {}", of, why));
  }
  const auto repeated = std::count_if(sweep.points.begin(), sweep.points.end(),
                                      [](const SweepPoint& point) { return point.same_as.has_value(); });
  if (repeated > 0) {
    out.push_back(tr("{} of {} points repeat another one whose program is the same; that was run once.", repeated,
                     sweep.points.size()));
  }
  for (const std::string& engine : engines_of(sweep)) {
    const auto ran = [&](const SweepPoint& point) {
      return point.result && !point.same_as && point.result->engine == engine;
    };
    const auto first = std::find_if(sweep.points.begin(), sweep.points.end(), ran);
    out.push_back(tr("Engine {}: {} of {} points, on {}.", engine,
                     std::count_if(sweep.points.begin(), sweep.points.end(), ran), sweep.points.size(),
                     first->result->provenance.device));
  }
  for (const trace::Note& note : sweep.notes) out.push_back(note.text);
  return out;
}

}  // namespace streamscope::sweep
