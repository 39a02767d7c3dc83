#include "engine/remedy/explain_run.h"

#include <utility>

#include "engine/base/translate.h"
#include "engine/device/catalog/catalog.h"
#include "engine/predict/predict.h"
#include "engine/program/read_program.h"

namespace streamscope::remedy {
namespace {

// Of the makespan, relative; 0 where it is not known.
double noise_of(const trace::Run& run) {
  if (!run.makespan || !known(run.makespan->spread) || run.makespan->median <= 0) return 0;
  return static_cast<double>(run.makespan->spread) / static_cast<double>(run.makespan->median);
}

}  // namespace

Result<std::unique_ptr<ExplainedRun>> explain_run(const trace::Run& run, const StopFlag& stop,
                                                  std::size_t most_simulated) {
  auto out = std::make_unique<ExplainedRun>();
  const trace::Trace& trace = run.trace;
  out->source = source_of(run);
  if (!out->source.program.empty()) {
    auto read = TRY(program::read_program(out->source.program, tr("the run's program")));
    out->program = std::move(read.program);
    out->has_program = trace::span_count(trace) == out->program.operations.size();
  }
  out->judgement = std::make_unique<verdict::Judgement>(
      verdict::judge(trace, out->has_program ? &out->program : nullptr, run.alone));
  out->makespan = run.makespan ? run.makespan->median : out->judgement->makespan;
  const Circumstances circumstances{.makespan = out->makespan,
                                    .noise = noise_of(run),
                                    .model = trace.provenance.kind == trace::Provenance::Kind::model,
                                    .most_simulated = most_simulated};
  std::unique_ptr<device::Device> model;
  Simulate simulate;
  if (out->has_program) {
    device::DeviceInfo ran_on;
    ran_on.name = trace.provenance.device;
    ran_on.kind = trace.provenance.kind;
    ran_on.profile = trace.provenance.profile;
    model = TRY(catalog::open_device(catalog::predictor_of(ran_on).model));
    simulate = [&](const program::Program& program) -> Result<Nanoseconds> {
      return TRY(predict::predict(*model, program, stop)).makespan;
    };
  }
  out->verdict = TRY(explain(*out->judgement, out->source, circumstances, simulate));
  return out;
}

}  // namespace streamscope::remedy
