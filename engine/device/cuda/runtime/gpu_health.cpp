#include "engine/device/cuda/runtime/gpu_health.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "engine/base/translate.h"
#include "engine/device/cuda/runtime/nvml.h"

namespace streamscope::cuda {
namespace {

using nvml::ask;

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

std::optional<std::uint32_t> others_on(nvml::Gpu gpu) {
  if (nvml::functions()->processes == nullptr) return std::nullopt;
  std::vector<nvml::Process> found(16);
  for (int attempt = 0; attempt < 3; ++attempt) {
    auto count = static_cast<unsigned>(found.size());
    const nvml::Return said = nvml::functions()->processes(gpu, &count, found.data());
    if (said == nvml::kSuccess) {
      std::vector<std::uint32_t> ids;
      for (unsigned i = 0; i < std::min<std::size_t>(count, found.size()); ++i) ids.push_back(found[i].pid);
      return others_among(ids, static_cast<std::uint32_t>(getpid()));
    }
    if (said != nvml::kInsufficientSize) return std::nullopt;
    found.resize(std::size_t{count} + 16);  // more may have come since
  }
  return std::nullopt;
}

GpuReading read(nvml::Gpu gpu) {
  const nvml::Functions& from = *nvml::functions();
  GpuReading reading;
  reading.clock_reasons = ask(gpu, from.clock_reasons, 0ull);
  reading.clock = ask(gpu, from.clock, 0u, nvml::kClockOfMultiprocessors);
  reading.highest_clock = ask(gpu, from.highest_clock, 0u, nvml::kClockOfMultiprocessors);
  if (const auto used = ask(gpu, from.utilization, nvml::Utilization{})) reading.busy = used->gpu;
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
  const auto gpu = nvml::find_gpu(pci_bus_id);
  return gpu ? std::unique_ptr<HealthWatch>(new HealthWatch(*gpu)) : nullptr;
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
