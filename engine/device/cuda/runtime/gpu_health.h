// Whether the GPU was well while it was measured: its clock held down, other processes at work on it.
//
// Read through NVML, the library of the driver behind nvidia-smi, loaded when it is first asked for. Where it is
// missing, or does not tell something (virtual GPUs tell little), nothing is said of it. Reading takes about a
// millisecond and is only done outside the clock, between passes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/time.h"

namespace streamscope::cuda {

// What NVML says at one moment; nothing where it says nothing.
struct GpuReading {
  std::optional<std::uint64_t> clock_reasons;         // why the clock is not higher: bits, see health.cpp
  std::optional<std::uint32_t> clock, highest_clock;  // of the multiprocessors, MHz
  std::optional<std::uint32_t> others;                // other processes that compute on this GPU
  std::optional<std::uint32_t> busy;                  // per cent of the time before in which some kernel ran
};

// Of the processes on a GPU, how many are not this one, which is on it too. In a container the ids may be those of the
// host, so that our own is not among them under its name; one of them is we all the same.
std::uint32_t others_among(std::span<const std::uint32_t> processes, std::uint32_t own);

// All readings of a measurement in one, and what the reader of its figures must know of them. Pure.
class Health {
 public:
  void before(const GpuReading& reading);  // the first pass
  void during(const GpuReading& reading);
  std::vector<std::string> notes() const;

 private:
  std::uint64_t held_by_ = 0;
  std::optional<std::uint32_t> lowest_clock_, highest_clock_, busy_before_;
  std::uint32_t others_ = 0;
};

class HealthWatch {
 public:
  // Null without NVML. `pci_bus_id` as cudaDeviceGetPCIBusId() gives it.
  static std::unique_ptr<HealthWatch> make(const std::string& pci_bus_id);

  void before();                     // with the device still idle of us
  void between_passes();             // reads at most every 100 ms
  std::vector<std::string> notes();  // after a last look

 private:
  explicit HealthWatch(void* gpu) : gpu_(gpu) {}
  void look();

  void* gpu_;  // NVML's; it lives as long as the process
  Nanoseconds last_ = kAbsent;
  Health health_;
};

}  // namespace streamscope::cuda
