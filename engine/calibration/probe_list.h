// How probes are written down: as templates over the values of their numbers.
//
// `$n`, `$bytes` and so on stand for a number as it is written in the axes, or for a word that the axes give. Besides:
// `$kib` for the bytes of one operation in KiB; `$buffer` for the size of a buffer with room for it, `$all` for one
// with room for `n` of them, else for `streams`; `$ahead` for a spin as long as `behind`, or nothing. An option such as
// ` blocks=$blocks` is left out where the number is 0 or not given, and ` host=$host` where that is pinned. Statements
// are separated by "; ", and come to stand in lines of their own.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/calibration/probes.h"

namespace streamscope::calibration {

struct ProbeTemplate {
  std::string group, text;
  std::string_view fixed = {};  // numbers besides those of the axes: "streams=1 for=5us"
  std::string_view quick = {};  // which of them are: "n=1,64 bytes=4KiB"; empty: all; "none". The others are thorough
  std::string_view where = {};  // which of them there are; empty: all
};

class ProbeList {
 public:
  // A probe of each template for each combination of the axes' values, the last axis turning fastest. An axis is
  // "n=1,8,64", or of several numbers that go together, "bytes n=4KiB 64, 1MiB 16": what a row leaves out is 0. Where
  // an axis marks some with a "!", only those are quick.
  void add(std::initializer_list<std::string_view> axes, std::initializer_list<ProbeTemplate> templates) {
    expand({}, true, {axes.begin(), axes.size()}, {templates.begin(), templates.size()});
  }
  std::vector<Probe> take() { return std::move(all_); }

 private:
  using Values = std::map<std::string, std::string, std::less<>>;  // as they are written, by key
  void expand(Values values, bool quick, std::span<const std::string_view> axes,
              std::span<const ProbeTemplate> templates);
  void add_one(const ProbeTemplate& from, Values values, bool quick);

  std::vector<Probe> all_;
};

void add_copy_probes(ProbeList& list);       // probes_of_copies.cpp
void add_kernel_probes(ProbeList& list);     // probes_of_kernels.cpp
void add_host_probes(ProbeList& list);       // probes_of_the_host.cpp
void add_link_probes(ProbeList& list);       // probes_of_links.cpp
void add_order_probes(ProbeList& list);      // probes_of_order.cpp
void add_structure_probes(ProbeList& list);  // probes_of_structure.cpp

}  // namespace streamscope::calibration
