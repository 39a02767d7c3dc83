// Errors on purpose: calls that fail, a kernel after which all do, and what a reset leaves (docs/cuda-rules.md 21).
#include "engine/device/model/simulation.h"

namespace streamscope::model {
namespace {

// From a failure until calls return it, in which nothing on the device goes on. On an H100 (CUDA 13.0, 2026) 95 to 150,
// 2 to 6 and 350 to 595 ms; no profile has it.
Nanoseconds time_until_told(CallResult error) {
  switch (error) {
    case CallResult::illegal_address: return 120'000'000;
    case CallResult::device_assert: return 4'000'000;
    default: return 450'000'000;
  }
}

// What the host does without CUDA, or whatever has become of the device.
bool never_fails(const program::Work& work, bool is_there) {
  return std::holds_alternative<program::op::HostWork>(work) || std::holds_alternative<program::op::Touch>(work) ||
         (std::holds_alternative<program::op::SetDevice>(work) && is_there) ||
         std::holds_alternative<program::op::StartThread>(work) ||
         std::holds_alternative<program::op::JoinThread>(work) ||
         std::holds_alternative<program::op::LastError>(work) || std::holds_alternative<program::op::Reset>(work);
}

}  // namespace

// What the thread's call returns in place of doing anything.
std::optional<CallResult> Simulation::refused(const HostThread& thread) {
  const program::Work& work = program_.operations[thread.at].work;
  if (told_ && !never_fails(work, sticks_ != CallResult::devices_unavailable)) return sticks_;
  const auto* const fault = std::get_if<program::op::Fault>(&work);
  if (fault != nullptr && fault->kind == program::FaultKind::launch_config) return program::error_of(fault->kind);
  return refused_by_capture(thread);
}

bool Simulation::fails(HostThread& thread) {
  const OperationIndex index = thread.at;
  const program::Operation& operation = program_.operations[index];
  const std::optional<CallResult> result = refused(thread);
  if (!result) return false;
  returns(thread, *result);
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

// That something is not ready is an answer, and no last error (H100, CUDA 13.0).
void Simulation::returns(HostThread& thread, CallResult result) {
  spans_[thread.at].result = result;
  if (result != CallResult::not_ready) thread.last_error = result;
}

void Simulation::die(OperationIndex fault) {
  sticks_ = program::error_of(std::get<program::op::Fault>(program_.operations[fault].work).kind);
  died_at_ = now_;
  told_at_ = now_ + time_until_told(sticks_);
}

// What ran on any device ended with the failure, and what is queued never starts. On an H100 callbacks are called all
// the same, one after the other, with the error; not behind an assertion.
void Simulation::tell() {
  told_ = true;
  for (const Gpu& gpu : gpus_) {
    Nanoseconds called = told_at_;
    for (const OperationIndex index : gpu.submitted.all()) {
      if (ended(index)) continue;
      if (known(spans_[index].start)) {
        spans_[index].end = died_at_;
        spans_[index].bytes = 0;  // how far it had come nobody knows
        if (log_ != nullptr) log_->end(index, died_at_);
      } else if (const auto* function = std::get_if<program::op::HostFunction>(&program_.operations[index].work);
                 function != nullptr && function->callback && sticks_ != CallResult::device_assert) {
        spans_[index].ready = spans_[index].start = called;
        spans_[index].end = called += function->duration;
        spans_[index].result = sticks_;
      } else {
        never_runs(index);
      }
      if (known(spans_[index].host_end)) send(index);
    }
  }
  wake_threads();
}

// After an error that sticks the process has no device any more (measured on an H200 and an H100).
void Simulation::reset() {
  if (told_) {
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
