// A program's buffers: the memory of the host's side and of each GPU's, and the known pattern that every run starts
// from.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/device/cuda/runtime/gpus.h"
#include "engine/program/program.h"

namespace streamscope::cuda {

class ProgramBuffers {
 public:
  // Without the buffers that the run itself allocates. The program must outlive it.
  static Result<ProgramBuffers> make(Gpus gpus, const program::Program& program);

  // Writes the pattern: to all sides of all buffers; or only where a run has changed it.
  Result<void> fill() { return fill(true); }
  Result<void> fill_again() { return fill(false); }
  void free_what_the_run_made() noexcept;  // and registers its host memory no longer

  // By BufferId; null if there is no such side, or not yet.
  std::span<char* const> host() const { return host_; }
  std::span<char*> host() { return host_; }
  std::span<std::uint8_t> registered() { return registered_; }
  std::span<char* const> device(DeviceId of) const { return device_[of.value]; }
  std::span<char*> device(DeviceId of) { return device_[of.value]; }

 private:
  ProgramBuffers(Gpus gpus, const program::Program& program);
  Result<void> take_memory(BufferId id);
  Result<void> fill(bool all_hosts);
  Result<void> fill_on(DeviceId device, bool all_hosts);
  Result<void> fill_shared(BufferId id, const std::string& doing);

  Gpus gpus_;
  const program::Program* program_;
  std::vector<Memory> memory_;
  std::vector<char*> host_;
  std::vector<std::vector<char*>> device_;  // by DeviceId, by BufferId
  std::vector<std::uint8_t> registered_;    // by BufferId: the run has registered the host side
  std::vector<bool> host_written_;          // by BufferId: a run changes the host side
};

}  // namespace streamscope::cuda
