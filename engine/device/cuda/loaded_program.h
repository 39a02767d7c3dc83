// A program on a GPU: its memory, streams and events, and what it takes to run it again and again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/device/cuda/context.h"
#include "engine/device/cuda/cupti_pass.h"
#include "engine/device/cuda/gate.h"
#include "engine/device/cuda/health.h"
#include "engine/device/cuda/instrument.h"
#include "engine/device/device.h"

namespace streamscope {

class CudaProgram final : public LoadedProgram {
 public:
  static Result<std::unique_ptr<CudaProgram>> load(std::shared_ptr<CudaContext> context, const Program& program,
                                                   const LoadOptions& options);
  ~CudaProgram() override;

  Result<void> can(const PassRequest& request) const override;
  Result<Pass> run(const PassRequest& request, const RunControl& control) override;
  Result<std::optional<bool>> verify() override;
  const Trace& frame() const override { return frame_; }
  std::vector<std::string> notes() const override;

  // The two sides of a buffer as the last run left them; null where it has none.
  char* host_side(BufferId buffer) const { return host_views_[buffer.value]; }
  char* device_side(BufferId buffer) const { return device_views_[buffer.value]; }
  const Program& program() const { return program_; }

 private:
  CudaProgram(std::shared_ptr<CudaContext> context, const Program& program)
      : context_(std::move(context)), program_(program) {}

  Result<void> make_buffers();
  Result<void> make_streams_and_events();
  void make_slots();
  // Puts the known pattern back where a run has changed it: on all host sides at first, later on those written only.
  Result<void> reset_data(bool all);
  Result<void> warm_up();
  Result<void> make_ready(const PassRequest& request);
  Result<void> read_instruments(const PassRequest& request, Pass& pass);
  Result<void> after_run(const Issued& issued, const std::stop_token& stop);
  void free_what_the_run_made() noexcept;
  IssueTargets targets();
  void note(std::string text);

  std::shared_ptr<CudaContext> context_;
  const Program& program_;
  Trace frame_;
  std::string own_clock_;  // of the frame's provenance, where CUPTI does not tell the times
  std::vector<std::string> notes_;

  std::vector<Memory> memory_;
  std::vector<char*> host_views_, device_views_;  // by BufferId
  std::vector<bool> host_written_;                // by BufferId: a run changes the host side
  std::vector<UniqueStream> owned_streams_;
  std::vector<cudaStream_t> streams_;  // by StreamId
  std::vector<UniqueEvent> owned_events_;
  std::vector<cudaEvent_t> events_;  // by EventId
  std::vector<std::uint32_t> slot_;  // by operation: of its stamp or its host function
  std::size_t kernels_ = 0;
  std::vector<HostFunctionCall> host_functions_;
  std::atomic<bool> abandoned_ = false;
  std::unique_ptr<Instruments> instruments_;  // from the first instrumented run on
  std::unique_ptr<CuptiPass> cupti_;          // from the first run with CUPTI on
  std::unique_ptr<Gate> gate_;                // from the first gated run on
  std::unique_ptr<HealthWatch> health_;       // null where nothing tells
  bool has_run_ = false;
};

// What the device cannot do, by line; nothing where it can. `free_bytes` of memory are to be had, and
// `host_free_bytes` on the host: Linux hands out more than there is, and then ends the process that uses it.
std::optional<std::string> beyond_device(const Program& program, const DeviceInfo& info, std::uint64_t free_bytes,
                                         Nanoseconds cycle_picoseconds, const LoadOptions& options,
                                         std::uint64_t host_free_bytes = ~0ull);

}  // namespace streamscope
