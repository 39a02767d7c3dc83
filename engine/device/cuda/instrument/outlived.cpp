// What an instrument still knows of a pass after which there is no device to ask: the host's readings, the stamps that
// outlive the device, and the events that were seen while it lived.
#include "engine/base/translate.h"
#include "engine/device/cuda/instrument/instrument.h"
#include "engine/reconstruct/lost_device.h"

namespace streamscope::cuda {

void Instruments::finish_without_device(device::Pass& pass) {
  for (std::size_t i = 0; i < observed_.size(); ++i) note_what_is_left(i);
  spans();
  reconstruct::settle_lost_device(*program_, *dependencies_, may_go_on_, spans_);
  pass.observed = observed_;
  pass.circumstances = circumstances();
  pass.spans = spans_;
  pass.answers = answers_->on_axis(zero());
  pass.begin = zero();
  for (const auto& gpu : gpus_) pass.clock_uncertainty = std::max(pass.clock_uncertainty, gpu->map().uncertainty());
}

void Instruments::note_what_is_left(std::size_t i) {
  const program::Operation& operation = program_->operations[i];
  const bool node = operation.launch != kNoOperation;
  const HostCall& call = calls_[node ? operation.launch : i];
  device::Observed& seen = observed_[i];
  if (!known(call.begin)) return;  // a stopped run
  seen.host_begin = call.begin - zero();
  seen.host_end = call.end - zero();
  if (!node) {
    seen.polls = call.polls;
    seen.result = call.result;
    seen.elapsed = call.elapsed;
  }
  if (call.result != CallResult::success) return;
  const std::size_t slot = slot_[i] + (node ? call.time : 0);
  const auto* fault = std::get_if<program::op::Fault>(&operation.work);
  const bool kernel = program::kind(operation.work) == OperationKind::kernel;
  if (kernel && end_events_[i] != nullptr) {  // it has no stamps
    read_sighting(i);
  } else if (kernel || fault != nullptr) {
    note_kernel(i, slot, gpu_of(i).stamp(slot).end != 0, seen);  // 0 as none was written
  } else if (std::holds_alternative<program::op::HostFunction>(operation.work)) {
    note_host_function(slot, seen);
  } else if (end_events_[i] != nullptr) {
    read_sighting(i);
  } else if (program::is_blocking_copy(operation.work) && !has_end_event(*program_, operation)) {
    seen.end = seen.host_end;
    seen.source = trace::Source::host;
  }
}

}  // namespace streamscope::cuda
