#include "engine/device/cuda/runtime/gpu_health.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "engine/base/translate.h"

namespace streamscope::cuda {
namespace {

// Types, functions and values of NVML: "NVML API Reference Guide", docs.nvidia.com/deploy/nvml-api, in its groups
// "Initialization and Cleanup", "Device Queries", "Device Structs" and "NvmlClocksEventReasons".
using NvmlReturn = int;  // enum nvmlReturn_t
constexpr NvmlReturn kSuccess = 0, kInsufficientSize = 7;
using NvmlDevice = void*;                   // nvmlDevice_t
constexpr int kClockOfMultiprocessors = 1;  // NVML_CLOCK_SM of enum nvmlClockType_t
struct NvmlUtilization {                    // nvmlUtilization_t, per cent
  unsigned gpu, memory;
};
struct NvmlProcess {  // nvmlProcessInfo_t of nvmlDeviceGetComputeRunningProcesses_v3
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance, compute_instance;
};

// nvmlClocksEventReason... (until driver 535 nvmlClocksThrottleReason...). nvmlClocksEventReasonGpuIdle, 1, says only
// that nothing runs.
struct Reason {
  std::uint64_t bit;
  const char* words;
};
constexpr Reason kReasons[] = {
    {0x002, tr_later("clocks set for applications")},  // ApplicationsClocksSetting
    {0x004, tr_later("power cap")},                    // SwPowerCap
    {0x008, tr_later("hardware slowdown")},            // HwSlowdown
    {0x010, tr_later("kept level with other GPUs")},   // SyncBoost
    {0x020, tr_later("temperature")},                  // SwThermalSlowdown
    {0x040, tr_later("temperature, by hardware")},     // HwThermalSlowdown
    {0x080, tr_later("power brake")},                  // HwPowerBrakeSlowdown
    {0x100, tr_later("display clock setting")},        // DisplayClockSetting
};
constexpr std::uint64_t kHolding = 0x1FE;
// Below this the use is negligible.
constexpr std::uint32_t kBusy = 5;
constexpr Nanoseconds kBetweenReadings = 100'000'000;

struct Nvml {
  NvmlReturn (*device_by_bus_id)(const char*, NvmlDevice*) = nullptr;
  NvmlReturn (*clock_reasons)(NvmlDevice, unsigned long long*) = nullptr;
  NvmlReturn (*clock)(NvmlDevice, int, unsigned*) = nullptr;
  NvmlReturn (*highest_clock)(NvmlDevice, int, unsigned*) = nullptr;
  NvmlReturn (*utilization)(NvmlDevice, NvmlUtilization*) = nullptr;
  NvmlReturn (*processes)(NvmlDevice, unsigned*, NvmlProcess*) = nullptr;
};

template <class Function>
void find_function(void* library, const char* name, Function& function) {
  if (function == nullptr) function = reinterpret_cast<Function>(dlsym(library, name));
}

// Loaded once and kept: NVML's state is one per process.
const Nvml* nvml() {
  static const std::optional<Nvml> loaded = []() -> std::optional<Nvml> {
    void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return std::nullopt;
    NvmlReturn (*init)() = nullptr;
    find_function(library, "nvmlInit_v2", init);
    Nvml found;
    find_function(library, "nvmlDeviceGetHandleByPciBusId_v2", found.device_by_bus_id);
    if (init == nullptr || found.device_by_bus_id == nullptr || init() != kSuccess) {
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
    return found;
  }();
  return loaded ? &*loaded : nullptr;
}

std::optional<std::uint32_t> others_on(NvmlDevice gpu) {
  if (nvml()->processes == nullptr) return std::nullopt;
  std::vector<NvmlProcess> found(16);
  for (int attempt = 0; attempt < 3; ++attempt) {
    auto count = static_cast<unsigned>(found.size());
    const NvmlReturn said = nvml()->processes(gpu, &count, found.data());
    if (said == kSuccess) {
      std::vector<std::uint32_t> ids;
      for (unsigned i = 0; i < std::min<std::size_t>(count, found.size()); ++i) ids.push_back(found[i].pid);
      return others_among(ids, static_cast<std::uint32_t>(getpid()));
    }
    if (said != kInsufficientSize) return std::nullopt;
    found.resize(std::size_t{count} + 16);  // more may have come since
  }
  return std::nullopt;
}

GpuReading read(NvmlDevice gpu) {
  const Nvml& from = *nvml();
  GpuReading reading;
  // Nothing where the driver does not have the function, or does not say.
  const auto ask = [gpu](auto* function, auto value, const auto&... which) -> std::optional<decltype(value)> {
    if (function == nullptr || function(gpu, which..., &value) != kSuccess) return std::nullopt;
    return value;
  };
  reading.clock_reasons = ask(from.clock_reasons, 0ull);
  reading.clock = ask(from.clock, 0u, kClockOfMultiprocessors);
  reading.highest_clock = ask(from.highest_clock, 0u, kClockOfMultiprocessors);
  if (const auto used = ask(from.utilization, NvmlUtilization{})) reading.busy = used->gpu;
  reading.others = others_on(gpu);
  return reading;
}

}  // namespace

std::uint32_t others_among(std::span<const std::uint32_t> processes, std::uint32_t own) {
  const auto ours = std::count(processes.begin(), processes.end(), own);
  const auto all = static_cast<std::ptrdiff_t>(processes.size());
  return static_cast<std::uint32_t>(all - std::max<std::ptrdiff_t>(ours, std::min<std::ptrdiff_t>(all, 1)));
}

void Health::before(const GpuReading& reading) {
  busy_before_ = reading.busy;
  during(reading);
}

void Health::during(const GpuReading& reading) {
  others_ = std::max(others_, reading.others.value_or(0));
  const std::uint64_t held_by = reading.clock_reasons.value_or(0) & kHolding;
  if (held_by == 0) return;  // the clock of an idle GPU does not matter
  if (reading.clock && reading.highest_clock && *reading.clock >= *reading.highest_clock)
    return;  // a limit without effect
  held_by_ |= held_by;
  if (reading.clock) lowest_clock_ = std::min(lowest_clock_.value_or(*reading.clock), *reading.clock);
  if (reading.highest_clock) highest_clock_ = reading.highest_clock;
}

trace::Notes Health::notes() const {
  trace::Notes notes;
  if (held_by_ != 0) {
    std::string why;
    for (const Reason& reason : kReasons) {
      if ((held_by_ & reason.bit) == 0) continue;
      if (!why.empty()) why += ", ";
      why += tr(reason.words);
    }
    if (lowest_clock_ && highest_clock_) why += tr("; {} of {} MHz", *lowest_clock_, *highest_clock_);
    notes.push_back({trace::NoteKind::gpu,
                     tr("The GPU's clock was held down while measuring ({}): times may be longer than usual.", why)});
  }
  if (others_ > 0) {
    std::string text = tr_n("{} other process uses this GPU", "{} other processes use this GPU", others_, others_);
    // Without other processes it was this one's last run.
    if (busy_before_.value_or(0) >= kBusy)
      text += tr("; before the run it was busy for {} % of the time", *busy_before_);
    notes.push_back({trace::NoteKind::gpu, text + "."});
  }
  return notes;
}

std::unique_ptr<HealthWatch> HealthWatch::make(const std::string& pci_bus_id) {
  void* gpu = nullptr;
  if (nvml() == nullptr || nvml()->device_by_bus_id(pci_bus_id.c_str(), &gpu) != kSuccess) return nullptr;
  return std::unique_ptr<HealthWatch>(new HealthWatch(gpu));
}

void HealthWatch::before() {
  health_.before(read(gpu_));
  last_ = host_now();
}

void HealthWatch::between_passes() {
  if (known(last_) && host_now() - last_ < kBetweenReadings) return;
  look();
}

void HealthWatch::look() {
  health_.during(read(gpu_));
  last_ = host_now();
}

trace::Notes HealthWatch::notes() {
  look();
  return health_.notes();
}

}  // namespace streamscope::cuda
