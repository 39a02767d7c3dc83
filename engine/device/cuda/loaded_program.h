// A program on a GPU: its memory, streams and events, and what it takes to run it again and again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/device/cuda/context.h"
#include "engine/device/cuda/cupti_pass.h"
#include "engine/device/cuda/gate.h"
#include "engine/device/cuda/graphs.h"
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
  void divide_among_threads();
  Result<void> make_graphs();
  // Puts the known pattern back where a run has changed it: on all host sides at first, later on those written only.
  Result<void> reset_data(bool all);
  Result<void> reset_shared(BufferId id, const std::string& doing);
  Result<void> warm_up();
  Result<void> wake_callbacks();
  Result<void> make_ready(const PassRequest& request);
  Result<void> read_instruments(const PassRequest& request, Pass& pass);
  Result<void> after_run(const Issued& issued, const std::stop_token& stop);
  void free_what_the_run_made() noexcept;
  IssueTargets targets();
  std::span<RepeatedHostFunction> repeated() const { return {repeated_.get(), slots_.host_function_nodes}; }
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
  std::vector<cudaStream_t> streams_;       // by StreamId; null for a lane of a graph
  std::vector<cudaStream_t> real_streams_;  // those that are streams of this thread's
  std::vector<UniqueEvent> owned_events_;
  std::vector<cudaEvent_t> events_;  // by EventId
  std::vector<std::vector<OperationIndex>> by_thread_;
  Slots slots_;
  std::vector<HostFunctionCall> host_functions_;      // by slot
  std::unique_ptr<RepeatedHostFunction[]> repeated_;  // of graphs' nodes
  ExecutableGraphs graphs_;
  std::vector<std::uint32_t> launched_;  // by GraphId: in this run
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

// What the GPU or its driver does not have at all: managed memory that both sides may touch, pools for cudaMallocAsync.
std::optional<std::string> lacking(const Program& program, const CudaContext& context);
// Why an instrument cannot see such a program; nothing where it can.
std::optional<std::string> not_to_be_seen(const Program& program, Instrument instrument);
bool allocates_in_streams(const Program& program);

}  // namespace streamscope
