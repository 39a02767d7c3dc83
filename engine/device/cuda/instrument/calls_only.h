// The instrument that only counts the host's calls and notes how long each took.
#pragma once

#include "engine/base/translate.h"
#include "engine/device/blank_trace.h"
#include "engine/device/cuda/instrument/host_calls.h"

namespace streamscope::cuda {

class CallsOnly final : public PassInstrument {
 public:
  explicit CallsOnly(const Observable& observed)
      : program_(observed.program), frame_(observed.frame), calls_(observed) {}

  Result<void> arm(const device::PassRequest&) override {
    calls_.reset();
    return {};
  }
  const IssueInstruments& carried() const override { return calls_.carried(); }
  Result<void> finish(device::Pass& pass, Nanoseconds) override {
    const std::vector<device::Observed> observed = calls_.observed();
    pass.spans = device::blank_spans(program_, frame_);
    for (std::size_t i = 0; i < pass.spans.size(); ++i) {
      if (program_.operations[i].launch != kNoOperation) continue;  // the call is its launch's
      pass.spans[i].host_begin = observed[i].host_begin;
      pass.spans[i].host_end = observed[i].host_end;
      pass.spans[i].polls = observed[i].polls;
      pass.spans[i].result = observed[i].result;
      pass.spans[i].elapsed = observed[i].elapsed;
    }
    pass.begin = calls_.zero();
    pass.answers = calls_.answers();
    return {};
  }
  std::string clock(std::string_view) const override { return tr("host CLOCK_MONOTONIC"); }

 private:
  const program::Program& program_;
  const trace::Trace& frame_;
  HostCalls calls_;
};

}  // namespace streamscope::cuda
