// One combination of a sweep, measured. measure() keeps the trace of the run whose makespan is the median; here every
// run counts for the kernels' own time, whose median may be another run's.
#include <algorithm>
#include <utility>

#include "engine/analysis/analysis.h"
#include "engine/analysis/kernel_figures.h"
#include "engine/measure/repeat.h"
#include "engine/sweep/run_sweep.h"

namespace streamscope::sweep {
namespace {

// How long at least one of the kernels runs whose bytes are known.
Nanoseconds time_of_kernels(const trace::Trace& trace) {
  std::vector<trace::Span> spans;
  for (const trace::Span& span : trace.spans) {
    if (analysis::find_kernel(trace, span.operation) != nullptr) spans.push_back(span);
  }
  for (trace::Span& span : spans) span.device = 0;  // whichever device they run on
  Nanoseconds time = 0;
  for (const trace::Interval& each : analysis::busy(spans, {0, Engine::compute})) time += each.end - each.start;
  return time;
}

// What the passes made so far add up to.
struct Passes {
  trace::Trace trace;  // of the last full pass
  std::vector<Nanoseconds> walls, bare_walls, makespans, kernels;
  std::vector<double> overlaps;
  Nanoseconds uncertainty = 0;
};

void keep_full(Passes& passes, device::Pass pass) {
  passes.walls.push_back(pass.wall);
  passes.trace.spans = std::move(pass.spans);
  const analysis::Analysis found = analysis::analyse(passes.trace);
  if (known(found.makespan)) {
    passes.makespans.push_back(found.makespan);
    passes.overlaps.push_back(found.overlap);
  }
  if (const Nanoseconds time = time_of_kernels(passes.trace); time > 0) passes.kernels.push_back(time);
  passes.uncertainty = std::max(passes.uncertainty, pass.clock_uncertainty);
}

void add_kernels(SweepResult& out, const trace::Trace& trace) {
  for (const trace::KernelFacts& kernel : trace.kernels) {
    out.kernel_bytes += kernel.bytes;
    out.copy_rate = std::max(out.copy_rate, kernel.copy_rate);
  }
}

SweepResult result_of_passes(Passes passes) {
  SweepResult out;
  out.runs = static_cast<int>(passes.walls.size());
  out.wall = trace::statistic(passes.walls);
  out.makespan = trace::statistic(passes.makespans);
  out.kernel = trace::statistic(passes.kernels);
  add_kernels(out, passes.trace);
  if (!passes.overlaps.empty()) {
    const auto middle = passes.overlaps.begin() + static_cast<std::ptrdiff_t>((passes.overlaps.size() - 1) / 2);
    std::nth_element(passes.overlaps.begin(), middle, passes.overlaps.end());
    out.overlap = *middle;
  }
  out.observer_effect = trace::observer_effect(passes.walls, passes.bare_walls);
  out.provenance = passes.trace.provenance;
  out.provenance.instrument = device::name(device::Instrument::full);
  out.provenance.uncertainty = passes.uncertainty;
  return out;
}

}  // namespace

SweepResult result_of(const trace::Run& run) {
  SweepResult out;
  out.runs = run.runs;
  out.wall = run.wall;
  out.makespan = run.makespan;
  if (const Nanoseconds time = time_of_kernels(run.trace); time > 0) out.kernel = trace::statistic({time});
  add_kernels(out, run.trace);
  if (const analysis::Analysis found = analysis::analyse(run.trace); known(found.makespan)) out.overlap = found.overlap;
  out.observer_effect = run.observer_effect;
  out.verified = run.verified;
  out.provenance = run.trace.provenance;
  out.provenance.contradictions.reset();  // are of the one trace
  out.notes = run.notes;
  return out;
}

Result<SweepResult> measure_combination(device::Device& device, const program::Program& program, const SweepPlan& plan,
                                        const StopFlag& stop, const std::function<void(int)>& progress) {
  auto loaded = TRY(device.load(program, device::LoadOptions{.long_kernels = plan.long_kernels}));
  TRY(loaded->can(device::PassRequest()));
  measure::Repetition repetition;
  repetition.turn = {device::Instrument::full};
  if (device.info().kind == trace::Provenance::Kind::measured) repetition.turn.emplace_back(device::Instrument::bare);
  repetition.most = plan.runs;
  repetition.timeout = plan.timeout;
  Passes passes;
  passes.trace = loaded->frame();
  measure::RepetitionCalls calls;
  calls.on_pass = [&](int turn, std::size_t place, device::Pass pass) {
    if (turn >= 0 && place == 0) keep_full(passes, std::move(pass));
    if (turn >= 0 && place == 1) passes.bare_walls.push_back(pass.wall);
  };
  calls.enough = [&](int turn) {
    if (progress) progress(turn + 1);
    return false;
  };
  const auto made = measure::repeat(*loaded, repetition, device::RunControl{stop, {}}, calls);
  if (!made && (made.error().kind != ErrorKind::cancelled || passes.walls.empty())) return fail(made.error());
  SweepResult out = result_of_passes(std::move(passes));
  // Of a run that was stopped on its way the data is not whole.
  if (plan.verify && made) {
    out.verified = TRY(loaded->verify());
  }
  out.notes = loaded->notes();  // after verify(), which may add one
  return out;
}

}  // namespace streamscope::sweep
