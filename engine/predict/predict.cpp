#include "engine/predict/predict.h"

#include <fmt/format.h>

#include <utility>

#include "engine/base/translate.h"

namespace streamscope::predict {
namespace {

void no_prediction(trace::Run& run, const std::string& why) {
  run.notes.insert(run.notes.begin(), {trace::NoteKind::no_prediction, tr("There is no prediction: {}", why)});
}

}  // namespace

Result<trace::Prediction> predict(device::Device& model, const program::Program& program, const StopFlag& stop) {
  if (model.info().kind != trace::Provenance::Kind::model) {
    return fail(ErrorKind::bad_input, tr("\"{}\" is no model, and only a model predicts.", model.info().id));
  }
  device::LoadOptions options;
  options.long_kernels = true;  // they harm nobody there
  auto loaded = TRY(model.load(program, options));
  auto pass = TRY(loaded->run(device::Instrument::full, device::RunControl{stop, {}}));
  trace::Prediction prediction;
  prediction.wall = pass.wall;
  prediction.makespan = trace::makespan(pass.spans);
  prediction.notes = loaded->notes();
  prediction.trace = loaded->frame();
  prediction.trace.provenance.instrument = device::name(device::Instrument::full);
  prediction.trace.spans = std::move(pass.spans);
  return prediction;
}

Result<trace::Prediction> predict(const device::DeviceSpec& model, const program::Program& program,
                                  const StopFlag& stop) {
  const auto opened = TRY(catalog::open_device(model));
  return predict(*opened, program, stop);
}

void add_prediction(trace::Run& run, const Result<device::Device*>& model, bool fits, const program::Program& program,
                    const StopFlag& stop, const std::string& note) {
  if (!model) return no_prediction(run, model.error().message);
  if (run.trace.provenance.gated)
    return no_prediction(run, tr("the run was held by the gate, and a model has no gate."));
  auto prediction = predict(**model, program, stop);
  if (!prediction) return no_prediction(run, prediction.error().message);
  if (!fits) {
    prediction->notes.insert(
        prediction->notes.begin(),
        {trace::NoteKind::prediction, tr("No profile was made for {}: it is predicted with that of {}.",
                                         run.trace.provenance.device, prediction->trace.provenance.device)});
  }
  if (!note.empty()) prediction->notes.insert(prediction->notes.begin(), {trace::NoteKind::prediction, note});
  run.prediction = std::move(*prediction);
}

catalog::Predictor model_for(const device::DeviceSpec& asked, const device::DeviceInfo& ran_on,
                             const program::Program& program) {
  if (asked.kind != device::DeviceSpec::Kind::automatic) return {asked, true};
  catalog::Predictor fits = catalog::predictor_of(ran_on);
  fits.model = catalog::with_devices(fits.model, program::device_count(program));
  return fits;
}

void Predictions::add_to(trace::Run& run, device::Device& ran_on, const Result<device::DeviceSpec>& asked,
                         const program::Program& program, const StopFlag& stop) {
  if (!asked) return no_prediction(run, asked.error().message);
  const catalog::Predictor by = model_for(*asked, ran_on.info(), program);
  const PacedModel paced = run.trace.provenance.gated ? PacedModel{by.model, {}} : at_pace(by.model, ran_on, stop);
  add_prediction(run, devices_.open(paced.model), by.fits, program, stop, paced.note);
}

PacedModel Predictions::at_pace(const device::DeviceSpec& model, device::Device& ran_on, const StopFlag& stop) {
  constexpr Nanoseconds kKept = 3'000'000'000;
  const std::string& device = ran_on.info().id;
  if (known_.model == model && known_.device == device && host_now() - known_.at < kKept) return known_.paced;
  known_ = {model, device, host_now(), at_host_pace(model, ran_on, stop)};
  return known_.paced;
}

}  // namespace streamscope::predict
