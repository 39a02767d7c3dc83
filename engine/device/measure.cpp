#include "engine/device/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "engine/base/quantity.h"

namespace streamscope {
namespace {

// The figures of every pass, and the spans of those nearest the median so far.
class Samples {
 public:
  void add(Pass pass) {
    const Nanoseconds length = makespan(pass.spans);
    walls_.push_back(pass.wall);
    makespans_.push_back(length);
    // A program without device work has no makespan in any pass; then the wall time chooses the trace.
    const Nanoseconds key = known(length) ? length : pass.wall;
    keys_.insert(std::upper_bound(keys_.begin(), keys_.end(), key), key);
    kept_.push_back({key, std::move(pass)});
    if (kept_.size() <= kKeptPasses) return;
    kept_.erase(std::max_element(kept_.begin(), kept_.end(),
                                 [this](const Kept& a, const Kept& b) { return away(a) < away(b); }));
  }

  bool empty() const { return walls_.empty(); }
  int count() const { return static_cast<int>(walls_.size()); }
  const std::vector<Nanoseconds>& walls() const { return walls_; }
  std::optional<Statistic> makespan_statistic() const {
    if (!std::all_of(makespans_.begin(), makespans_.end(), known)) return std::nullopt;
    return statistic(makespans_);
  }
  // How far the pass that nearest() gives lies from the median.
  Nanoseconds off() { return away(*nearest_kept()); }
  Pass& nearest() { return nearest_kept()->pass; }

 private:
  struct Kept {
    Nanoseconds key;
    Pass pass;
  };

  Nanoseconds away(const Kept& kept) const { return std::abs(kept.key - keys_[(keys_.size() - 1) / 2]); }
  std::vector<Kept>::iterator nearest_kept() {
    return std::min_element(kept_.begin(), kept_.end(),
                            [this](const Kept& a, const Kept& b) { return away(a) < away(b); });
  }

  std::vector<Nanoseconds> walls_, makespans_, keys_;  // the last sorted
  std::vector<Kept> kept_;
};

Run summarise(const LoadedProgram& loaded, const MeasureOptions& options, Samples timed,
              const std::vector<Nanoseconds>& bare_walls) {
  Run run;
  run.runs = timed.count();
  run.wall = statistic(timed.walls());
  if (options.instrument == Instrument::bare) {
    run.bare_wall = run.wall;
  } else {
    run.bare_wall = statistic(bare_walls);
  }
  run.observer_effect = observer_effect(timed.walls(), bare_walls);
  run.makespan = timed.makespan_statistic();
  run.trace = loaded.frame();
  run.trace.provenance.instrument = name(options.instrument);
  const Nanoseconds off = timed.off();
  Pass& chosen = timed.nearest();
  run.trace.provenance.uncertainty = chosen.clock_uncertainty;
  run.trace.spans = std::move(chosen.spans);
  run.notes = loaded.notes();
  if (off != 0) {
    run.notes.push_back(fmt::format("The spans are of the kept run nearest the median of {} runs, {} from it.",
                                    run.runs, display_duration(off)));
  }
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
  PassRequest request(options.instrument);
  request.gate = options.gate;
  if (auto possible = loaded.can(request); !possible) return fail(std::move(possible.error()));

  const bool with_bare = options.observer_effect && options.instrument == Instrument::full &&
                         device.info().kind != Provenance::Kind::model;
  const int total = 1 + options.runs * (with_bare ? 2 : 1);
  int done = 0;
  // Spans go out from the first timed pass only: a watcher sees each operation once, and never a warm-up's time.
  const RunControl silent{control.stop, {}};
  const auto pass = [&](Instrument instrument, const RunControl& how) -> Result<Pass> {
    if (stopped()) return cancelled();
    request.instrument = instrument;
    auto result = loaded.run(request, how);
    if (result && progress) progress(++done, total);
    return result;
  };

  if (auto warm_up = pass(options.instrument, silent); !warm_up) return fail(std::move(warm_up.error()));
  Samples timed;
  std::vector<Nanoseconds> bare_walls;
  const auto stopped_early = [&]() -> Run {
    const int finished = timed.count();
    Run run = summarise(loaded, options, std::move(timed), bare_walls);
    run.notes.push_back(fmt::format("Stopped after {} of {} runs; the data was not checked.", finished, options.runs));
    return run;
  };
  for (int i = 0; i < options.runs; ++i) {
    auto instrumented = pass(options.instrument, i == 0 ? control : silent);
    if (!instrumented) {
      if (instrumented.error().kind == ErrorKind::cancelled && !timed.empty()) return stopped_early();
      return fail(std::move(instrumented.error()));
    }
    if (options.instrument == Instrument::bare) instrumented->spans.clear();
    timed.add(std::move(*instrumented));
    if (!with_bare) continue;
    auto bare = pass(Instrument::bare, silent);
    if (!bare) {
      if (bare.error().kind == ErrorKind::cancelled) return stopped_early();
      return fail(std::move(bare.error()));
    }
    bare_walls.push_back(bare->wall);
  }

  std::optional<bool> verified;
  if (options.verify) {
    auto verdict = loaded.verify();
    if (!verdict) return fail(std::move(verdict.error()));
    verified = *verdict;
  }
  // After verify(): the device's last note then says where the data differs, or why it was not checked.
  Run run = summarise(loaded, options, std::move(timed), bare_walls);
  run.verified = verified;
  if (!options.verify) run.notes.emplace_back("The data was not checked: verification was switched off.");
  return run;
}

}  // namespace streamscope
