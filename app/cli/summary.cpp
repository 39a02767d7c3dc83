#include "app/cli/summary.h"

#include <fmt/format.h>

#include <iterator>

#include "app/cli/tell.h"
#include "engine/analysis/analysis.h"
#include "engine/base/quantity.h"

namespace streamscope {
namespace {

std::string with_spread(const std::optional<Statistic>& statistic, int runs) {
  if (!statistic) return "not measured";
  if (runs < 2) return display_duration(statistic->median);
  return fmt::format("{} (median; {} to {})", display_duration(statistic->median), display_duration(statistic->minimum),
                     display_duration(statistic->maximum));
}

std::string use_of(const EngineUse& use) {
  std::string text = fmt::format("{:.1f} % of the makespan, {} operation{}", 100 * use.use, use.operations,
                                 use.operations == 1 ? "" : "s");
  if (use.engine != Engine::compute) {
    text += fmt::format(", {} at {}", display_bytes(use.bytes), display_bandwidth(use.bytes, use.busy));
  }
  return text;
}

std::string_view title_of(Engine engine) {
  switch (engine) {
    case Engine::h2d: return "H2D engine";
    case Engine::d2h: return "D2H engine";
    case Engine::compute: return "compute";
    default: return name(engine);
  }
}

}  // namespace

std::string summary(const Run& run, const std::string& title) {
  const Provenance& from = run.trace.provenance;
  std::string text;
  const auto out = std::back_inserter(text);
  const auto row = [&](std::string_view what, std::string_view value) {
    fmt::format_to(out, "  {:<12}{}\n", what, printable_line(value));
  };
  fmt::format_to(out, "{}\n", printable_line(title));
  const bool model = from.kind == Provenance::Kind::model;
  row(badge(from.kind),
      fmt::format("{} ({})", from.device, model ? fmt::format("profile {}", from.profile) : from.driver));
  row("runs", fmt::format("{}, instrument {}", run.runs, from.instrument));
  row("wall", with_spread(run.wall, run.runs));
  if (!run.trace.spans.empty()) {
    const Analysis figures = analyse(run.trace);
    row("makespan", with_spread(run.makespan, run.runs));
    if (figures.speed_up > 0) {
      row("speed-up",
          fmt::format("{:.2f} times over the serial sum, {}", figures.speed_up, display_duration(figures.serial_sum)));
      row("overlap", fmt::format("{:.1f} % of the makespan with two or more engines busy", 100 * figures.overlap));
    }
    for (const EngineUse& use : figures.engines) {
      if (use.operations > 0) row(title_of(use.engine), use_of(use));
    }
    row("clocks", model ? from.clock : fmt::format("{}, to ±{}", from.clock, display_duration(from.uncertainty)));
  }
  if (model) {
    row("observer", "not simulated");
  } else if (run.observer_effect && run.bare_wall) {
    row("observer", fmt::format("{:.3f} times the bare wall time, {}", run.observer_effect->median,
                                display_duration(run.bare_wall->median)));
  }
  row("verified", !run.verified   ? "not checked"
                  : *run.verified ? "yes, the data is right"
                                  : "NO: the data that came back is wrong");
  for (const std::string& note : run.notes) row("note", note);
  return text;
}

}  // namespace streamscope
