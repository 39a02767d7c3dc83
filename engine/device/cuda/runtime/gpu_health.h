// Conditions that disturb a measurement: a GPU clock that is held down, other processes that use the GPU.
//
// Read through NVML, the driver library behind nvidia-smi, loaded on first use. If it is missing, or does not report
// something (virtual GPUs report little), there is no note. A reading takes about a millisecond and is only made
// between passes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/time.h"
#include "engine/trace/trace.h"

namespace streamscope::cuda {

// A reading of NVML; nullopt for what it does not report.
struct GpuReading {
  std::optional<std::uint64_t> clock_reasons;         // why the clock is not higher: bits, see gpu_health.cpp
  std::optional<std::uint32_t> clock, highest_clock;  // of the multiprocessors, MHz
  std::optional<std::uint32_t> others;                // other processes that compute on this GPU
  std::optional<std::uint32_t> busy;                  // percentage of the recent time in which some kernel ran
};

// How many of the processes on a GPU are not this one. This process is always among them, but in a container the ids
// may be those of the host, so that `own` is not found.
std::uint32_t others_among(std::span<const std::uint32_t> processes, std::uint32_t own);

// Collects the readings of a measurement, and words the notes about them.
class Health {
 public:
  void before(const GpuReading& reading);  // the first pass
  void during(const GpuReading& reading);
  trace::Notes notes() const;

 private:
  std::uint64_t held_by_ = 0;
  std::optional<std::uint32_t> lowest_clock_, highest_clock_, busy_before_;
  std::uint32_t others_ = 0;
};

class HealthWatch {
 public:
  // Null without NVML. `pci_bus_id` as cudaDeviceGetPCIBusId() gives it.
  static std::unique_ptr<HealthWatch> make(const std::string& pci_bus_id);

  void before();          // before this process gives the device work
  void between_passes();  // reads at most every 100 ms
  trace::Notes notes();   // after a last look

 private:
  explicit HealthWatch(void* gpu) : gpu_(gpu) {}
  void look();

  void* gpu_;  // NVML's; it lives as long as the process
  Nanoseconds last_ = kAbsent;
  Health health_;
};

}  // namespace streamscope::cuda
