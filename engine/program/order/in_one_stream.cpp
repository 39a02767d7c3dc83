#include "engine/program/order/in_one_stream.h"

#include <utility>
#include <vector>

namespace streamscope::program {
namespace {

constexpr StreamId kOnly{2};  // behind the default stream and the per-thread one

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
void move_host_wait(Work& work) {
  if (auto* sync = std::get_if<op::SyncStream>(&work)) sync->stream = kOnly;
  if (auto* poll = std::get_if<op::PollStream>(&work)) poll->stream = kOnly;
}

Graph in_one_stream(const Graph& graph) {
  Graph out = graph;
  out.origin = kOnly;
  out.mode = CaptureMode::thread_local_;
  out.captured_in_run = false;
  out.body.clear();
  out.nodes.clear();
  for (Operation operation : graph.body) {
    if (!stays(operation.work)) continue;
    operation.stream = kOnly;
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

std::optional<Program> in_one_stream(const Program& program) {
  if (device_count(program) > 1 || fails_on_purpose(program)) return std::nullopt;
  Program out;
  out.buffers = program.buffers;
  out.streams = {program.streams[0], program.streams[1], {.name = "serial"}};
  out.events = program.events;
  for (Event& event : out.events) event.made_in_run = false;
  for (const Graph& graph : program.graphs) out.graphs.push_back(in_one_stream(graph));
  out.kernels = program.kernels;
  out.own_kernels = program.own_kernels;
  out.own_lines = program.own_lines;
  out.arguments = program.arguments;

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
    now[i] = static_cast<OperationIndex>(out.operations.size());
    if (operation.stream) operation.stream = kOnly;
    if (is_blocking_copy(operation.work)) operation.stream.reset();  // in the legacy stream, which keeps to `kOnly`
    operation.thread = ThreadId{0};
    if (operation.launch != kNoOperation) operation.launch = now[operation.launch];
    if (const OperationIndex record = record_of(operation.work); record != kNoOperation)
      set_record(operation.work, now[record]);
    move_host_wait(operation.work);
    out.operations.push_back(std::move(operation));
  }
  return out;
}

}  // namespace streamscope::program
