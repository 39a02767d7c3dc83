// How fast copies over the bus can be at the most: the time that no copy can be shorter than rests on it.
#pragma once

#include <optional>
#include <string>

namespace streamscope::cuda {

// Of the fastest link that this GPU and its slot can have.
struct PcieLink {
  unsigned generation = 0, lanes = 0;
};
// Nothing without NVML, or where it does not say. `pci_bus_id` as cudaDeviceGetPCIBusId() gives it.
std::optional<PcieLink> pcie_link(const std::string& pci_bus_id);

// The least time that a link needs for a byte of a large copy, in nanoseconds: PCI Express Base Specification, rates
// and encodings of each generation; packets of at most 256 bytes, the most that GPUs take, with 20 bytes around them. 0
// for a generation that is not known.
double least_time(const PcieLink& link);

// A rate so far below what the link can carry may have been disturbed when it was measured: worth another try.
bool far_below(double measured, double link);

// The nanoseconds per byte that no copy takes less than, from the least that was measured. `link`: least_time(), 0
// where it is not known. Where copies were slower than undisturbed ones are, those that follow may be as fast as the
// link.
double least_time(double measured, double link);

}  // namespace streamscope::cuda
