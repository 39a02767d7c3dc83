// How the groups of probes are written down.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "engine/calibration/probes.h"

namespace streamscope::calibration {

enum class For : std::uint8_t { quick, thorough };
inline For quick_if(bool needed) { return needed ? For::quick : For::thorough; }

class ProbeList {
 public:
  // The probe's name is made of the group and the numbers that are set.
  void add(For use, std::string group, const Probe::Numbers& numbers, std::string text);
  std::vector<Probe> take() { return std::move(all_); }

 private:
  std::vector<Probe> all_;
};

inline constexpr std::uint64_t kKib = 1024, kMib = 1024 * kKib;
inline constexpr Nanoseconds kUs = 1000;
inline constexpr const char* kStream = "stream A nonblocking\n";

// "A: spin 300us\n", or nothing.
std::string spin_ahead(Nanoseconds behind);
// So many passes of the lines, the variable of which is i.
std::string repeated(std::uint64_t count, const std::string& lines);

void add_copy_probes(ProbeList& list);       // probes_of_copies.cpp
void add_kernel_probes(ProbeList& list);     // probes_of_kernels.cpp
void add_host_probes(ProbeList& list);       // probes_of_the_host.cpp
void add_order_probes(ProbeList& list);      // probes_of_order.cpp
void add_structure_probes(ProbeList& list);  // probes_of_structure.cpp

}  // namespace streamscope::calibration
