// A program loaded on the GPUs that it names: its memory, streams, events and instruments, ready to be run repeatedly.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/stop_flag.h"
#include "engine/device/cuda/instrument/pass_instrument.h"
#include "engine/device/cuda/issue/gate.h"
#include "engine/device/cuda/issue/graphs.h"
#include "engine/device/cuda/issue/host_functions.h"
#include "engine/device/cuda/issue/issue.h"
#include "engine/device/cuda/issue/slots.h"
#include "engine/device/cuda/runtime/buffers.h"
#include "engine/device/cuda/runtime/gpu_health.h"
#include "engine/device/cuda/runtime/gpus.h"
#include "engine/device/cuda/runtime/streams.h"
#include "engine/device/device.h"

namespace streamscope::cuda {

class CudaProgram final : public device::LoadedProgram {
 public:
  // `gpus`: as many as the program names, or more. Error no_device where there are fewer.
  static Result<std::unique_ptr<CudaProgram>> load(const Gpus& gpus, const program::Program& program,
                                                   const device::LoadOptions& options);
  ~CudaProgram() override;

  Result<void> can(const device::PassRequest& request) const override;
  Result<device::Pass> run(const device::PassRequest& request, const device::RunControl& control) override;
  Result<std::optional<bool>> verify() override;
  const trace::Trace& frame() const override { return frame_; }
  trace::Notes notes() const override;

  // The two sides of a buffer as the last run left them; null if it has no such side.
  char* host_side(BufferId buffer) const { return buffers_.host()[buffer.value]; }
  char* device_side(BufferId buffer) const { return buffers_.device({})[buffer.value]; }
  const program::Program& program() const { return program_; }

 private:
  CudaProgram(Gpus gpus, const program::Program& program, ProgramBuffers buffers, ProgramStreams streams);

  Result<void> make_kernels(const device::LoadOptions& options);
  Result<void> make_graphs();
  // The instrument of such a pass, made where it is the first of its sort; null for a bare one.
  Result<PassInstrument*> instrument_of(const device::PassRequest& request);
  Result<device::Pass> run_once(const device::PassRequest& request, const device::RunControl& control);
  Result<void> make_ready(const device::PassRequest& request, PassInstrument* with);
  Result<void> after_run(const Issued& issued, const StopFlag& stop);
  // Ends peer access that the run turned on and not off.
  void end_peer_access() noexcept;
  void end_spins() const noexcept;
  // Waits for all GPUs, as far as they can still be waited for: the first error.
  cudaError_t wait_for_all() const noexcept;
  IssueTargets targets();
  void note(trace::NoteKind kind, std::string text);

  Gpus gpus_;
  const program::Program& program_;
  trace::Trace frame_;
  std::vector<std::string> own_clocks_;  // by DeviceId: of the device, and how it is tied to the host's
  trace::Notes notes_;

  ProgramBuffers buffers_;
  ProgramStreams streams_;
  std::vector<std::vector<std::unique_ptr<kernels::Launcher>>> kernels_;  // by DeviceId, by Program::kernels
  std::vector<DeviceTargets> on_devices_;
  std::vector<std::uint8_t> device_of_;  // by operation; see IssueTargets
  std::vector<std::uint8_t> peers_;      // see IssueTargets
  std::vector<std::vector<OperationIndex>> by_thread_;
  Slots slots_;
  std::atomic<bool> abandoned_ = false;
  HostFunctions host_functions_;
  ExecutableGraphs graphs_;
  std::vector<std::uint32_t> launched_;  // by GraphId: in this run
  std::map<device::Instrument, std::unique_ptr<PassInstrument>> instruments_;
  std::unique_ptr<Gate> gate_;                        // from the first gated run on
  std::vector<std::unique_ptr<HealthWatch>> health_;  // by DeviceId; null without NVML
  bool has_run_ = false, was_reset_ = false;
  Nanoseconds own_limit_ = device::kOwnLimit;
};

}  // namespace streamscope::cuda
