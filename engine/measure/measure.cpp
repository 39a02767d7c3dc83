#include "engine/measure/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/base/wide_letters.h"
#include "engine/device/stage_plan.h"
#include "engine/measure/merge.h"
#include "engine/measure/repeat.h"
#include "engine/measure/samples.h"
#include "engine/measure/sampling.h"
#include "engine/measure/serial_run.h"

namespace streamscope::measure {
namespace {

std::string per_cent(std::optional<double> share) {
  return share ? fmt::format("{:.2g} %", 100 * *share) : std::string(tr("not known yet"));
}
void add(trace::Notes& notes, trace::NoteKind kind, std::string text) { notes.push_back({kind, std::move(text)}); }
std::string runs_of(int count) { return tr_n("{} run", "{} runs", static_cast<unsigned long>(count), count); }

// Finds what cannot be true in the spans of passes of one program.
class PassCheck {
 public:
  explicit PassCheck(const program::Program& program) : program_(program) {}

  const program::Dependencies& of_program() {
    if (!dependencies_) dependencies_.emplace(program_);
    return *dependencies_;
  }
  std::vector<reconstruct::Contradiction> check(std::span<const trace::Span> spans) {
    const auto failed = [&](OperationIndex i) { return spans[i].result != CallResult::success; };
    if (program_.threads.size() == 1 && !program::has_failed_launch(program_, failed))
      return reconstruct::find_contradictions(program_, of_program(), spans);
    std::vector<Nanoseconds> begins;
    for (const trace::Span& span : spans) begins.push_back(span.host_begin);
    const program::Dependencies as_issued(
        program_, program::without_failed_launches(program_, program::issue_order(program_, begins), failed));
    return reconstruct::find_contradictions(program_, as_issued, spans);
  }

 private:
  const program::Program& program_;
  std::optional<program::Dependencies> dependencies_;
};

// What one measurement has so far: after the first timed pass what is there makes a Run at any time.
class Measurement {
 public:
  Measurement(device::LoadedProgram& loaded, const program::Program& program, const MeasureOptions& options,
              const Progress& progress, bool with_bare, int serial_passes)
      : loaded_(loaded),
        program_(program),
        options_(options),
        progress_(progress),
        with_bare_(with_bare),
        serial_passes_(serial_passes),
        share_(std::clamp<std::uint32_t>(options.share, 1, static_cast<std::uint32_t>(options.runs))),
        order_(program) {
    if (sampled()) sampling_.emplace(program, static_cast<std::size_t>(options.runs));
  }

  // What will be missing inside kernels.
  void note_stages(const device::StagePlan& plan) {
    if (options_.stages_of == 0) return;
    for (const device::RecordedKernel& kernel : plan.kernels) kernels_.push_back(kernel.operation);
    if (plan.kernels.empty() && plan.left_out == 0 && plan.in_graphs == 0) {
      add(stage_notes_, trace::NoteKind::stages,
          tr("No kernel of the program records its stages: tiles and attention can."));
    }
    if (plan.in_graphs > 0) {
      add(stage_notes_, trace::NoteKind::stages,
          tr_n("{} kernel recorded none of its stages, being in graphs: the times of a repeated launch cannot be "
               "distinguished.",
               "{} kernels recorded none of their stages, being in graphs: the times of a repeated launch cannot be "
               "distinguished.",
               plan.in_graphs, plan.in_graphs));
    }
    if (plan.left_out > 0) {
      add(stage_notes_, trace::NoteKind::stages,
          tr_n("{} kernel recorded none of its stages: there is room for {} tiles in all; let fewer blocks record "
               "theirs, or launch fewer kernels.",
               "{} kernels recorded none of their stages: there is room for {} tiles in all; let fewer blocks record "
               "theirs, or launch fewer kernels.",
               plan.left_out, plan.left_out, device::kMostStagesKept));
    }
  }

  Repetition repetition() const {
    Repetition plan;
    device::PassRequest request(options_.instrument);
    request.gate = options_.gate;
    request.stages_of = options_.stages_of;
    request.share.of = share_;
    plan.turn = {request};
    if (compares_stages()) {
      request.stages_of = 0;
      plan.turn.push_back(request);
    }
    if (with_bare_) {
      device::PassRequest bare(device::Instrument::bare);
      bare.gate = options_.gate;
      plan.turn.push_back(bare);
    }
    plan.most = options_.runs;
    plan.timeout = options_.timeout;
    if (options_.own_process) plan.warm_ups = 0;
    return plan;
  }

  void keep(int turn, std::size_t place, device::Pass pass) {
    if (turn >= 0 && place == 0) {
      keep_timed(std::move(pass));
    } else if (turn >= 0 && with_bare_ && place == passes_a_turn() - 1) {
      bare_walls_.push_back(pass.wall);
    } else if (turn >= 0) {
      without_stages_.push_back(time_in_kernels(pass.spans));
    }
    ++done_;
    if (progress_) progress_(step());
  }
  Step step() const {
    const int total =
        (options_.own_process ? 0 : 1) + options_.runs * static_cast<int>(passes_a_turn()) + serial_passes_;
    return {done_, total, timed_.count(), timed_.noise()};
  }

  // The stop rule.
  bool enough() const {
    if (!has_rule() || timed_.count() < fewest()) return false;
    const auto noise = timed_.noise();
    return noise && *noise <= options_.max_noise;
  }

  // There is something to show for it.
  bool seen() const { return !timed_.empty(); }

  // The notes of the device come last, since the last of them says where the data is wrong.
  trace::Run finish(Ended ended) && {
    trace::Run run;
    run.runs = timed_.count();
    run.wall = trace::statistic(timed_.walls());
    run.bare_wall = options_.instrument == device::Instrument::bare ? run.wall : trace::statistic(bare_walls_);
    run.observer_effect = trace::observer_effect(timed_.walls(), bare_walls_);
    run.stage_effect = trace::observer_effect(with_stages_, without_stages_);
    run.trace = loaded_.frame();
    const auto was_watched_so = [&](trace::Provenance& device) {
      device.instrument = device::name(options_.instrument);
      device.gated = options_.gate;
    };
    was_watched_so(run.trace.provenance);
    std::ranges::for_each(run.trace.other_devices, was_watched_so);
    if (sampled()) {
      take_merged(run);
    } else {
      take_nearest(run);
    }
    note_contradictions(run);
    note_observer_effect(run);
    note_stop_rule(run, ended);
    run.notes.insert(run.notes.end(), stage_notes_.begin(), stage_notes_.end());
    if (run.trace.kernels.size() == trace::kMostKernelFacts) {
      add(run.notes, trace::NoteKind::stages,
          tr("What kernels are made of is reported for the first {} of tiles and attention.", trace::kMostKernelFacts));
    }
    for (trace::Note& note : loaded_.notes()) run.notes.push_back(std::move(note));
    return run;
  }

 private:
  bool sampled() const { return options_.instrument == device::Instrument::sampled; }
  void keep_timed(device::Pass pass) {
    if (compares_stages()) with_stages_.push_back(time_in_kernels(pass.spans));
    if (sampled()) {
      sampling_->add(std::exchange(pass.observed, {}));
      circumstances_.push_back(pass.circumstances);
    }
    if (sampled() || !device::about(options_.instrument).spans) {
      pass.spans.clear();
    } else if (!order_.check(pass.spans).empty()) {
      ++contradicting_;
    }
    timed_.add(std::move(pass));
  }

  // Whether turns have a pass whose blocks record no stages: it shows what the recording costs.
  bool compares_stages() const { return with_bare_ && options_.stages_of > 0 && !kernels_.empty(); }
  std::size_t passes_a_turn() const { return 1u + (compares_stages() ? 1 : 0) + (with_bare_ ? 1 : 0); }
  // Of the kernels that record their stages, added up.
  Nanoseconds time_in_kernels(const std::vector<trace::Span>& spans) const {
    Nanoseconds sum = 0;
    for (const OperationIndex kernel : kernels_) {
      if (kernel < spans.size() && known(spans[kernel].start) && known(spans[kernel].end)) {
        sum += spans[kernel].end - spans[kernel].start;
      }
    }
    return sum;
  }

  bool has_rule() const { return options_.max_noise > 0; }
  int fewest() const {
    const int for_share = sampled() ? static_cast<int>(share_) : 1;  // so that every operation is seen
    return std::max({options_.min_samples, static_cast<int>(trace::kFewestForSpread), for_share});
  }
  void take_nearest(trace::Run& run) {
    run.makespan = timed_.makespan_statistic();
    const Nanoseconds off = timed_.off();
    device::Pass& chosen = timed_.nearest();
    run.trace.provenance.uncertainty = chosen.clock_uncertainty;
    run.trace.spans = std::move(chosen.spans);
    contradictions_ = order_.check(run.trace.spans);
    run.trace.stages = std::move(chosen.stages);
    run.trace.answers = std::move(chosen.answers);
    if (off != 0) {
      add(run.notes, trace::NoteKind::sampling,
          tr("The spans are of the kept run nearest the median of {} runs, {} from it.", run.runs,
             display_duration(off)));
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
    Merged merged = merge(program_, order_.of_program(), run.trace, *sampling_, share_, typical_circumstances());
    run.trace.spans = std::move(merged.spans);
    contradictions_ = std::move(merged.contradictions);
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
    add(run.notes, trace::NoteKind::sampling,
        tr("The spans are merged from {}, of which each saw 1/{} of the ends that no kernel "
           "stamps{}.",
           runs_of(run.runs), share_,
           merged.mended == 0 ? std::string()
                              : tr("; {} of their times contradicted others within "
                                   "the noise and were set right",
                                   merged.mended)));
    if (share_ < options_.share) {
      add(run.notes, trace::NoteKind::sampling,
          tr("A share of 1/{} was asked for; 1/{} lets {} see every operation.", options_.share, share_,
             runs_of(options_.runs)));
    }
    for (trace::Note& note : merged.notes) run.notes.push_back(std::move(note));
  }

  void note_contradictions(trace::Run& run) const {
    if (run.trace.spans.empty()) return;
    run.trace.provenance.contradictions = static_cast<std::uint32_t>(contradictions_.size());
    std::string text;
    if (!contradictions_.empty()) {
      text = behind(reconstruct::contradiction_text(contradictions_, run.trace.spans),
                    sampled() ? tr("Ask for more runs, or use the instrument full.")
                              : tr("Bars are wrong there; other passes of the same program may show which."));
    }
    if (contradicting_ > (contradictions_.empty() ? 0 : 1)) {
      text = behind(text, tr("Runs with such contradictions: {} of {}.", contradicting_, run.runs));
    }
    if (!text.empty()) add(run.notes, trace::NoteKind::contradiction, std::move(text));
  }

  void note_observer_effect(trace::Run& run) const {
    if (!with_bare_ || run.observer_effect) return;
    const auto pairs = std::min(timed_.walls().size(), bare_walls_.size());
    add(run.notes, trace::NoteKind::observer_effect,
        tr_n("The observer effect has no figure: {} pair of an instrumented and a bare run, {} are needed; use "
             "--repeat 5.",
             "The observer effect has no figure: {} pairs of an instrumented and a bare run, {} are needed; use "
             "--repeat 5.",
             pairs, pairs, trace::kFewestPairs));
  }

  void note_stop_rule(trace::Run& run, Ended ended) const {
    if (ended == Ended::enough) {
      add(run.notes, trace::NoteKind::stop_rule,
          tr("Done after {}: the wall time's noise, {}, is within {}.", runs_of(run.runs), per_cent(timed_.noise()),
             per_cent(options_.max_noise)));
    } else if (ended == Ended::timed_out) {
      add(run.notes, trace::NoteKind::stop_rule,
          tr("Time was up after {} of {}{}.", run.runs, runs_of(options_.runs),
             has_rule() ? tr(", the wall time's noise: {}", per_cent(timed_.noise())) : ""));
    } else if (has_rule() && run.runs == options_.runs && !timed_.noise()) {
      add(run.notes, trace::NoteKind::stop_rule,
          tr("The wall time's noise is not known after {}: {} are needed to judge it.", runs_of(run.runs),
             trace::kFewestForSpread));
    } else if (has_rule() && run.runs == options_.runs) {
      add(run.notes, trace::NoteKind::stop_rule,
          tr("After all {} the wall time's noise, {}, is still over {}.", runs_of(run.runs), per_cent(timed_.noise()),
             per_cent(options_.max_noise)));
    }
  }

  device::LoadedProgram& loaded_;
  const program::Program& program_;
  const MeasureOptions& options_;
  const Progress& progress_;
  const bool with_bare_;
  const int serial_passes_;  // that will follow
  const std::uint32_t share_;
  int done_ = 0;
  PassCheck order_;
  std::vector<reconstruct::Contradiction> contradictions_;  // of the trace
  int contradicting_ = 0;                                   // timed passes that have any
  Samples timed_;
  std::optional<Sampling> sampling_;
  std::vector<Nanoseconds> bare_walls_;
  std::vector<OperationIndex> kernels_;  // that record their stages
  trace::Notes stage_notes_;
  std::vector<Nanoseconds> with_stages_, without_stages_;  // time in them, by turn
  std::vector<device::Circumstances> circumstances_;       // of sampled passes
};

// What it holds is of a device that is gone, and cannot be freed.
void leave_to_the_process(std::unique_ptr<device::LoadedProgram> loaded) {
  static auto* const kept = new std::vector<std::unique_ptr<device::LoadedProgram>>;
  kept->push_back(std::move(loaded));
}

Result<trace::Run> measure_all(device::Device& device, const program::Program& program, const MeasureOptions& options,
                               const device::RunControl& control, const Progress& progress) {
  if (options.runs < 1) {
    return fail(ErrorKind::bad_input, tr("{} timed runs were asked for; ask for 1 or more.", options.runs));
  }
  if (options.share < 1) return fail(ErrorKind::bad_input, tr("A share of 1/0 was asked for; ask for 1/1 or less."));
  if (options.stages_of > 0 && options.instrument != device::Instrument::full) {
    return fail(ErrorKind::bad_input,
                tr("Blocks record their stages in full passes only, and the instrument is {}; use full, or leave "
                   "the stages out.",
                   device::name(options.instrument)));
  }
  if (control.stop.stop_requested()) return fail(ErrorKind::cancelled, tr("The run was stopped on request."));

  const SerialProgram serial = serial_program(device, program, options);
  auto made = TRY(device.load(program, load_options(options)));
  device::LoadedProgram& loaded = *made;
  if (options.own_process) leave_to_the_process(std::move(made));
  device::PassRequest request(options.instrument);
  request.gate = options.gate;
  TRY(loaded.can(request));

  const bool with_bare = options.observer_effect && options.instrument != device::Instrument::bare &&
                         device.info().kind != trace::Provenance::Kind::model;
  Measurement measurement(loaded, program, options, progress, with_bare, serial.passes());
  measurement.note_stages(device::stage_plan(
      program, static_cast<std::uint32_t>(std::max(1, device.info().multiprocessors)), options.stages_of));
  trace::Durations own;
  const auto ended = repeat(loaded, measurement.repetition(), control,
                            {[&](int turn, std::size_t place, device::Pass pass) {
                               if (serial.itself && turn >= 0 && turn < kSerialRuns && place == 0)
                                 trace::add_durations(pass.spans, loaded.frame().names, loaded.frame().names, own);
                               measurement.keep(turn, place, std::move(pass));
                             },
                             [&](int) { return measurement.enough(); }});
  if (!ended) {
    if (ended.error().kind != ErrorKind::cancelled || !measurement.seen()) return fail(ended.error());
    trace::Run run = std::move(measurement).finish(Ended::all_made);
    add(run.notes, trace::NoteKind::stopped,
        tr("Stopped after {} of {} runs; the data was not checked.", run.runs, options.runs));
    return run;
  }

  std::optional<bool> verified;
  if (options.verify) {
    verified = TRY(loaded.verify());
  }
  const Step step = measurement.step();
  // After verify(): a note of the device then says where the data differs, or why it was not checked.
  trace::Run run = std::move(measurement).finish(*ended);
  run.verified = verified;
  if (!options.verify) add(run.notes, trace::NoteKind::not_verified, tr("The data of this run was not checked."));
  made.reset();  // its memory serves the serial program
  if (*ended != Ended::timed_out) add_serial(device, serial, options, control, progress, step, std::move(own), run);
  return run;
}

}  // namespace

Result<trace::Run> measure(device::Device& device, const program::Program& program, const MeasureOptions& options,
                           const device::RunControl& control, const Progress& progress) {
  MeasureOptions once = options;
  once.own_process = options.own_process && program::ends_its_process(program);
  if (!once.own_process) return measure_all(device, program, once, control, progress);
  once.runs = std::min(options.runs, 1);
  once.max_noise = 0;
  once.timeout = kAbsent;
  once.observer_effect = once.serial = once.verify = false;
  auto run = TRY(measure_all(device, program, once, control, progress));
  add(run.notes, trace::NoteKind::other,
      tr("The program leaves its process without a GPU, so it ran once, in a process of its own: without a warm-up, "
         "bare runs, a run in one stream and a check of the data."));
  return run;
}

}  // namespace streamscope::measure
