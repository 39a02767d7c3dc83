// One combination of a sweep, measured. measure() keeps the trace of the run whose makespan is the median; here every
// run counts for the kernels' own time, whose median may be another run's.
#include <algorithm>
#include <utility>

#include "app/cli/sweep.h"
#include "engine/analysis/analysis.h"
#include "engine/analysis/kernel_figures.h"

namespace streamscope::cli {
namespace {

// How long at least one of the kernels runs whose bytes are known.
Nanoseconds time_of_kernels(const trace::Trace& trace) {
  std::vector<trace::Span> spans;
  for (const trace::Span& span : trace.spans) {
    if (analysis::find_kernel(trace, span.operation) != nullptr) spans.push_back(span);
  }
  Nanoseconds time = 0;
  for (const trace::Interval& interval : analysis::busy(spans, Engine::compute)) time += interval.end - interval.start;
  return time;
}

class Combined {
 public:
  Combined(device::LoadedProgram& loaded, const SweepPlan& plan, const std::stop_token& stop, bool with_bare)
      : loaded_(loaded), plan_(plan), stop_(stop), with_bare_(with_bare), trace_(loaded.frame()) {}

  Result<void> run(const std::function<void(int)>& progress) {
    if (auto warm = make(device::Instrument::full); !warm) return fail(std::move(warm.error()));
    const Nanoseconds began = host_now();
    for (int i = 0; i < plan_.runs; ++i) {
      if (progress) progress(i + 1);
      if (auto made = pair(i % 2 == 1); !made) return made;
      if (known(plan_.timeout) && host_now() - began >= plan_.timeout) break;
    }
    return {};
  }
  bool seen() const { return !walls_.empty(); }

  SweepResult finish() {
    SweepResult out;
    out.runs = static_cast<int>(walls_.size());
    out.wall = trace::statistic(walls_);
    out.makespan = trace::statistic(makespans_);
    out.kernel = trace::statistic(kernels_);
    for (const trace::KernelFacts& kernel : trace_.kernels) {
      out.kernel_bytes += kernel.bytes;
      out.copy_rate = std::max(out.copy_rate, kernel.copy_rate);
    }
    if (!overlaps_.empty()) {
      const auto middle = overlaps_.begin() + static_cast<std::ptrdiff_t>((overlaps_.size() - 1) / 2);
      std::nth_element(overlaps_.begin(), middle, overlaps_.end());
      out.overlap = *middle;
    }
    out.observer_effect = trace::observer_effect(walls_, bare_walls_);
    out.provenance = trace_.provenance;
    out.provenance.instrument = device::name(device::Instrument::full);
    out.provenance.uncertainty = uncertainty_;
    return out;
  }

 private:
  Result<device::Pass> make(device::Instrument instrument) {
    if (stop_.stop_requested()) return fail(ErrorKind::cancelled, "The run was stopped on request.");
    return loaded_.run(device::PassRequest(instrument), device::RunControl{stop_, {}});
  }

  // Which of the two goes first changes, so that a device that grows slower on the way favours neither.
  Result<void> pair(bool bare_first) {
    if (bare_first) {
      if (auto made = bare(); !made) return made;
    }
    if (auto made = full(); !made) return made;
    return bare_first ? Result<void>() : bare();
  }

  Result<void> full() {
    auto pass = make(device::Instrument::full);
    if (!pass) return fail(std::move(pass.error()));
    walls_.push_back(pass->wall);
    trace_.spans = std::move(pass->spans);
    const analysis::Analysis found = analysis::analyse(trace_);
    if (known(found.makespan)) {
      makespans_.push_back(found.makespan);
      overlaps_.push_back(found.overlap);
    }
    if (const Nanoseconds time = time_of_kernels(trace_); time > 0) kernels_.push_back(time);
    uncertainty_ = std::max(uncertainty_, pass->clock_uncertainty);
    return {};
  }

  Result<void> bare() {
    if (!with_bare_) return {};
    auto pass = make(device::Instrument::bare);
    if (!pass) return fail(std::move(pass.error()));
    bare_walls_.push_back(pass->wall);
    return {};
  }

  device::LoadedProgram& loaded_;
  const SweepPlan& plan_;
  const std::stop_token& stop_;
  const bool with_bare_;
  trace::Trace trace_;
  std::vector<Nanoseconds> walls_, bare_walls_, makespans_, kernels_;
  std::vector<double> overlaps_;
  Nanoseconds uncertainty_ = 0;
};

}  // namespace

Result<SweepResult> measure_combination(device::Device& device, const program::Program& program, const SweepPlan& plan,
                                        const std::stop_token& stop, const std::function<void(int)>& progress) {
  auto loaded = device.load(program, device::LoadOptions{plan.long_kernels});
  if (!loaded) return fail(std::move(loaded.error()));
  if (auto can = (*loaded)->can(device::PassRequest()); !can) return fail(std::move(can.error()));
  Combined combined(**loaded, plan, stop, device.info().kind == trace::Provenance::Kind::measured);
  const auto made = combined.run(progress);
  if (!made && !(made.error().kind == ErrorKind::cancelled && combined.seen())) return fail(made.error());
  SweepResult out = combined.finish();
  // Of a run that was stopped on its way the data is not whole.
  if (plan.verify && made) {
    const auto verified = (*loaded)->verify();
    if (!verified) return fail(verified.error());
    out.verified = *verified;
  }
  out.notes = (*loaded)->notes();  // after verify(), which may add one
  return out;
}

}  // namespace streamscope::cli
