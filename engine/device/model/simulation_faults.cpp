// Errors on purpose: calls that fail, a kernel after which all do, and what a reset leaves (docs/cuda-rules.md 21).
#include "engine/device/model/simulation.h"

namespace streamscope::model {
namespace {

// What the host does without CUDA, or whatever has become of the device.
bool never_fails(const program::Work& work) {
  return std::holds_alternative<program::op::HostWork>(work) || std::holds_alternative<program::op::Touch>(work) ||
         std::holds_alternative<program::op::StartThread>(work) ||
         std::holds_alternative<program::op::JoinThread>(work) ||
         std::holds_alternative<program::op::LastError>(work) || std::holds_alternative<program::op::Reset>(work);
}

}  // namespace

bool Simulation::fails(HostThread& thread) {
  const OperationIndex index = thread.at;
  const program::Operation& operation = program_.operations[index];
  const auto* const fault = std::get_if<program::op::Fault>(&operation.work);
  const bool refused = fault != nullptr && fault->kind == program::FaultKind::launch_config;
  if (!refused && (!dead() || never_fails(operation.work))) return false;
  returns(thread, dead() ? sticks_ : program::error_of(fault->kind));
  if (program::kind(operation.work) == OperationKind::poll) spans_[index].polls = 1;
  thread.time += at_pace(profile_, profile_.host.query);
  thread.call = {};
  thread.phase = Phase::leave;
  if (!program::ordered_in(operation)) return true;
  never_runs(index);
  if (const auto* launch = std::get_if<program::op::Launch>(&operation.work)) {
    const std::size_t nodes = program_.graphs[launch->graph.value].nodes.size();
    for (std::size_t node = 0; node < nodes; ++node) {
      const auto its = static_cast<OperationIndex>(index + 1 + node);
      spans_[its].host_begin = spans_[index].host_begin;
      spans_[its].host_end = thread.time;
      never_runs(its);
      send(its);
    }
  }
  return true;
}

void Simulation::returns(HostThread& thread, CallResult result) {
  spans_[thread.at].result = thread.last_error = result;
}

// What runs ends here, and what is queued never starts.
void Simulation::die(OperationIndex fault) {
  sticks_ = program::error_of(std::get<program::op::Fault>(program_.operations[fault].work).kind);
  may_wake_ = true;
  for (const OperationIndex index : gpus_[0].submitted.all()) {
    if (ended(index)) continue;
    if (known(spans_[index].start)) {
      spans_[index].end = now_;
      spans_[index].bytes = 0;  // how far it had come nobody knows
      if (log_ != nullptr) log_->end(index, now_);
    } else {
      never_runs(index);
    }
    if (known(spans_[index].host_end)) send(index);
  }
}

// After an error that sticks the process has no device any more (measured on an H200).
void Simulation::reset() {
  if (dead()) {
    sticks_ = CallResult::devices_unavailable;
  } else {
    gpus_[0].memory = DeviceMemory(profile_.device.memory);
  }
}

void Simulation::never_runs(OperationIndex index) {
  never_runs_[index] = true;
  trace::Span& span = spans_[index];
  span.ready = span.start = span.end = kAbsent;
  span.ready_source = span.start_source = span.source = trace::Source::none;
  span.reason = trace::WaitReason::none;
  span.bytes = 0;
  span.waits_for = kNoOperation;
}

}  // namespace streamscope::model
