#include "engine/program/order/in_one_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace streamscope::program {
namespace {

// The one stream of a device stands behind the default stream and the per-thread one, those of all devices in a row.
constexpr std::uint32_t kFirst = 2;
StreamId only_of(DeviceId device) { return {kFirst + device.value}; }

bool only_orders(const Work& work) {
  return std::holds_alternative<op::Record>(work) || std::holds_alternative<op::Wait>(work);
}
// Of a graph's body. An external record stays, for the host may wait for it.
bool stays(const Work& work) { return becomes_node(work) && !std::holds_alternative<op::Wait>(work); }
bool is_chain(const Graph& graph) {
  for (std::uint32_t node = 0; node < graph.nodes.size(); ++node) {
    const std::vector<std::uint32_t>& after = graph.nodes[node].after;
    if (node == 0 ? !after.empty() : after != std::vector{node - 1}) return false;
  }
  return true;
}

// The record that the host waits for; kNoOperation: none.
OperationIndex record_of(const Work& work) {
  if (const auto* sync = std::get_if<op::SyncEvent>(&work)) return sync->record;
  if (const auto* poll = std::get_if<op::PollEvent>(&work)) return poll->record;
  return kNoOperation;
}
void set_record(Work& work, OperationIndex record) {
  if (auto* sync = std::get_if<op::SyncEvent>(&work)) sync->record = record;
  if (auto* poll = std::get_if<op::PollEvent>(&work)) poll->record = record;
}
void move_host_wait(const Program& from, Work& work) {
  const auto move = [&](StreamId& stream) { stream = only_of(from.streams[stream.value].device); };
  if (auto* sync = std::get_if<op::SyncStream>(&work)) move(sync->stream);
  if (auto* poll = std::get_if<op::PollStream>(&work)) move(poll->stream);
}

Graph in_one_stream(const Program& program, const Graph& graph) {
  Graph out = graph;
  const StreamId only = only_of(program.streams[graph.origin.value].device);
  out.origin = only;
  out.mode = CaptureMode::thread_local_;
  out.captured_in_run = false;
  out.body.clear();
  out.nodes.clear();
  for (Operation operation : graph.body) {
    if (!stays(operation.work)) continue;
    operation.stream = only;
    operation.thread = ThreadId{0};
    const auto node = static_cast<std::uint32_t>(out.nodes.size());
    out.nodes.push_back({node, node == 0 ? std::vector<std::uint32_t>{} : std::vector{node - 1}});
    out.body.push_back(std::move(operation));
  }
  return out;
}

}  // namespace

bool is_in_one_stream(const Program& program) {
  if (program.threads.size() > 1 || device_count(program) > 1) return false;
  std::optional<StreamId> only;
  for (const Operation& operation : program.operations) {
    const auto stream = operation.launch == kNoOperation ? ordered_in(operation) : std::nullopt;
    if (!stream) continue;
    if (only && *only != *stream) return false;
    only = stream;
    const auto* launch = std::get_if<op::Launch>(&operation.work);
    if (launch != nullptr && !is_chain(program.graphs[launch->graph.value])) return false;
  }
  return true;
}

namespace {

// Whether the call is of the device that is current for its thread, in one stream as well: it names none.
bool is_of_current_device(const Work& work) {
  return std::holds_alternative<op::SyncDevice>(work) || std::holds_alternative<op::Malloc>(work) ||
         is_blocking_copy(work);
}

// Threads have a current device each, which begins with the first; as one thread they have main's.
bool may_be_one_thread(const Program& program) {
  DeviceId current;
  for (const Operation& one : program.operations) {
    const auto* const set = std::get_if<op::SetDevice>(&one.work);
    if (one.thread == ThreadId{0}) {
      if (set != nullptr) current = set->device;
    } else if (set != nullptr || (current != DeviceId{} && is_of_current_device(one.work))) {
      return false;
    }
  }
  return true;
}

// Of each device one, and for its blocking copies its legacy default stream.
std::vector<Stream> one_stream_each(const Program& program) {
  std::vector<Stream> out{program.streams[0], program.streams[1]};
  const auto devices = static_cast<std::uint32_t>(device_count(program));
  for (std::uint32_t device = 0; device < devices; ++device)
    out.push_back({.name = device == 0 ? "serial" : fmt::format("serial@{}", device), .device = {device}});
  for (std::uint32_t device = 1; device < devices; ++device)
    out.push_back({.name = fmt::format("default@{}", device), .device = {device}, .legacy = true});
  return out;
}

}  // namespace

std::optional<Program> in_one_stream(const Program& program) {
  if (fails_on_purpose(program) || !may_be_one_thread(program)) return std::nullopt;
  Program out;
  out.buffers = program.buffers;
  out.streams = one_stream_each(program);
  out.events = program.events;
  for (Event& event : out.events) event.made_in_run = false;
  for (const Graph& graph : program.graphs) out.graphs.push_back(in_one_stream(program, graph));
  out.kernels = program.kernels;
  out.own_kernels = program.own_kernels;
  out.own_lines = program.own_lines;
  out.arguments = program.arguments;

  // Where the device changes, what comes waits for what went before.
  const std::vector<std::optional<StreamId>> legacy = legacy_streams(out);
  std::optional<DeviceId> at;
  const auto go_on = [&](DeviceId device) {
    const std::optional<DeviceId> from = std::exchange(at, device);
    if (!from || *from == device) return;
    const EventId event{static_cast<std::uint32_t>(out.events.size())};
    out.events.push_back({.name = fmt::format("turn{}", event.value), .timing = false, .device = *from});
    const auto record = static_cast<OperationIndex>(out.operations.size());
    const auto add = [&](DeviceId its, Work work) {
      Operation operation;
      operation.work = work;
      operation.stream = only_of(its);
      out.operations.push_back(std::move(operation));
    };
    add(*from, op::Record{event});
    add(device, op::Wait{event, record});
  };

  std::vector<bool> awaited(program.operations.size(), false);  // of records
  for (const Operation& operation : program.operations) {
    if (const OperationIndex record = record_of(operation.work); record != kNoOperation) awaited[record] = true;
  }
  std::vector<OperationIndex> now(program.operations.size(), kNoOperation);
  for (OperationIndex i = 0; i < program.operations.size(); ++i) {
    const Work& work = program.operations[i].work;
    if (std::holds_alternative<op::StartThread>(work) || std::holds_alternative<op::JoinThread>(work)) continue;
    if (program.operations[i].launch != kNoOperation ? !stays(work) : only_orders(work) && !awaited[i]) continue;
    // They ask, and change nothing.
    if (std::holds_alternative<op::Elapsed>(work) || std::holds_alternative<op::Attributes>(work)) continue;
    if (std::holds_alternative<op::LastError>(work) || std::holds_alternative<op::CaptureInfo>(work)) continue;
    if (kind(work) == OperationKind::create || kind(work) == OperationKind::destroy) continue;
    Operation operation = program.operations[i];
    if (const auto stream = ordered_in(operation); stream && operation.launch == kNoOperation) {
      const DeviceId device = program.streams[stream->value].device;
      go_on(device);
      operation.stream = only_of(device);
      // In the legacy stream, which keeps to the one stream; that of the first device it has without being named.
      if (is_blocking_copy(work)) operation.stream = device == DeviceId{} ? std::nullopt : legacy[device.value];
    } else if (operation.stream) {
      operation.stream = only_of(program.streams[operation.stream->value].device);
    }
    now[i] = static_cast<OperationIndex>(out.operations.size());
    operation.thread = ThreadId{0};
    if (operation.launch != kNoOperation) operation.launch = now[operation.launch];
    if (const OperationIndex record = record_of(operation.work); record != kNoOperation)
      set_record(operation.work, now[record]);
    move_host_wait(program, operation.work);
    out.operations.push_back(std::move(operation));
  }
  return out;
}

}  // namespace streamscope::program
