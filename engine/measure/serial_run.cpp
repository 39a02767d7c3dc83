#include "engine/measure/serial_run.h"

#include <algorithm>
#include <utility>

#include "engine/base/translate.h"
#include "engine/measure/repeat.h"
#include "engine/program/order/in_one_stream.h"

namespace streamscope::measure {
namespace {

// What passes of that program took, all of it and each class of operations. `names`: the run's, which classes count in.
struct SerialTimes {
  std::vector<Nanoseconds> makespans;
  trace::Durations durations;
};
// Errors: what the device cannot run; device_failed, cancelled.
Result<SerialTimes> serial_times(device::Device& device, const SerialProgram& serial, const MeasureOptions& options,
                                 const device::RunControl& control, const std::vector<std::string>& names,
                                 const std::function<void()>& on_pass) {
  auto loaded = TRY(device.load(*serial.program, load_options(options)));
  const bool sampled = options.instrument == device::Instrument::sampled;
  device::PassRequest request(sampled ? device::Instrument::full : options.instrument);
  request.gate = options.gate;
  if (!loaded->can(request)) request.gate = false;  // one stream's queue may be too short for everything
  TRY(loaded->can(request));
  Repetition repetition;
  repetition.turn = {request};
  repetition.most = serial.runs;
  repetition.timeout = kSerialTime;
  SerialTimes times;
  TRY(repeat(*loaded, repetition, device::RunControl{control.stop, {}},
             {[&](int turn, std::size_t, const device::Pass& pass) {
                if (turn >= 0) {
                  times.makespans.push_back(trace::makespan(pass.spans));
                  trace::add_durations(pass.spans, loaded->frame().names, names, times.durations);
                }
                on_pass();
              },
              {}}));
  return times;
}

}  // namespace

SerialProgram serial_program(const device::Device& device, const program::Program& program,
                             const MeasureOptions& options) {
  SerialProgram out;
  const bool timed = device::about(options.instrument).spans && options.instrument != device::Instrument::calls;
  if (!options.serial || !timed) return out;
  out.itself = program::is_in_one_stream(program);
  if (out.itself) return out;
  out.program = program::in_one_stream(program);
  const bool model = device.info().kind == trace::Provenance::Kind::model;  // the same in each pass
  out.runs = model ? 1 : std::min(options.runs, kSerialRuns);
  return out;
}

void add_serial(device::Device& device, const SerialProgram& serial, const MeasureOptions& options,
                const device::RunControl& control, const Progress& progress, Step step, trace::Durations own,
                trace::Run& run) {
  if (!run.makespan) return;
  if (serial.itself) {
    run.serial = run.makespan;
    // Sampled passes have none each, but all together.
    if (own.empty()) trace::add_durations(run.trace.spans, run.trace.names, run.trace.names, own);
    run.alone = trace::isolated_times(own);
  }
  if (!serial.program) return;
  const auto on_pass = [&] {
    ++step.done;
    if (progress) progress(step);
  };
  const auto times = serial_times(device, serial, options, control, run.trace.names, on_pass);
  if (times && std::all_of(times->makespans.begin(), times->makespans.end(), known)) {
    run.serial = trace::statistic(times->makespans);
    run.alone = trace::isolated_times(times->durations);
  } else if (!times && times.error().kind != ErrorKind::cancelled) {
    run.notes.push_back(
        {trace::NoteKind::other,
         tr("The operations were not run in one stream, so their isolated durations stand for the serial time: {}",
            times.error().message)});
  }
}

}  // namespace streamscope::measure
