// The instrumentation of a run, and what is read from it afterwards.
//
// A kernel writes its own time stamps and has no event; a copy or a memset has one event, behind it; a host function
// reads the host clock; a record, a wait and host work have nothing. In a full pass a thread watches the events fire,
// and they carry no time, which would cost microseconds each; in a sampled pass some of the events carry times and no
// thread watches. In a graph, kernels and host functions do the same once for each launch; its copies and memsets have
// nothing, and one event behind the launch shows when all of it has ended. Everything is created before the run, once
// for each program.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/device/cuda/instrument/gpu_instruments.h"
#include "engine/device/cuda/instrument/pass_instrument.h"
#include "engine/device/cuda/issue/graphs.h"
#include "engine/device/cuda/issue/issue_targets.h"
#include "engine/reconstruct/reconstruct.h"

namespace streamscope::cuda {

class Instruments final : public PassInstrument {
 public:
  static Result<std::unique_ptr<PassInstrument>> make(const Observable& observed);

  // Ties the clocks, clears stamps and notes of calls, and starts the watching threads if there are any.
  Result<void> arm(const device::PassRequest& request) override;
  const IssueInstruments& carried() const override { return carried_; }
  // Of full passes only: a sampled one has no spans.
  std::unique_ptr<LiveView> watch(const device::SpanSink& sink) override;
  void disarm() noexcept override;
  Result<void> finish(device::Pass& pass, Nanoseconds opened) override;
  std::string clock(std::string_view device) const override;
  std::span<const Nanoseconds> clock_uncertainties() const override { return clock_uncertainties_; }
  trace::Notes notes() const override;

  // Reads what has happened so far of the first `issued` operations; `all_done`: the devices are idle again. A value
  // once read does not change. May run beside the issuing thread if there is only one.
  Result<void> look(std::size_t issued, bool all_done);
  std::size_t issued() const { return issued_.below(ThreadId{0}); }
  // What look() has read, by operation.
  const std::vector<device::Observed>& observed() const { return observed_; }
  // The spans computed from it; see reconstruct(). Not while a gate is closed.
  std::span<const trace::Span> spans();
  const program::Program& program() const { return *program_; }
  const program::Dependencies& dependencies() const { return *dependencies_; }

  // For a thread that observes the run. use() makes the first device current for the calling thread; held(): a gate is
  // still closed; seen_until(): look() will see whatever happened before this time, host clock.
  Result<void> use() const { return gpus_.front()->context().use(); }
  bool held() const { return gated_ && !known(opened_.load(std::memory_order_acquire)); }
  Nanoseconds seen_until() const;

  // Host clock at the first call: the trace's zero. Valid once the first operation has been issued.
  Nanoseconds zero() const { return calls_.front().begin; }

 private:
  explicit Instruments(const Observable& observed);
  device::Circumstances circumstances() const;
  // After the run, with the devices idle: the stages that blocks recorded, if the pass asked for them.
  Result<trace::Stages> stages();
  // `each` for every GPU, which is current then; the first one afterwards.
  Result<void> on_each(const std::function<Result<void>(GpuInstruments&)>& each) const;
  // That carries an operation out; that of its end event.
  const GpuInstruments& gpu_of(std::size_t operation) const { return *gpus_[device_of_[operation]]; }
  GpuInstruments& gpu_of_event(std::size_t operation) const { return *gpus_[event_of_[operation]]; }
  Result<void> make_events(bool timing, std::vector<UniqueEvent>& owned, std::vector<cudaEvent_t>& by_operation);
  // outlived.cpp
  void finish_without_device(device::Pass& pass);
  void note_what_is_left(std::size_t i);
  Result<void> choose_events(const device::PassRequest& request);
  Result<void> choose_stages(const device::PassRequest& request);
  Result<void> find_what_ended(std::size_t issued, bool all_done);
  Result<bool> read_timing_event(std::size_t i, bool ended);
  bool read_sighting(std::size_t i);
  void note(std::size_t i);
  void note_node(std::size_t i);
  bool failed(std::size_t i) const;
  bool has_ended(std::size_t i) const;
  void note_kernel(std::size_t i, std::size_t slot, bool ended, device::Observed& seen) const;
  void note_host_function(std::size_t slot, device::Observed& seen) const;
  bool settled(std::size_t i) const;

  std::vector<std::unique_ptr<GpuInstruments>> gpus_;  // by DeviceId
  std::span<const std::uint8_t> device_of_;
  std::vector<std::uint8_t> event_of_;  // by operation: the device of its end event, which is its stream's
  HostClock host_clock_ = nullptr;
  const program::Program* program_ = nullptr;
  const Gpus all_gpus_;
  std::vector<Nanoseconds> clock_uncertainties_;
  std::span<const std::uint32_t> slot_;
  std::size_t slots_ = 0;    // of stamps
  ExecutableGraphs graphs_;  // their kernels write stamps
  std::span<const HostFunctionCall> host_functions_;
  std::span<const cudaStream_t> streams_;
  std::optional<program::Dependencies> dependencies_;

  std::vector<UniqueEvent> owned_timing_, owned_watched_;
  std::vector<cudaEvent_t> timing_events_, watched_events_;  // by operation; empty until a pass needs them
  std::vector<cudaEvent_t> end_events_;                      // by operation: those of this pass
  bool sampled_ = false, watching_ = false;                  // in this pass
  bool timed_by_events_ = false;                             // in a full pass so far
  bool outlives_ = false;                                    // there is no device behind a pass
  std::vector<std::uint8_t> may_go_on_;       // then: by operation, whether it is a kernel of several blocks
  std::vector<kernels::Stamp*> stamps_;       // by DeviceId
  std::vector<kernels::StagesTo> stages_to_;  // by slot; empty: none are recorded in this pass
  std::vector<HostCall> calls_;
  std::unique_ptr<AnswerLog> answers_;  // stays where it is, for what is carried points to it
  IssueProgress issued_;
  bool gated_ = false;                         // in this pass
  std::atomic<Nanoseconds> opened_ = kAbsent;  // host clock
  IssueInstruments carried_;
  bool looked_ = false;                    // while it went on
  std::vector<std::uint8_t> has_end_;      // by operation: its end is observed, not computed from others
  std::vector<std::size_t> ended_before_;  // by stream: its operations with smaller indices have ended
  std::size_t first_pending_ = 0;          // everything is known of the operations before it
  std::vector<device::Observed> observed_;
  // Of the calls, where several threads issue or a launch failed; empty: that of the program.
  std::vector<OperationIndex> order_;
  std::vector<trace::Span> spans_;
};

// Whether an instrumented run may put an event behind the operation.
bool has_end_event(const program::Program& program, const program::Operation& operation);

}  // namespace streamscope::cuda
