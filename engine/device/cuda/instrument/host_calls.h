// The times of the host's calls in a pass, and of its host functions: what the host knows by itself, with nothing added
// on the device.
#pragma once

#include <vector>

#include "engine/device/cuda/instrument/pass_instrument.h"

namespace streamscope::cuda {

class HostCalls {
 public:
  explicit HostCalls(const Observable& observed);

  void reset();  // before each pass
  const IssueInstruments& carried() const { return carried_; }
  // Runs these graphs instead of the program's. By GraphId.
  void use_graphs(std::span<GraphTargets> graphs) { carried_.graphs = graphs; }
  std::span<const std::uint32_t> threads() const { return threads_; }  // by ThreadId: the system's ids
  Nanoseconds zero() const { return calls_.front().begin; }            // host clock at the first call of the pass
  Nanoseconds on_axis(Nanoseconds host) const { return known(host) ? host - zero() : kAbsent; }
  // By operation; nodes have the call of their launch.
  std::vector<device::Observed> observed() const;
  trace::Answers answers() const { return answers_.on_axis(zero()); }

 private:
  const program::Program& program_;
  std::span<const std::uint32_t> slot_;
  std::span<const HostFunctionCall> host_functions_;
  std::vector<HostCall> calls_;
  std::vector<cudaEvent_t> no_events_;
  IssueProgress issued_;
  std::vector<std::uint32_t> threads_;
  AnswerLog answers_;
  IssueInstruments carried_;
};

}  // namespace streamscope::cuda
