#include "engine/measure/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/base/quantity.h"
#include "engine/device/stage_plan.h"
#include "engine/measure/merge.h"
#include "engine/measure/samples.h"
#include "engine/measure/sampling.h"

namespace streamscope::measure {
namespace {

std::string per_cent(std::optional<double> share) {
  return share ? fmt::format("{:.2g} %", 100 * *share) : std::string("not known yet");
}
std::string kernels_of(std::uint32_t count) {
  return count == 1 ? "1 kernel told nothing of its" : fmt::format("{} kernels told nothing of their", count);
}
std::string runs_of(int count) { return fmt::format("{} run{}", count, count == 1 ? "" : "s"); }

// One measurement under way: passes follow one another, and at any time what is there makes a Run.
class Measurement {
 public:
  Measurement(device::LoadedProgram& loaded, const program::Program& program, const MeasureOptions& options,
              const device::RunControl& control, const Progress& progress, bool with_bare)
      : loaded_(loaded),
        program_(program),
        options_(options),
        control_(control),
        progress_(progress),
        with_bare_(with_bare),
        share_(std::clamp<std::uint32_t>(options.share, 1, static_cast<std::uint32_t>(options.runs))) {
    if (sampled()) sampling_.emplace(program, static_cast<std::size_t>(options.runs));
  }

  Result<void> warm_up() {
    auto pass = make(options_.instrument, silent(), options_.stages_of);
    if (!pass) return fail(std::move(pass.error()));
    tell_progress();
    return {};
  }

  // What will be missing inside kernels.
  void tell_of_stages(const device::StagePlan& plan) {
    if (options_.stages_of == 0) return;
    for (const device::ToldKernel& kernel : plan.kernels) kernels_.push_back(kernel.operation);
    if (plan.kernels.empty() && plan.left_out == 0 && plan.in_graphs == 0) {
      stage_notes_.emplace_back("No kernel of the program tells its stages: tiles and attention can.");
    }
    if (plan.in_graphs > 0) {
      stage_notes_.push_back(
          fmt::format("{} stages, being in graphs: the times of a repeated launch cannot be told apart.",
                      kernels_of(plan.in_graphs)));
    }
    if (plan.left_out > 0) {
      stage_notes_.push_back(
          fmt::format("{} stages: there is room for {} tiles in all; let fewer blocks tell, or launch fewer kernels.",
                      kernels_of(plan.left_out), device::kMostStagesKept));
    }
  }

  // Until all runs are made, the stop rule holds, or a stop is requested. Which of a pair goes first changes from pair
  // to pair, so that a device that grows slower or faster on the way favours neither.
  Result<void> repeat() {
    started_ = host_now();
    for (int i = 0; i < options_.runs && !enough(); ++i) {
      const bool bare_first = with_bare_ && i % 2 == 1;
      if (bare_first) {
        if (auto made = bare(); !made) return made;
      }
      const bool untold_first = weighs_stages() && i % 2 == 1;
      if (untold_first) {
        if (auto made = untold(); !made) return made;
      }
      if (auto made = instrumented(); !made) return made;
      if (weighs_stages() && !untold_first) {
        if (auto made = untold(); !made) return made;
      }
      if (with_bare_ && !bare_first) {
        if (auto made = bare(); !made) return made;
      }
    }
    return {};
  }

  // There is something to show for it.
  bool seen() const { return !timed_.empty(); }

  // The notes of the device come last, since the last of all tells where the data is wrong.
  trace::Run finish() && {
    trace::Run run;
    run.runs = timed_.count();
    run.wall = trace::statistic(timed_.walls());
    run.bare_wall = options_.instrument == device::Instrument::bare ? run.wall : trace::statistic(bare_walls_);
    run.observer_effect = trace::observer_effect(timed_.walls(), bare_walls_);
    run.stage_effect = trace::observer_effect(told_, untold_);
    run.trace = loaded_.frame();
    run.trace.provenance.instrument = device::name(options_.instrument);
    run.trace.provenance.gated = options_.gate;
    if (sampled()) {
      take_merged(run);
    } else {
      take_nearest(run);
    }
    tell_observer_effect(run);
    tell_stop_rule(run);
    run.notes.insert(run.notes.end(), stage_notes_.begin(), stage_notes_.end());
    if (run.trace.kernels.size() == trace::kMostKernelFacts) {
      run.notes.push_back(fmt::format("What kernels are made of is told of the first {} of tiles and attention.",
                                      trace::kMostKernelFacts));
    }
    for (std::string& note : loaded_.notes()) run.notes.push_back(std::move(note));
    return run;
  }

 private:
  bool sampled() const { return options_.instrument == device::Instrument::sampled; }
  // Spans go out from the first timed pass only: a watcher sees each operation once, and never a warm-up's time.
  device::RunControl silent() const { return {control_.stop, {}}; }

  Result<device::Pass> make(device::Instrument instrument, const device::RunControl& how, std::uint32_t stages_of = 0) {
    if (control_.stop.stop_requested()) return fail(ErrorKind::cancelled, "The run was stopped on request.");
    device::PassRequest request(instrument);
    request.gate = options_.gate;
    if (instrument == options_.instrument) request.stages_of = stages_of;
    if (instrument == device::Instrument::sampled) request.share = share_of_pass(sampling_->passes(), share_);
    return loaded_.run(request, how);
  }
  void tell_progress() {
    ++done_;
    const int each = 1 + (with_bare_ ? 1 : 0) + (weighs_stages() ? 1 : 0);
    if (progress_) progress_({done_, 1 + options_.runs * each, timed_.count(), timed_.noise()});
  }

  Result<void> instrumented() {
    auto pass = make(options_.instrument, timed_.empty() ? control_ : silent(), options_.stages_of);
    if (!pass) return fail(std::move(pass.error()));
    if (weighs_stages()) told_.push_back(time_in_kernels(pass->spans));
    if (sampled()) {
      sampling_->add(std::exchange(pass->observed, {}));
      circumstances_.push_back(pass->circumstances);
    }
    if (sampled() || options_.instrument == device::Instrument::bare) pass->spans.clear();
    timed_.add(std::move(*pass));
    tell_progress();
    return {};
  }

  Result<void> bare() {
    auto pass = make(device::Instrument::bare, silent());
    if (!pass) return fail(std::move(pass.error()));
    bare_walls_.push_back(pass->wall);
    tell_progress();
    return {};
  }

  // The same with blocks that tell nothing: what their telling costs.
  Result<void> untold() {
    auto pass = make(options_.instrument, silent());
    if (!pass) return fail(std::move(pass.error()));
    untold_.push_back(time_in_kernels(pass->spans));
    tell_progress();
    return {};
  }
  bool weighs_stages() const { return with_bare_ && options_.stages_of > 0 && !kernels_.empty(); }
  // Of the kernels that tell, added up.
  Nanoseconds time_in_kernels(const std::vector<trace::Span>& spans) const {
    Nanoseconds sum = 0;
    for (const OperationIndex kernel : kernels_) {
      if (kernel < spans.size() && known(spans[kernel].start) && known(spans[kernel].end)) {
        sum += spans[kernel].end - spans[kernel].start;
      }
    }
    return sum;
  }

  bool ruled() const { return options_.max_noise > 0; }
  int fewest() const {
    const int for_share = sampled() ? static_cast<int>(share_) : 1;  // so that every operation is seen
    return std::max({options_.min_samples, static_cast<int>(trace::kFewestForSpread), for_share});
  }
  bool enough() {
    if (timed_.empty()) return false;
    const auto noise = timed_.noise();
    quiet_ = ruled() && timed_.count() >= fewest() && noise && *noise <= options_.max_noise;
    late_ = known(options_.timeout) && host_now() - started_ >= options_.timeout;
    return quiet_ || late_;
  }

  void take_nearest(trace::Run& run) {
    run.makespan = timed_.makespan_statistic();
    const Nanoseconds off = timed_.off();
    device::Pass& chosen = timed_.nearest();
    run.trace.provenance.uncertainty = chosen.clock_uncertainty;
    run.trace.spans = std::move(chosen.spans);
    run.trace.stages = std::move(chosen.stages);
    if (off != 0) {
      run.notes.push_back(fmt::format("The spans are of the kept run nearest the median of {} runs, {} from it.",
                                      run.runs, display_duration(off)));
    }
  }

  // The gate opens at another time in each pass: at the middle of them in the merged trace.
  device::Circumstances typical_circumstances() {
    const auto middle = circumstances_.begin() + static_cast<std::ptrdiff_t>((circumstances_.size() - 1) / 2);
    std::nth_element(
        circumstances_.begin(), middle, circumstances_.end(),
        [](const device::Circumstances& a, const device::Circumstances& b) { return a.opened < b.opened; });
    return *middle;
  }

  void take_merged(trace::Run& run) {
    run.trace.provenance.uncertainty = timed_.median_uncertainty();
    run.trace.provenance.share = share_;
    Merged merged =
        merge(program_, program::Dependencies(program_), run.trace, *sampling_, share_, typical_circumstances());
    run.trace.spans = std::move(merged.spans);
    // One pass alone does not see when its last copy ended, so this is the merged trace's; how far it spreads is known
    // of its end.
    if (const Nanoseconds length = trace::makespan(run.trace.spans); known(length)) {
      run.makespan = trace::Statistic{length, length, length};
      const auto last = std::max_element(run.trace.spans.begin(), run.trace.spans.end(),
                                         [](const trace::Span& a, const trace::Span& b) {
                                           return !trace::device_work(a) || (trace::device_work(b) && a.end < b.end);
                                         });
      if (last->samples >= trace::kFewestForSpread) run.makespan->spread = last->spread;
    }
    run.notes.push_back(
        fmt::format("The spans are merged from {}, of which each saw 1/{} of the ends that no kernel "
                    "tells{}.",
                    runs_of(run.runs), share_,
                    merged.mended == 0 ? std::string()
                                       : fmt::format("; {} of their times contradicted others within "
                                                     "the noise and were set right",
                                                     merged.mended)));
    if (share_ < options_.share) {
      run.notes.push_back(fmt::format("A share of 1/{} was asked for; 1/{} lets {} see every operation.",
                                      options_.share, share_, runs_of(options_.runs)));
    }
    for (std::string& note : merged.notes) run.notes.push_back(std::move(note));
  }

  void tell_observer_effect(trace::Run& run) const {
    if (!with_bare_ || run.observer_effect) return;
    const auto pairs = std::min(timed_.walls().size(), bare_walls_.size());
    run.notes.push_back(
        fmt::format("The observer effect has no figure: {} pair{} of an instrumented and a bare run, {} are needed; "
                    "use --repeat 5.",
                    pairs, pairs == 1 ? "" : "s", trace::kFewestPairs));
  }

  void tell_stop_rule(trace::Run& run) const {
    if (quiet_) {
      run.notes.push_back(fmt::format("Done after {}: the wall time's noise, {}, is within {}.", runs_of(run.runs),
                                      per_cent(timed_.noise()), per_cent(options_.max_noise)));
    } else if (late_) {
      run.notes.push_back(fmt::format("Time was up after {} of {}{}.", run.runs, runs_of(options_.runs),
                                      ruled() ? ", the wall time's noise: " + per_cent(timed_.noise()) : ""));
    } else if (ruled() && run.runs == options_.runs && !timed_.noise()) {
      run.notes.push_back(fmt::format("The wall time's noise is not known after {}: {} are needed to judge it.",
                                      runs_of(run.runs), trace::kFewestForSpread));
    } else if (ruled() && run.runs == options_.runs) {
      run.notes.push_back(fmt::format("After all {} the wall time's noise, {}, is still over {}.", runs_of(run.runs),
                                      per_cent(timed_.noise()), per_cent(options_.max_noise)));
    }
  }

  device::LoadedProgram& loaded_;
  const program::Program& program_;
  const MeasureOptions& options_;
  const device::RunControl& control_;
  const Progress& progress_;
  const bool with_bare_;
  const std::uint32_t share_;
  int done_ = 0;
  Nanoseconds started_ = kAbsent;
  bool quiet_ = false, late_ = false;
  Samples timed_;
  std::optional<Sampling> sampling_;
  std::vector<Nanoseconds> bare_walls_;
  std::vector<OperationIndex> kernels_;  // that can tell their stages
  std::vector<std::string> stage_notes_;
  std::vector<Nanoseconds> told_, untold_;            // time in them, by pair of passes
  std::vector<device::Circumstances> circumstances_;  // of sampled passes
};

}  // namespace

Result<trace::Run> measure(device::Device& device, const program::Program& program, const MeasureOptions& options,
                           const device::RunControl& control, const Progress& progress) {
  if (options.runs < 1) {
    return fail(ErrorKind::bad_input, fmt::format("{} timed runs were asked for; ask for 1 or more.", options.runs));
  }
  if (options.share < 1) return fail(ErrorKind::bad_input, "A share of 1/0 was asked for; ask for 1/1 or less.");
  if (options.stages_of > 0 && options.instrument != device::Instrument::full) {
    return fail(
        ErrorKind::bad_input,
        fmt::format("Blocks tell their stages in full passes only, and the instrument is {}; use full, or leave "
                    "the stages out.",
                    device::name(options.instrument)));
  }
  if (control.stop.stop_requested()) return fail(ErrorKind::cancelled, "The run was stopped on request.");

  auto made = device.load(program, device::LoadOptions{options.long_kernels});
  if (!made) return fail(std::move(made.error()));
  device::LoadedProgram& loaded = **made;
  device::PassRequest request(options.instrument);
  request.gate = options.gate;
  if (auto possible = loaded.can(request); !possible) return fail(std::move(possible.error()));

  const bool with_bare = options.observer_effect && options.instrument != device::Instrument::bare &&
                         device.info().kind != trace::Provenance::Kind::model;
  Measurement measurement(loaded, program, options, control, progress, with_bare);
  measurement.tell_of_stages(device::stage_plan(
      program, static_cast<std::uint32_t>(std::max(1, device.info().multiprocessors)), options.stages_of));
  if (auto warm = measurement.warm_up(); !warm) return fail(std::move(warm.error()));
  if (auto made_all = measurement.repeat(); !made_all) {
    if (made_all.error().kind != ErrorKind::cancelled || !measurement.seen()) return fail(std::move(made_all.error()));
    trace::Run run = std::move(measurement).finish();
    run.notes.push_back(fmt::format("Stopped after {} of {} runs; the data was not checked.", run.runs, options.runs));
    return run;
  }

  std::optional<bool> verified;
  if (options.verify) {
    auto verdict = loaded.verify();
    if (!verdict) return fail(std::move(verdict.error()));
    verified = *verdict;
  }
  // After verify(): the device's last note then says where the data differs, or why it was not checked.
  trace::Run run = std::move(measurement).finish();
  run.verified = verified;
  if (!options.verify) run.notes.emplace_back("The data was not checked: verification was switched off.");
  return run;
}

}  // namespace streamscope::measure
