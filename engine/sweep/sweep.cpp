#include "engine/sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace streamscope::sweep {
namespace {

constexpr std::array kFigures{SweepFigure::kernel_rate, SweepFigure::wall, SweepFigure::makespan, SweepFigure::overlap};

}  // namespace

std::string_view name(SweepFigure figure) {
  switch (figure) {
    case SweepFigure::kernel_rate: return "kernel-rate";
    case SweepFigure::wall: return "wall";
    case SweepFigure::makespan: return "makespan";
    case SweepFigure::overlap: return "overlap";
  }
  return "";
}

std::optional<SweepFigure> sweep_figure(std::string_view text) {
  const auto* const found =
      std::find_if(kFigures.begin(), kFigures.end(), [&](SweepFigure each) { return name(each) == text; });
  return found == kFigures.end() ? std::nullopt : std::optional(*found);
}

double SweepResult::kernel_rate() const {
  if (!kernel || kernel->median <= 0) return 0;
  return static_cast<double>(kernel_bytes) / (static_cast<double>(kernel->median) * 1e-9);
}

std::optional<FigureValue> value_of(const SweepResult& result, SweepFigure figure) {
  const auto time = [](const std::optional<trace::Statistic>& of) -> std::optional<FigureValue> {
    if (!of) return {};
    const auto median = static_cast<double>(of->median);
    const double spread = known(of->spread) ? static_cast<double>(of->spread) : 0;
    return FigureValue{median, std::max(median - spread, 0.0), median + spread};
  };
  switch (figure) {
    case SweepFigure::kernel_rate: {
      const double rate = result.kernel_rate();
      if (rate <= 0) return {};
      const FigureValue taken = *time(result.kernel);
      if (!(taken.low < taken.high)) return FigureValue{rate, rate, rate};
      return FigureValue{rate, rate * taken.value / taken.high, rate * taken.value / std::max(taken.low, 1.0)};
    }
    case SweepFigure::wall: return time(result.wall);
    case SweepFigure::makespan: return time(result.makespan);
    case SweepFigure::overlap:
      return result.overlap ? std::optional(FigureValue{*result.overlap, *result.overlap, *result.overlap})
                            : std::nullopt;
  }
  return {};
}

std::optional<double> copy_rate_of(const Sweep& sweep) {
  if (sweep.figure != SweepFigure::kernel_rate) return {};
  for (const SweepPoint& point : sweep.points) {
    if (point.result && point.result->copy_rate > 0) return point.result->copy_rate;
  }
  return {};
}

SweepUnit unit_of(const Sweep& sweep) {
  if (sweep.figure == SweepFigure::kernel_rate) return {"GB/s", 1e-9};
  if (sweep.figure == SweepFigure::overlap) return {"%", 100};
  double most = 0;
  for (const SweepPoint& point : sweep.points) {
    const auto value = point.result ? value_of(*point.result, sweep.figure) : std::nullopt;
    if (value) most = std::max(most, value->value);
  }
  if (most >= 1e9) return {"s", 1e-9};
  return most >= 1e6 ? SweepUnit{"ms", 1e-6} : SweepUnit{"us", 1e-3};
}

std::vector<std::string> sweep_remarks(const Sweep& sweep) {
  std::vector<std::string> out;
  std::vector<std::pair<std::string, std::vector<std::size_t>>> reasons;  // in the order in which they come
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const SweepPoint& point = sweep.points[i];
    if (point.result) {
      if (point.result->verified == false) {
        out.push_back(fmt::format("{}: the data that came back is WRONG", fmt::join(settings_of(sweep.axes, i), " ")));
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
    if (points.size() > 1) of += fmt::format(" and {} more", points.size() - 1);
    out.push_back(fmt::format("-  {}: {}", of, why));
  }
  const auto repeated = std::count_if(sweep.points.begin(), sweep.points.end(),
                                      [](const SweepPoint& point) { return point.same_as.has_value(); });
  if (repeated > 0) {
    out.push_back(fmt::format("{} of {} points repeat another one whose program is the same; that was run once.",
                              repeated, sweep.points.size()));
  }
  for (const trace::Note& note : sweep.notes) out.push_back(note.text);
  return out;
}

}  // namespace streamscope::sweep
