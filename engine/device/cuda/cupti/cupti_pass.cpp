#include "engine/device/cuda/cupti/cupti_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "engine/base/translate.h"
#include "engine/device/blank_trace.h"
#include "engine/device/cuda/runtime/device_facts.h"
#include "engine/program/order/order.h"
#include "engine/reconstruct/reconstruct.h"

namespace streamscope::cuda {

Result<std::unique_ptr<PassInstrument>> CuptiPass::make(const Observable& observed) {
  auto recorder = TRY(CuptiRecorder::open(observed.gpus));
  std::unique_ptr<CuptiPass> made(new CuptiPass(observed, std::move(recorder)));
  TRY(made->make_graphs());
  return made;
}

Result<void> CuptiPass::make_graphs() {
  const CuptiRecorder::GraphNodes names;
  graph_nodes_.resize(observed_.program.graphs.size());
  NodeNotes notes;
  notes.host_functions = observed_.repeated;
  notes.instantiated = [&](GraphId graph, std::span<const cudaGraphNode_t> nodes) {
    for (const cudaGraphNode_t node : nodes) graph_nodes_[graph.value].push_back(names.of(node));
  };
  graphs_ = TRY(ExecutableGraphs::make(observed_.targets, observed_.slots, notes, observed_.gpus.controls()));
  calls_.use_graphs(graphs_.views());
  return {};
}

Result<void> CuptiPass::arm(const device::PassRequest&) {
  calls_.reset();
  auto started = recorder_->start();
  armed_ = started.has_value();
  return started;
}

void CuptiPass::disarm() noexcept {
  if (!std::exchange(armed_, false)) return;
  try {
    (void)recorder_->stop();
  } catch (...) {  // no memory for an error; the recording has stopped anyway
  }
}

Result<void> CuptiPass::finish(device::Pass& pass, Nanoseconds opened) {
  armed_ = false;
  auto recording = TRY(recorder_->stop());
  const program::Program& program = observed_.program;
  ++passes_;
  lost_ += recording.lost;
  if (recording.shift != 0) ++moved_;
  farthest_ = std::max(farthest_, std::abs(recording.shift));
  std::vector<device::Observed> observed = calls_.observed();
  reconstruct::RecordNames names{{}, graph_nodes_};
  if (recording.names_threads) names.threads.assign(calls_.threads().begin(), calls_.threads().end());
  const reconstruct::MatchedActivities matched =
      reconstruct::match_activities(program, recording.records, names, calls_.zero(), observed);
  if (const std::size_t unknown = matched.missing + matched.contradicting; unknown > 0 && unknown_.empty()) {
    unknown_ =
        tr("CUPTI left {} of {} operations on the device without times: no record came of {}, one that does not fit of "
           "{}; the first is {}.",
           unknown, unknown + matched.found, matched.missing, matched.contradicting,
           program::describe(program, matched.first_unknown));
  }
  pass.spans = device::blank_spans(program, observed_.frame);
  std::vector<Nanoseconds> begins;
  for (const device::Observed& one : observed) begins.push_back(one.host_begin);
  const std::vector<OperationIndex> order = program::issue_order(program, begins);
  const auto failed = [&](OperationIndex i) { return observed[i].result != CallResult::success; };
  const program::Dependencies dependencies(program, program::without_failed_launches(program, order, failed));
  reconstruct::reconstruct(program, dependencies, observed, pass.spans,
                           circumstances_of(observed_.gpus, calls_.on_axis(opened)), order);
  pass.begin = calls_.zero();
  pass.answers = calls_.answers();
  pass.clock_uncertainty = recording.uncertainty;
  clock_uncertainties_ = std::move(recording.uncertainties);
  return {};
}

trace::Notes CuptiPass::notes() const {
  trace::Notes notes;
  if (!unknown_.empty()) notes.push_back({trace::NoteKind::instrument, unknown_});
  const program::Program& program = observed_.program;
  const auto prefetches = std::count_if(
      program.operations.begin(), program.operations.end(),
      [](const auto& operation) { return std::holds_alternative<program::op::Prefetch>(operation.work); });
  if (prefetches > 0) {
    notes.push_back({trace::NoteKind::instrument,
                     tr("CUPTI has no record of cudaMemPrefetchAsync: {} operations have no times; the instrument full "
                        "sees their ends.",
                        prefetches)});
  }
  if (lost_ > 0)
    notes.push_back({trace::NoteKind::instrument,
                     tr("CUPTI lost {} records in {} passes, having no room for them.", lost_, passes_)});
  if (moved_ > 0) {
    notes.push_back({trace::NoteKind::instrument, tr("In {} of {} passes CUPTI's device times contradicted the host's "
                                                     "clock; they were moved, by {} ns at the most.",
                                                     moved_, passes_, farthest_)});
  }
  return notes;
}

std::string CuptiPass::clock(std::string_view) const {
  return tr("host CLOCK_MONOTONIC; device by CUPTI {}'s activity records, held between readings of it",
            recorder_->version());
}

}  // namespace streamscope::cuda
