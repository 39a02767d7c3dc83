#include "engine/analysis/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::analysis {
namespace {

// "serial 5.3 ms, measured in one stream"
std::string serial_text(const Serial& serial) {
  const std::string time = known(serial.time) ? display_duration(serial.time) : "–";
  switch (serial.source) {
    case SerialSource::measured: return tr("serial {}, measured in one stream", time);
    case SerialSource::simulated: return tr("serial {}, simulated in one stream", time);
    case SerialSource::durations:
      return serial.never_alone == 0
                 ? tr("serial {}, the sum of isolated durations", time)
                 : tr_n("serial {}, the sum of isolated durations; of {} operation none like it ran alone",
                        "serial {}, the sum of isolated durations; of {} operations none like them ran alone",
                        serial.never_alone, time, serial.never_alone);
    case SerialSource::unknown: break;
  }
  return tr("not known");
}

std::string estimate(const Serial& serial) {
  return serial.source == SerialSource::durations
             ? std::string(tr("An estimate: the operations were not run in one stream."))
             : std::string();
}

}  // namespace

std::vector<Figure> figures(const Analysis& analysis, const FigureNoise& noise) {
  using enum FigureUnit;
  using enum FigureWeight;
  const bool spans_time = known(analysis.makespan) && analysis.makespan > 0;
  const auto of_makespan = [&](double value) { return spans_time ? std::optional(value) : std::nullopt; };
  const auto sum = [](Nanoseconds value) { return std::optional(static_cast<double>(value)); };
  return {
      {.key = "serial_sum_ns",
       .name = tr("Sum of durations"),
       .meaning = tr("The sum of all durations, with what operations that share the GPU slowed each other counted as "
                     "work. Deprecated: use serial_ns."),
       .weight = file,
       .value = sum(analysis.serial_sum)},
      {.key = "speed_up",
       .name = tr("Sum of durations over makespan"),
       .meaning = tr("The sum of all durations over the makespan: too much where operations share the GPU. Deprecated: "
                     "use serial_speed_up."),
       .unit = ratio,
       .weight = file,
       .value = of_makespan(analysis.speed_up)},
      {.key = "serial_ns",
       .name = tr("Serial"),
       .meaning =
           tr("The time of the run's operations one after the other: the makespan of a run of them in one stream, "
              "in the order of issue. Where no such run was made, the sum of isolated durations."),
       .value = known(analysis.serial.time) ? sum(analysis.serial.time) : std::nullopt,
       .detail = serial_text(analysis.serial),
       .estimate = estimate(analysis.serial)},
      {.key = "serial_speed_up",
       .name = tr("Speed-up"),
       .meaning = tr("How many times as long the run's operations take one after the other: the serial time over the "
                     "makespan."),
       .unit = ratio,
       .weight = headline,
       .value = known(analysis.serial.time) ? of_makespan(analysis.serial_speed_up) : std::nullopt,
       .noise = noise.speed_up,
       .detail = serial_text(analysis.serial),
       .doubt = tr("so it cannot be distinguished from 1, no speed-up at all"),
       .estimate = estimate(analysis.serial)},
      {.key = "overlap",
       .name = tr("Overlap"),
       .meaning = tr("The share of the makespan in which two or more copies or kernels run at once."),
       .unit = share,
       .weight = headline,
       .value = of_makespan(analysis.overlap),
       .noise = noise.overlap,
       .detail = tr("two or more copies or kernels at once"),
       .doubt = tr("so it may be none")},
      {.key = "overlapped_ns",
       .name = tr("Overlapped"),
       .meaning = tr("The time in which two or more copies or kernels run at once."),
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
       .name = tr("Waiting when ready"),
       .meaning = tr("The sum over all operations of the time from ready to start, while their engine is busy. What "
                     "was issued and could not start, for an event or the work before it, is not in it."),
       .value = sum(analysis.waiting),
       .noise = static_cast<double>(noise.waiting)},
      {.key = "host_calls_ns",
       .name = tr("Host calls"),
       .meaning = tr("The time that the host spent in asynchronous calls."),
       .value = sum(analysis.host_calls)},
  };
}

Nanoseconds whole_nanoseconds(double value) {
  constexpr double kPast = 0x1p63;
  if (value >= kPast) return std::numeric_limits<Nanoseconds>::max();
  return value > -kPast ? static_cast<Nanoseconds>(value) : std::numeric_limits<Nanoseconds>::min();
}

std::uint64_t whole_bytes(double value) {
  constexpr double kPast = 0x1p64;
  return value >= kPast ? std::numeric_limits<std::uint64_t>::max() : static_cast<std::uint64_t>(std::max(value, 0.0));
}

std::string display(const Figure& figure, int decimals) {
  const double value = figure.value.value_or(0);
  switch (figure.unit) {
    case FigureUnit::time: return display_duration(whole_nanoseconds(value));
    case FigureUnit::share: return fmt::format("{:.{}f} %", value * 100, decimals);
    case FigureUnit::ratio: return fmt::format("{:.2f}×", value);
    case FigureUnit::bytes: return display_bytes(whole_bytes(value));
    case FigureUnit::rate: return fmt::format("{:.3g} GB/s", value / 1e9);
  }
  return {};
}

std::string display_noise(const Figure& figure) {
  switch (figure.unit) {
    case FigureUnit::time: return noise_text(whole_nanoseconds(figure.noise));
    case FigureUnit::share: return fmt::format("±{:.1f} %", figure.noise * 100);
    case FigureUnit::ratio: return fmt::format("±{:.2f}", figure.noise);
    case FigureUnit::bytes:
    case FigureUnit::rate: return "±" + display({.unit = figure.unit, .value = figure.noise});
  }
  return {};
}

std::string warning(const Figure& figure) {
  const double nothing = figure.unit == FigureUnit::ratio ? 1 : 0;
  if (!figure.value || *figure.value <= 0) return {};
  if (figure.noise <= 0 || std::abs(*figure.value - nothing) > figure.noise) return figure.estimate;
  return tr("Within its own noise: it is sure to {} only{}{}.", display_noise(figure), figure.doubt.empty() ? "" : ", ",
            figure.doubt);
}

}  // namespace streamscope::analysis
