#include "engine/device/cuda/cupti/cupti_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "engine/device/blank_trace.h"
#include "engine/reconstruct/reconstruct.h"

namespace streamscope::cuda {

Result<std::unique_ptr<CuptiPass>> CuptiPass::make(std::shared_ptr<CudaContext> context,
                                                   const program::Program& program, const trace::Trace& frame,
                                                   const IssueTargets& targets) {
  auto recorder = TRY(CuptiRecorder::open(context));
  std::unique_ptr<CuptiPass> made(new CuptiPass);
  CuptiPass& on = *made;
  on.context_ = std::move(context);
  on.recorder_ = std::move(recorder);
  on.program_ = &program;
  on.frame_ = &frame;
  on.slot_ = targets.slot;
  on.host_functions_ = targets.host_functions;
  on.dependencies_.emplace(program);
  on.calls_.resize(program.operations.size());
  on.no_events_.resize(program.operations.size(), nullptr);
  on.carried_ = IssueInstruments{on.calls_, nullptr, on.no_events_, &on.issued_};
  return made;
}

Result<void> CuptiPass::arm() {
  std::fill(calls_.begin(), calls_.end(), HostCall{});
  issued_.reset();
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
  ++passes_;
  lost_ += recording.lost;
  if (recording.shift != 0) ++moved_;
  farthest_ = std::max(farthest_, std::abs(recording.shift));
  const Nanoseconds zero = calls_.front().begin;
  const auto on_axis = [zero](Nanoseconds time) { return known(time) ? time - zero : kAbsent; };

  std::vector<device::Observed> observed(program_->operations.size());
  for (std::size_t i = 0; i < observed.size(); ++i) {
    device::Observed& seen = observed[i];
    seen.host_begin = on_axis(calls_[i].begin);
    seen.host_end = on_axis(calls_[i].end);
    seen.polls = calls_[i].polls;
    if (!std::holds_alternative<program::op::HostFunction>(program_->operations[i].work)) continue;
    seen.start = on_axis(host_functions_[slot_[i]].begin);
    seen.end = on_axis(host_functions_[slot_[i]].end);
    seen.source = trace::Source::host;
  }
  const auto uncertainty = static_cast<std::uint32_t>(std::clamp<Nanoseconds>(recording.uncertainty, 0, 0xFFFFFFFF));
  const reconstruct::MatchedActivities matched =
      reconstruct::match_activities(*program_, recording.records, zero, uncertainty, observed);
  if (const std::size_t unknown = matched.missing + matched.contradicting; unknown > 0 && unknown_.empty()) {
    unknown_ = fmt::format(
        "CUPTI left {} of {} operations on the device without times: no record came of {}, one that does not fit of "
        "{}; the first is {}.",
        unknown, unknown + matched.found, matched.missing, matched.contradicting,
        program::describe(*program_, matched.first_unknown));
  }
  pass.spans = device::blank_spans(*program_, *frame_);
  reconstruct::reconstruct(*program_, *dependencies_, observed, pass.spans, {context_->dispatch, on_axis(opened)});
  pass.begin = zero;
  pass.clock_uncertainty = recording.uncertainty;
  return {};
}

trace::Notes CuptiPass::notes() const {
  trace::Notes notes;
  if (!unknown_.empty()) notes.push_back({trace::NoteKind::instrument, unknown_});
  if (lost_ > 0)
    notes.push_back({trace::NoteKind::instrument,
                     fmt::format("CUPTI lost {} records in {} passes, having no room for them.", lost_, passes_)});
  if (moved_ > 0) {
    notes.push_back(
        {trace::NoteKind::instrument, fmt::format("In {} of {} passes CUPTI's device times contradicted the host's "
                                                  "clock; they were moved, by {} ns at the most.",
                                                  moved_, passes_, farthest_)});
  }
  return notes;
}

std::string CuptiPass::clock() const {
  return fmt::format("host CLOCK_MONOTONIC; device by CUPTI {}'s activity records, held between readings of it",
                     recorder_->version());
}

}  // namespace streamscope::cuda
