// NVML, the driver library behind nvidia-smi, loaded on first use and kept: its state is one per process.
//
// Types, functions and values: "NVML API Reference Guide", docs.nvidia.com/deploy/nvml-api, in its groups
// "Initialization and Cleanup", "Device Queries", "Device Structs" and "NvmlClocksEventReasons".
#pragma once

#include <optional>
#include <string>

namespace streamscope::cuda::nvml {

using Return = int;  // enum nvmlReturn_t
inline constexpr Return kSuccess = 0, kInsufficientSize = 7;
using Gpu = void*;                                 // nvmlDevice_t; it lives as long as the process
inline constexpr int kClockOfMultiprocessors = 1;  // NVML_CLOCK_SM of enum nvmlClockType_t
struct Utilization {                               // nvmlUtilization_t, per cent
  unsigned gpu, memory;
};
struct Process {  // nvmlProcessInfo_t of nvmlDeviceGetComputeRunningProcesses_v3
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance, compute_instance;
};

// Null where the driver does not have it.
struct Functions {
  Return (*gpu_by_bus_id)(const char*, Gpu*) = nullptr;
  Return (*clock_reasons)(Gpu, unsigned long long*) = nullptr;
  Return (*clock)(Gpu, int, unsigned*) = nullptr;
  Return (*highest_clock)(Gpu, int, unsigned*) = nullptr;
  Return (*utilization)(Gpu, Utilization*) = nullptr;
  Return (*processes)(Gpu, unsigned*, Process*) = nullptr;
  Return (*highest_link_generation)(Gpu, unsigned*) = nullptr;
  Return (*widest_link)(Gpu, unsigned*) = nullptr;
};

// Null without NVML.
const Functions* functions();
// `pci_bus_id` as cudaDeviceGetPCIBusId() gives it.
std::optional<Gpu> find_gpu(const std::string& pci_bus_id);

// Nothing where the driver does not have the function, or does not say.
template <class Function, class Value, class... Which>
std::optional<Value> ask(Gpu gpu, Function* function, Value value, const Which&... which) {
  if (function == nullptr || function(gpu, which..., &value) != kSuccess) return std::nullopt;
  return value;
}

}  // namespace streamscope::cuda::nvml
