#include "app/cli/lesson_runs.h"

#include <utility>

#include "app/cli/run_options.h"
#include "app/cli/terminal.h"
#include "engine/base/translate.h"
#include "engine/device/catalog/catalog.h"
#include "engine/measure/measure.h"
#include "engine/remote/own_process.h"

namespace streamscope::cli {

Result<LessonDevice> LessonDevice::open(const lesson::Lesson& lesson, const std::string& name) {
  LessonDevice out;
  const std::string asked = name.empty() ? "auto" : name;
  const device::DeviceSpec spec = TRY(catalog::device_named(asked));
  out.device_ = TRY(out.devices_->open(spec));
  device::DeviceInfo at_hand = out.info();
  at_hand.predicted_by = text(catalog::predictor_of(at_hand).model);
  const lesson::Place place = lesson::place_of(lesson.needs, at_hand);
  if (place.why.empty()) return out;
  if (place.device.empty()) return fail(ErrorKind::no_device, tr("{}: error: {}", lesson.name, place.why));
  const device::DeviceSpec other = TRY(catalog::device_named(place.device));
  out.device_ = TRY(out.devices_->open(other));
  out.instead_of_ = place.why;
  return out;
}

Result<trace::Run> LessonDevice::run(const experiment::Input& input, bool stages, const Interrupt& interrupt) const {
  measure::MeasureOptions options;
  options.verify = input.verify;
  options.runs = default_runs(options, info().kind);
  if (stages) options.stages_of = kBlocksForOpen;
  StatusLine line;
  const auto progress = [&](const measure::Step& step) { line.show(tr("run {} of {}", step.done, step.total)); };
  const auto run_here = [&] {
    return measure::measure(*device_, input.checked, options, device::RunControl{interrupt.flag(), {}}, progress);
  };
  const auto run_elsewhere = [&] {
    line.show(tr("in a process of its own"));
    device_->release_memory();
    remote::message::StartRun as;
    as.device = info().id;
    as.program = input.program;
    as.options = options;
    return remote::run_alone(std::move(as), interrupt.flag(), progress);
  };
  const bool alone = remote::needs_own_process(input.checked, info(), options);
  trace::Run run = TRY(alone ? run_elsewhere() : run_here());
  run.experiment = input.experiment;
  run.program = input.program;
  return run;
}

}  // namespace streamscope::cli
