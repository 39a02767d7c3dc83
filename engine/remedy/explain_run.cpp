#include "engine/remedy/explain_run.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "engine/base/translate.h"
#include "engine/device/catalog/catalog.h"
#include "engine/predict/own_times.h"
#include "engine/predict/predict.h"
#include "engine/program/read_changed.h"
#include "engine/remedy/without.h"

namespace streamscope::remedy {
namespace {

// Of the makespan, relative; 0 where it is not known.
double noise_of(const trace::Run& run) {
  if (!run.makespan || !known(run.makespan->spread) || run.makespan->median <= 0) return 0;
  return static_cast<double>(run.makespan->spread) / static_cast<double>(run.makespan->median);
}

// "h200, changed: copies.engines 1 (was 3), link 30GB/s (was 55GB/s)": the model that the title of its profile names.
device::DeviceSpec model_of_title(std::string_view title) {
  constexpr std::string_view kChanged = ", changed: ", kWas = " (was ", kNext = "), ";
  const std::size_t changed = title.find(kChanged);
  device::DeviceSpec spec = device::model_of(title.substr(0, changed));
  if (changed == std::string_view::npos) return spec;
  for (std::string_view rest = title.substr(changed + kChanged.size()); !rest.empty();) {
    const std::size_t space = rest.find(' '), was = rest.find(kWas);
    if (space >= was || was == std::string_view::npos) break;
    spec.changes.push_back({std::string(rest.substr(0, space)), std::string(rest.substr(space + 1, was - space - 1))});
    const std::size_t next = rest.find(kNext, was);
    rest = next == std::string_view::npos ? std::string_view() : rest.substr(next + kNext.size());
  }
  return spec;
}

device::DeviceSpec model_for(const trace::Provenance& ran_on) {
  if (ran_on.kind == trace::Provenance::Kind::model) {
    const device::DeviceSpec itself = model_of_title(ran_on.profile);
    if (catalog::open_device(itself)) return itself;  // else of a profile in a file that is not known here
  }
  device::DeviceInfo device;
  device.name = ran_on.device;
  device.kind = ran_on.kind;
  device.profile = ran_on.profile;
  return catalog::predictor_of(device).model;
}

}  // namespace

Result<std::unique_ptr<ExplainedRun>> explain_run(const trace::Run& run, const StopFlag& stop,
                                                  const std::optional<device::DeviceSpec>& asked,
                                                  std::size_t most_simulated,
                                                  const std::function<void(int)>& simulated) {
  auto out = std::make_unique<ExplainedRun>();
  const trace::Trace& trace = run.trace;
  out->source = source_of(run);
  if (!out->source.program.empty()) {
    out->program = TRY(program::read_changed(out->source.program, tr("the run's program")));
    out->has_program = trace::span_count(trace) == out->program.operations.size();
  }
  out->judgement = std::make_unique<verdict::Judgement>(
      verdict::judge(trace, out->has_program ? &out->program : nullptr, run.alone));
  out->makespan = run.makespan ? run.makespan->median : out->judgement->makespan;
  const Circumstances circumstances{.makespan = out->makespan,
                                    .noise = noise_of(run),
                                    .model = trace.provenance.kind == trace::Provenance::Kind::model,
                                    .most_simulated = most_simulated};
  const device::DeviceSpec spec =
      catalog::with_devices(asked ? *asked : model_for(trace.provenance), program::device_count(out->program));
  std::map<std::optional<verdict::Cause>, std::unique_ptr<device::Device>> models;  // by what they are without
  const auto open = [&](std::optional<verdict::Cause> cause) -> Result<void> {
    device::DeviceSpec its = spec;
    if (cause) std::ranges::copy(without(*cause), std::back_inserter(its.changes));
    models[cause] = TRY(catalog::open_device(its));
    return {};
  };
  Simulate simulate;
  int count = 0;
  // Where calls fail, what fails sooner is no gain.
  if (out->has_program && !program::fails_on_purpose(out->program)) {
    TRY(open({}));
    simulate = [&, own = predict::own_times(trace, out->program, {})](
                   const program::Program& program, std::optional<verdict::Cause> cause) -> Result<Nanoseconds> {
      if (!models.contains(cause)) TRY(open(cause));
      std::optional<program::Program> with_times;
      if (!own.empty()) predict::give_own_times(with_times.emplace(program), own);
      const auto prediction = TRY(predict::predict(*models[cause], with_times ? *with_times : program, stop));
      const Nanoseconds its = prediction.makespan;
      if (simulated) simulated(++count);
      return its;
    };
  }
  out->verdict = TRY(explain(*out->judgement, out->source, circumstances, simulate));
  return out;
}

}  // namespace streamscope::remedy
