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

// Why so many streams are not so many times as fast.
std::string why_not_times_streams(const Analysis& analysis) {
  constexpr double kNearlyAll = 0.9, kBusy = 0.85, kMuchIdle = 0.1;
  const double times = analysis.serial_speed_up;
  if (analysis.streams < 2 || !(times > 0) || analysis.engines.empty()) return {};
  const std::string so_many = tr("{} streams, {:.2f} times as fast", analysis.streams, times);
  if (times >= kNearlyAll * analysis.streams) return tr("{}: nearly all that so many can give.", so_many);
  const auto of = [&](Engine engine) {
    double use = 0;
    for (const EngineUse& each : analysis.engines)
      if (each.engine == engine) use = std::max(use, each.use);
    return use;
  };
  double in = of(Engine::h2d), out = of(Engine::d2h);
  if (analysis.one_copy_engine) in = out = in + out;  // never at once
  const double compute = of(Engine::compute), link = of(Engine::peer), most = std::max({in, out, compute, link});
  const std::string busy = fmt::format("{:.0f} %", 100 * most);
  if (most < kBusy) {
    const auto share = [&](Nanoseconds time) {
      return static_cast<double>(time) / static_cast<double>(std::max<Nanoseconds>(1, analysis.makespan));
    };
    const double idle = share(analysis.busy_at_once[0]);
    if (idle >= kMuchIdle)
      return tr(
          "{}: nothing runs {:.0f} % of the time, and no engine is busy more than {} of it; operations wait for the "
          "host or for each other.",
          so_many, 100 * idle, busy);
    double at_once = 0;
    for (std::size_t k = 1; k < analysis.busy_at_once.size(); ++k)
      at_once += static_cast<double>(k) * share(analysis.busy_at_once[k]);
    return tr(
        "{}: no engine is busy more than {} of the time, and {:.1f} work at once on average; operations wait for "
        "each other.",
        so_many, busy, at_once);
  }
  if (most == compute)
    return tr("{}: kernels share the multiprocessors, which are busy {} of the time.", so_many, busy);
  if (most == link) return tr("{}: copies between devices share a link, which is busy {} of the time.", so_many, busy);
  if (analysis.one_copy_engine)
    return tr("{}: copies in and out share one engine, which is busy {} of the time.", so_many, busy);
  return most == in ? tr("{}: copies in share one engine, which is busy {} of the time.", so_many, busy)
                    : tr("{}: copies out share one engine, which is busy {} of the time.", so_many, busy);
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
       .estimate = estimate(analysis.serial),
       .why = why_not_times_streams(analysis)},
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
