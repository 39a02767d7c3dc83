#include "engine/device/cuda/runtime/pcie_link.h"

#include <array>

#include "engine/device/cuda/runtime/nvml.h"

namespace streamscope::cuda {
namespace {

// Gigabytes per second and lane: 2.5 and 5 GT/s in 8b/10b, 8, 16 and 32 GT/s in 128b/130b, 64 GT/s with 242 of 256
// bytes of each flit.
constexpr std::array<double, 7> kPerLane{
    0, 0.25, 0.5, 8.0 / 8 * 128 / 130, 16.0 / 8 * 128 / 130, 32.0 / 8 * 128 / 130, 64.0 / 8 * 242 / 256};
constexpr double kPayload = 256.0 / (256 + 20);
// Undisturbed copies of H100s took 1.06 to 1.08 times the least time of their link; by how much bars were off there,
// those of a disturbed one took 1.3 times (2026).
constexpr double kFarBelow = 1.15, kBelow = 1.09;
// The least of a few copies may be undercut by so much.
constexpr double kTolerance = 1.03, kToleranceUnknown = 1.5;

}  // namespace

std::optional<PcieLink> pcie_link(const std::string& pci_bus_id) {
  const auto gpu = nvml::find_gpu(pci_bus_id);
  if (!gpu) return std::nullopt;
  const auto generation = nvml::ask(*gpu, nvml::functions()->highest_link_generation, 0u);
  const auto lanes = nvml::ask(*gpu, nvml::functions()->widest_link, 0u);
  if (!generation || !lanes) return std::nullopt;
  return PcieLink{*generation, *lanes};
}

double least_time(const PcieLink& link) {
  if (link.generation == 0 || link.generation >= kPerLane.size() || link.lanes == 0) return 0;
  return 1 / (kPerLane[link.generation] * link.lanes * kPayload);
}

bool far_below(double measured, double link) { return link > 0 && measured > kFarBelow * link; }

double least_time(double measured, double link) {
  if (link <= 0) return measured / kToleranceUnknown;
  return measured > kBelow * link ? link : measured / kTolerance;
}

}  // namespace streamscope::cuda
