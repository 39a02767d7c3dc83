// A pass observed by CUPTI alone: without events and stamps; host calls are noted, the rest comes from CUPTI's records.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "engine/device/cuda/cupti/cupti_recorder.h"
#include "engine/device/cuda/issue/issue_targets.h"
#include "engine/device/device.h"
#include "engine/program/order/order.h"

namespace streamscope::cuda {

class CuptiPass {
 public:
  // Error bad_input if there is no usable CUPTI. The program, its frame and what `targets` refers to must outlive this.
  static Result<std::unique_ptr<CuptiPass>> make(std::shared_ptr<CudaContext> context, const program::Program& program,
                                                 const trace::Trace& frame, const IssueTargets& targets);

  // Before the timed interval, with the device idle. CUPTI records until finish() or disarm().
  Result<void> arm();
  const IssueInstruments& carried() const { return carried_; }
  // With the device idle again: the pass's spans, their zero and their uncertainty. Operations without a fitting record
  // have no times, and a note says how many. `opened`: when the gate opened, host clock; kAbsent without one.
  Result<void> finish(device::Pass& pass, Nanoseconds opened = kAbsent);
  // Stops the recording if finish() will not be called; does nothing if there is none.
  void disarm() noexcept;

  // Notes on all passes so far, and a description of their clock.
  trace::Notes notes() const;
  std::string clock() const;

 private:
  CuptiPass() = default;

  std::shared_ptr<CudaContext> context_;
  std::unique_ptr<CuptiRecorder> recorder_;
  bool armed_ = false;
  const program::Program* program_ = nullptr;
  const trace::Trace* frame_ = nullptr;
  std::span<const std::uint32_t> slot_;
  std::span<const HostFunctionCall> host_functions_;
  std::optional<program::Dependencies> dependencies_;
  std::vector<HostCall> calls_;
  std::vector<cudaEvent_t> no_events_;
  IssueProgress issued_{1};
  IssueInstruments carried_;

  // Of all passes.
  int passes_ = 0, moved_ = 0;
  Nanoseconds farthest_ = 0;  // that CUPTI's times were moved
  std::size_t lost_ = 0;
  std::string unknown_;  // of the first pass that left operations without times
};

}  // namespace streamscope::cuda
