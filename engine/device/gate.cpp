#include "engine/device/gate.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/translate.h"
#include "engine/program/diagnostic.h"
#include "engine/program/order/order.h"

namespace streamscope::device {
namespace {

constexpr std::size_t kEntries = 2;  // in the queue: the operation, and an event behind it

// A launch is taken to need as much room as its nodes would one by one: it needs no more.
std::size_t entries(const program::Program& program, const program::Operation& operation) {
  const auto* launch = std::get_if<program::op::Launch>(&operation.work);
  return launch == nullptr ? kEntries : kEntries + program.graphs[launch->graph.value].nodes.size();
}

// Why the host can be held by this operation's call while the gate is closed; nothing where it cannot.
std::optional<std::string> holds_host(const program::Program& program, const program::Operation& operation) {
  const OperationKind is = program::kind(operation.work);
  if (is == OperationKind::sync) return tr("the host waits here for work that the gate holds");
  if (is == OperationKind::poll) return tr("the host asks here again and again for work that the gate holds");
  if (program::is_blocking_copy(operation.work)) {
    return tr("cudaMemcpy returns only once the copy is done (docs/cuda-rules.md, rule 10), and the gate holds it");
  }
  if (std::holds_alternative<program::op::CreateStream>(operation.work))
    return tr("a stream is made here, which the gate does not hold");
  if (std::holds_alternative<program::op::Free>(operation.work) || program::waits_unasked(program, operation.work))
    return tr("{} waits for the whole device (docs/cuda-rules.md, rule 4), and the gate holds it",
              program::label(program, operation.work));
  if (program::call_waits_for_copy(program, operation.work)) {
    return tr(
        "the host carries pageable memory through a staging buffer itself (docs/cuda-rules.md, rule 8), and the gate "
        "holds it");
  }
  return std::nullopt;
}

}  // namespace

Result<OperationIndex> gate_opens_before(const program::Program& program) {
  const auto& operations = program.operations;
  if (program.threads.size() > 1) {
    return fail(ErrorKind::bad_input,
                program::at_line(program.threads[1].line,
                                 tr("the gate opens when everything is queued, and with thread {} two host threads "
                                    "queue side by side; leave the gate out.",
                                    program.threads[1].name)));
  }
  std::size_t queued = operations.size();
  while (queued > 0 && !program::ordered_in(operations[queued - 1])) --queued;
  std::size_t opens = queued;
  while (opens < operations.size() && !holds_host(program, operations[opens])) ++opens;

  std::vector<std::size_t> held(program.streams.size(), 0);
  for (std::size_t i = 0; i < queued; ++i) {
    const program::Operation& operation = operations[i];
    if (const auto why = holds_host(program, operation)) {
      return fail(ErrorKind::bad_input,
                  program::at_line(operation.line,
                                   tr("the gate cannot hold {}: {}; leave the gate out, or move such operations behind "
                                      "everything that is queued.",
                                      program::describe(program, static_cast<OperationIndex>(i)), *why)));
    }
    if (operation.launch != kNoOperation) continue;  // counts with its launch
    const auto stream = program::ordered_in(operation);
    if (stream && (held[stream->value] += entries(program, operation)) > kMostHeldInStream) {
      return fail(
          ErrorKind::bad_input,
          program::at_line(operation.line,
                           tr("the gate can hold {} operations in a stream, and this is one more in {}: its call "
                              "would wait for room in the stream's queue, and the gate for the call; use fewer chunks "
                              "or more streams, or leave the gate out.",
                              kMostHeldInStream / kEntries, program.streams[stream->value].name)));
    }
  }
  return static_cast<OperationIndex>(opens);
}

}  // namespace streamscope::device
