#include "engine/device/cuda/runtime/nvml.h"

#include <dlfcn.h>

namespace streamscope::cuda::nvml {
namespace {

template <class Function>
void find_function(void* library, const char* name, Function& function) {
  if (function == nullptr) function = reinterpret_cast<Function>(dlsym(library, name));
}

std::optional<Functions> load() {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  Return (*init)() = nullptr;
  find_function(library, "nvmlInit_v2", init);
  Functions found;
  find_function(library, "nvmlDeviceGetHandleByPciBusId_v2", found.gpu_by_bus_id);
  if (init == nullptr || found.gpu_by_bus_id == nullptr || init() != kSuccess) {
    dlclose(library);
    return std::nullopt;
  }
  find_function(library, "nvmlDeviceGetCurrentClocksEventReasons", found.clock_reasons);
  find_function(library, "nvmlDeviceGetCurrentClocksThrottleReasons",
                found.clock_reasons);  // its name until driver 535
  find_function(library, "nvmlDeviceGetClockInfo", found.clock);
  find_function(library, "nvmlDeviceGetMaxClockInfo", found.highest_clock);
  find_function(library, "nvmlDeviceGetUtilizationRates", found.utilization);
  find_function(library, "nvmlDeviceGetComputeRunningProcesses_v3", found.processes);
  find_function(library, "nvmlDeviceGetMaxPcieLinkGeneration", found.highest_link_generation);
  find_function(library, "nvmlDeviceGetMaxPcieLinkWidth", found.widest_link);
  return found;
}

}  // namespace

const Functions* functions() {
  static const std::optional<Functions> loaded = load();
  return loaded ? &*loaded : nullptr;
}

std::optional<Gpu> find_gpu(const std::string& pci_bus_id) {
  Gpu gpu = nullptr;
  if (functions() == nullptr || functions()->gpu_by_bus_id(pci_bus_id.c_str(), &gpu) != kSuccess) return std::nullopt;
  return gpu;
}

}  // namespace streamscope::cuda::nvml
