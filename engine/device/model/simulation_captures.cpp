// Captures inside the run, and what their mode refuses (docs/cuda-rules.md 19).
#include "engine/device/model/simulation.h"

namespace streamscope::model {

using program::CaptureStep;
using trace::CaptureStatus;

// A call of the capture that is not refused.
void Simulation::capture(const program::op::Capture& step, ThreadId by) {
  const program::Graph& graph = program_.graphs[step.graph.value];
  CaptureState& state = captures_[step.graph.value];
  switch (step.step) {
    case CaptureStep::begin:
      state.status = CaptureStatus::active;
      state.id = ++captures_begun_;
      state.thread = by;
      captured_by_[graph.origin.value] = step.graph;
      break;
    case CaptureStep::call:  // a stream joins by its first wait
      if (const program::Operation& call = graph.body[step.body]; program::kind(call.work) != OperationKind::record)
        captured_by_[call.stream->value] = step.graph;
      break;
    case CaptureStep::end:
      state.status = CaptureStatus::none;
      for (std::optional<GraphId>& of_stream : captured_by_) {
        if (of_stream == step.graph) of_stream.reset();
      }
      break;
    case CaptureStep::instantiate:
      state.is_there = true;
      state.is_uploaded = false;
      break;
  }
}

// What the calls of a broken capture return, those that CUDA refuses beside one, and launches of what is not there.
std::optional<CallResult> Simulation::refused_by_capture(const HostThread& thread) {
  if (program_.breaks_capture == kNoOperation) return std::nullopt;
  const program::Work& work = program_.operations[thread.at].work;
  if (const auto* launch = std::get_if<program::op::Launch>(&work)) {
    if (captures_[launch->graph.value].is_there) return std::nullopt;
    return CallResult::invalid_value;
  }
  if (const auto* step = std::get_if<program::op::Capture>(&work)) {
    if (captures_[step->graph.value].is_broken && step->step != CaptureStep::begin) {
      if (step->step == CaptureStep::instantiate) return CallResult::invalid_value;
      if (step->step == CaptureStep::end) capture(*step, thread.id);
      return CallResult::capture_invalidated;
    }
  }
  if (!program::is_unsafe_in_capture(work)) return std::nullopt;
  std::optional<CallResult> result;
  for (std::size_t graph = 0; graph < captures_.size(); ++graph) {
    CaptureState& state = captures_[graph];
    if (state.status == CaptureStatus::none || state.thread == thread.id ||
        program_.graphs[graph].mode != program::CaptureMode::global)
      continue;
    state.status = CaptureStatus::invalidated;
    state.is_broken = true;
    result = CallResult::capture_unsupported;
  }
  return result;
}

void Simulation::tell_of_capture(OperationIndex index) {
  const auto& asked = std::get<program::op::CaptureInfo>(program_.operations[index].work);
  trace::CaptureAnswer& told = capture_answers_.emplace_back();
  told.operation = index;
  const std::optional<GraphId> by = captured_by_[asked.stream.value];
  if (!by) return;
  told.status = captures_[by->value].status;
  if (told.status == CaptureStatus::active) told.id = captures_[by->value].id;
}

}  // namespace streamscope::model
