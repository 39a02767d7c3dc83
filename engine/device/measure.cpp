#include "engine/device/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace streamscope {
namespace {

// The passes kept so far. A pass's spans are kept whole until the median is known.
struct Samples {
  std::vector<Nanoseconds> walls, makespans;
  std::vector<Pass> passes;

  void add(Pass pass) {
    walls.push_back(pass.wall);
    makespans.push_back(makespan(pass.spans));
    passes.push_back(std::move(pass));
  }
};

// The first pass that has the value; there is one, because a median here is always a time that was seen.
std::size_t first_with(const std::vector<Nanoseconds>& values, Nanoseconds value) {
  return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
}

Run summarise(const LoadedProgram& loaded, const MeasureOptions& options, Samples timed,
              const std::vector<Nanoseconds>& bare_walls) {
  Run run;
  run.runs = options.runs;
  run.wall = statistic(timed.walls);
  run.bare_wall = statistic(options.instrument == Instrument::bare ? timed.walls : bare_walls);
  if (!bare_walls.empty() && run.bare_wall->median > 0) {
    run.observer_effect = static_cast<double>(run.wall->median) / static_cast<double>(run.bare_wall->median);
  }
  // A program without device work has no makespan in any pass; then the wall time chooses the trace.
  const bool has_makespan = std::all_of(timed.makespans.begin(), timed.makespans.end(), known);
  if (has_makespan) run.makespan = statistic(timed.makespans);
  const std::size_t chosen =
      has_makespan ? first_with(timed.makespans, run.makespan->median) : first_with(timed.walls, run.wall->median);
  run.trace = loaded.frame();
  run.trace.provenance.instrument = name(options.instrument);
  run.trace.provenance.uncertainty = timed.passes[chosen].clock_uncertainty;
  run.trace.spans = std::move(timed.passes[chosen].spans);
  run.notes = loaded.notes();
  return run;
}

}  // namespace

Result<Run> measure(Device& device, const Program& program, const MeasureOptions& options, const RunControl& control,
                    const Progress& progress) {
  if (options.runs < 1) {
    return fail(ErrorKind::bad_input, fmt::format("{} timed runs were asked for; ask for 1 or more.", options.runs));
  }
  const auto stopped = [&control] { return control.stop.stop_requested(); };
  const auto cancelled = [] { return fail(ErrorKind::cancelled, "The run was stopped on request."); };
  if (stopped()) return cancelled();

  auto made = device.load(program, LoadOptions{options.long_kernels});
  if (!made) return fail(std::move(made.error()));
  LoadedProgram& loaded = **made;

  const bool with_bare = options.observer_effect && options.instrument == Instrument::full;
  const int total = 1 + options.runs * (with_bare ? 2 : 1);
  int done = 0;
  // Spans go out from the first timed pass only: a watcher sees each operation once, and never a warm-up's time.
  const RunControl silent{control.stop, {}};
  const auto pass = [&](Instrument instrument, const RunControl& how) -> Result<Pass> {
    if (stopped()) return cancelled();
    auto result = loaded.run(instrument, how);
    if (result && progress) progress(++done, total);
    return result;
  };

  if (auto warm_up = pass(options.instrument, silent); !warm_up) return fail(std::move(warm_up.error()));
  Samples timed;
  std::vector<Nanoseconds> bare_walls;
  for (int i = 0; i < options.runs; ++i) {
    auto instrumented = pass(options.instrument, i == 0 ? control : silent);
    if (!instrumented) return fail(std::move(instrumented.error()));
    if (options.instrument == Instrument::bare) instrumented->spans.clear();
    timed.add(std::move(*instrumented));
    if (!with_bare) continue;
    auto bare = pass(Instrument::bare, silent);
    if (!bare) return fail(std::move(bare.error()));
    bare_walls.push_back(bare->wall);
  }

  Run run = summarise(loaded, options, std::move(timed), bare_walls);
  if (!options.verify) {
    run.notes.emplace_back("The data was not checked: verification was switched off.");
    return run;
  }
  auto verified = loaded.verify();
  if (!verified) return fail(std::move(verified.error()));
  if (*verified == false) {
    // Where it went wrong stands in the device's last note.
    const std::vector<std::string> notes = loaded.notes();
    return fail(
        ErrorKind::wrong_data,
        fmt::format("The data that came back from {} is not what the CPU computes; the run's times are not kept.{}{}",
                    device.info().name, notes.empty() ? "" : " ", notes.empty() ? "" : notes.back()));
  }
  run.verified = *verified;
  return run;
}

}  // namespace streamscope
