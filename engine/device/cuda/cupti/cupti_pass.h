// A pass observed by CUPTI alone: without events and stamps; host calls are noted, the rest comes from CUPTI's records.
#pragma once

#include <memory>
#include <string>

#include "engine/device/cuda/cupti/cupti_recorder.h"
#include "engine/device/cuda/instrument/host_calls.h"
#include "engine/device/cuda/issue/graphs.h"

namespace streamscope::cuda {

class CuptiPass final : public PassInstrument {
 public:
  // Error bad_input if there is no usable CUPTI.
  static Result<std::unique_ptr<PassInstrument>> make(const Observable& observed);

  // CUPTI records until finish() or disarm().
  Result<void> arm(const device::PassRequest& request) override;
  const IssueInstruments& carried() const override { return calls_.carried(); }
  // Operations without a fitting record have no times, and a note says how many.
  Result<void> finish(device::Pass& pass, Nanoseconds opened) override;
  void disarm() noexcept override;
  std::string clock(std::string_view device) const override;
  std::span<const Nanoseconds> clock_uncertainties() const override { return clock_uncertainties_; }
  trace::Notes notes() const override;

 private:
  CuptiPass(const Observable& observed, std::unique_ptr<CuptiRecorder> recorder)
      : observed_(observed), recorder_(std::move(recorder)), calls_(observed) {}
  Result<void> make_graphs();

  const Observable observed_;
  std::unique_ptr<CuptiRecorder> recorder_;
  bool armed_ = false;
  HostCalls calls_;
  ExecutableGraphs graphs_;                              // instantiated under CUPTI's eyes
  std::vector<std::vector<std::uint64_t>> graph_nodes_;  // what it calls their nodes; by GraphId, by node

  std::vector<Nanoseconds> clock_uncertainties_;

  // Of all passes.
  int passes_ = 0, moved_ = 0;
  Nanoseconds farthest_ = 0;  // that CUPTI's times were moved
  std::size_t lost_ = 0;
  std::string unknown_;  // of the first pass that left operations without times
};

}  // namespace streamscope::cuda
