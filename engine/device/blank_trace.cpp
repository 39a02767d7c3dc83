#include "engine/device/blank_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/base/translate.h"

namespace streamscope::device {

trace::Trace frame_of(const program::Program& program, trace::Provenance provenance) {
  trace::Trace frame;
  frame.provenance = std::move(provenance);
  frame.streams.reserve(program.streams.size());
  for (const program::Stream& stream : program.streams) {
    frame.streams.push_back({stream.name, stream.nonblocking, stream.priority, stream.device.value});
  }
  for (const program::Operation& operation : program.operations) {
    const std::string_view called = program::label(program, operation.work);
    // A handful of names, so a linear look is the quick one.
    if (std::find(frame.names.begin(), frame.names.end(), called) == frame.names.end()) {
      frame.names.emplace_back(called);
    }
  }
  for (const program::Thread& thread : program.threads) frame.threads.push_back(thread.name);
  return frame;
}

std::vector<trace::Span> blank_spans(const program::Program& program, const trace::Trace& frame) {
  std::vector<trace::Span> spans(program.operations.size());
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const program::Operation& operation = program.operations[i];
    trace::Span& span = spans[i];
    span.operation = static_cast<OperationIndex>(i);
    span.line = operation.line;
    const auto called = std::find(frame.names.begin(), frame.names.end(), program::label(program, operation.work));
    span.name = static_cast<std::uint32_t>(called - frame.names.begin());
    if (const auto stream = program::ordered_in(operation)) span.stream = stream->value;
    span.kind = program::kind(operation.work);
    span.engine = program::engine_of(operation.work);
    span.device = static_cast<std::uint8_t>(program::device_of(program, operation).value);
    if (const auto* peer = std::get_if<program::op::PeerCopy>(&operation.work)) {
      span.to_device = static_cast<std::uint8_t>(peer->to_device.value);
    }
    span.thread = operation.thread.value;
    span.blocking = program::is_blocking_copy(operation.work);
    if (const auto* function = std::get_if<program::op::HostFunction>(&operation.work))
      span.callback = function->callback;
    if (const auto* elapsed = std::get_if<program::op::Elapsed>(&operation.work)) {
      span.elapsed_from = elapsed->from_record;
      span.elapsed_to = elapsed->to_record;
    }
    span.bytes = program::bytes(operation.work);
    span.rows = static_cast<std::uint32_t>(program::rows(operation.work));
    span.launch = operation.launch;
  }
  return spans;
}

trace::Notes clamp_priorities(std::vector<trace::StreamInfo>& streams, const DeviceInfo& device) {
  trace::Notes notes;
  std::set<int> said;
  for (trace::StreamInfo& stream : streams) {
    const int asked = stream.priority;
    stream.priority =
        std::clamp(asked, device.highest_priority, std::max(device.highest_priority, device.lowest_priority));
    if (stream.priority == asked || !said.insert(asked).second) continue;
    notes.push_back(
        {trace::NoteKind::warning,
         tr("Stream {} asks for priority {}, and {} has {} to {}: it counts as {}, as "
            "cudaStreamCreateWithPriority has it.",
            stream.name, asked, device.name, device.lowest_priority, device.highest_priority, stream.priority)});
  }
  return notes;
}

}  // namespace streamscope::device
