#include "engine/program/check/check.h"

#include <fmt/format.h>

#include "engine/base/translate.h"
#include "engine/program/check/expansion.h"

namespace streamscope::program {
namespace {

// What CUDA says of an event that was never recorded: docs/cuda-rules.md 5.
void warn_of_unrecorded_events(Expansion& expansion) {
  for (const auto& [location, one] : expansion.unrecorded) {
    if (one.found) continue;
    std::string text;
    switch (one.asks) {
      case syntax::Verb::elapsed:
        text =
            tr("no record of '{}' comes before this line, so cudaEventElapsedTime returns "
               "cudaErrorInvalidResourceHandle; put a `record {}` before it",
               one.event, one.event);
        break;
      case syntax::Verb::query:
      case syntax::Verb::poll:
        text =
            tr("no record of '{}' comes before this line, so the answer is at once that it is done; put a "
               "`record {}` before it",
               one.event, one.event);
        break;
      default:
        text =
            tr("no record of '{}' comes before this line, so it waits for nothing; put a "
               "`record {}` before it",
               one.event, one.event);
    }
    expansion.diagnostics.warning(location, std::move(text));
  }
}

void warn_of_answers_that_nobody_sees(Expansion& expansion) {
  for (const Graph& graph : expansion.program.graphs) {
    if (graph.captured_in_run) continue;
    for (const Operation& call : graph.body) {
      if (std::holds_alternative<op::CaptureInfo>(call.work))
        expansion.diagnostics.warning({call.line, 1},
                                      tr("'{}' is captured before the run, where nobody sees what this is told; write "
                                         "`host: capture {}` before its first launch",
                                         graph.name, graph.name));
    }
  }
}

// Joins what is not joined, then waits for the devices; `current`: that of the main thread.
void end_all_threads_and_synchronise(Program& program, DeviceId current) {
  auto& operations = program.operations;
  std::vector<bool> joined(program.threads.size(), false);
  joined[0] = true;
  if (program.threads.size() > 1) {
    for (const Operation& operation : operations) {
      if (const auto* join = std::get_if<op::JoinThread>(&operation.work)) joined[join->thread.value] = true;
    }
  }
  for (std::uint32_t thread = 0; thread < joined.size(); ++thread) {
    if (!joined[thread]) operations.push_back({op::JoinThread{ThreadId{thread}}, std::nullopt, ThreadId{0}, 0});
  }
  const auto devices = static_cast<std::uint32_t>(device_count(program));
  if (devices == 1 && !operations.empty() && operations.back().thread == ThreadId{0} &&
      std::holds_alternative<op::SyncDevice>(operations.back().work)) {
    return;
  }
  // The current one first.
  for (std::uint32_t i = 0; i < devices; ++i) {
    const DeviceId device{i == 0 ? current.value : i <= current.value ? i - 1 : i};
    if (i > 0) operations.push_back({op::SetDevice{device}, std::nullopt, ThreadId{0}, 0});
    operations.push_back({op::SyncDevice{device}, std::nullopt, ThreadId{0}, 0});
  }
}

// It takes what was made on one device, and what was made on another stays: that is not told apart here.
void refuse_reset_beside_other_devices(Expansion& expansion) {
  if (device_count(expansion.program) == 1) return;
  for (const Operation& operation : expansion.program.operations) {
    if (!std::holds_alternative<op::Reset>(operation.work)) continue;
    return expansion.diagnostics.error(
        {operation.line, 1}, tr("`reset` is of programs on one device; leave out what names another, or this line"));
  }
}

}  // namespace

Checked check(const Syntax& syntax, Warnings warnings) {
  Checked checked;
  Expansion expansion(checked.diagnostics);
  expand(expansion, syntax);
  expansion.symbols.finish(expansion.diagnostics);
  refuse_reset_beside_other_devices(expansion);
  check_captures_beside_others(expansion);
  if (warnings == Warnings::all && !expansion.diagnostics.failed()) {
    if (expansion.program.operations.empty()) {
      expansion.diagnostics.warning({1, 1}, tr("the program does nothing; write for example `default: spin 100us`"));
    }
    warn_of_unrecorded_events(expansion);
    warn_of_answers_that_nobody_sees(expansion);
    warn_of_missing_order(expansion.program, syntax, expansion.diagnostics);
  }
  end_all_threads_and_synchronise(expansion.program, expansion.device);
  checked.program = std::move(expansion.program);
  sort_by_location(checked.diagnostics);
  return checked;
}

}  // namespace streamscope::program
