#include "engine/analysis/figures.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::analysis {

std::vector<Figure> figures(const Analysis& analysis, const FigureNoise& noise) {
  using enum FigureUnit;
  using enum FigureWeight;
  const bool spans_time = known(analysis.makespan) && analysis.makespan > 0;
  const auto of_makespan = [&](double value) { return spans_time ? std::optional(value) : std::nullopt; };
  const auto sum = [](Nanoseconds value) { return std::optional(static_cast<double>(value)); };
  return {
      {.key = "serial_sum_ns",
       .name = tr("Serial sum"),
       .meaning = tr("The time that the run's operations would take one after the other."),
       .value = sum(analysis.serial_sum)},
      {.key = "speed_up",
       .name = tr("Speed-up"),
       .meaning = tr("How many times as long the run's operations would take one after the other: the serial sum over "
                     "the makespan."),
       .unit = ratio,
       .weight = headline,
       .value = of_makespan(analysis.speed_up),
       .noise = noise.speed_up,
       .detail = tr("serial sum {}", display_duration(analysis.serial_sum)),
       .doubt = tr("so it cannot be distinguished from 1, no speed-up at all")},
      {.key = "overlap",
       .name = tr("Overlap"),
       .meaning = tr("The share of the makespan in which two or more engines are busy."),
       .unit = share,
       .weight = headline,
       .value = of_makespan(analysis.overlap),
       .noise = noise.overlap,
       .detail = tr("two or more engines busy"),
       .doubt = tr("so it may be none")},
      {.key = "overlapped_ns",
       .name = tr("Overlapped"),
       .meaning = tr("The time in which two or more engines are busy."),
       .weight = file,
       .value = sum(analysis.overlapped)},
      {.key = "idle",
       .name = tr("Idle"),
       .meaning =
           tr("The share of the makespan in which no copy and no kernel runs: the host is late, or work waits for "
              "events and other streams."),
       .unit = share,
       .weight = headline,
       .value = of_makespan(static_cast<double>(analysis.busy_at_once[0]) / static_cast<double>(analysis.makespan)),
       .noise = noise.overlap,  // that of the same edges
       .detail = tr("no copy, no kernel runs"),
       .doubt = tr("so it may be none")},
      {.key = "waiting_ns",
       .name = tr("Waiting"),
       .meaning = tr("The sum over all operations of the time from ready to start."),
       .value = sum(analysis.waiting),
       .noise = static_cast<double>(noise.waiting)},
      {.key = "host_calls_ns",
       .name = tr("Host calls"),
       .meaning = tr("The time that the host spent in asynchronous calls."),
       .value = sum(analysis.host_calls)},
  };
}

std::string display(const Figure& figure, int decimals) {
  const double value = figure.value.value_or(0);
  switch (figure.unit) {
    case FigureUnit::time: return display_duration(static_cast<Nanoseconds>(value));
    case FigureUnit::share: return fmt::format("{:.{}f} %", value * 100, decimals);
    case FigureUnit::ratio: return fmt::format("{:.2f}×", value);
    case FigureUnit::bytes: return display_bytes(static_cast<std::uint64_t>(value));
    case FigureUnit::rate: return fmt::format("{:.3g} GB/s", value / 1e9);
  }
  return {};
}

std::string display_noise(const Figure& figure) {
  switch (figure.unit) {
    case FigureUnit::time: return noise_text(static_cast<Nanoseconds>(figure.noise));
    case FigureUnit::share: return fmt::format("±{:.1f} %", figure.noise * 100);
    case FigureUnit::ratio: return fmt::format("±{:.2f}", figure.noise);
    case FigureUnit::bytes:
    case FigureUnit::rate: return "±" + display({.unit = figure.unit, .value = figure.noise});
  }
  return {};
}

std::string warning(const Figure& figure) {
  const double nothing = figure.unit == FigureUnit::ratio ? 1 : 0;
  if (figure.noise <= 0 || !figure.value || *figure.value <= 0) return {};
  if (std::abs(*figure.value - nothing) > figure.noise) return {};
  return tr("Within its own noise: it is sure to {} only{}{}.", display_noise(figure), figure.doubt.empty() ? "" : ", ",
            figure.doubt);
}

}  // namespace streamscope::analysis
