// The programs that a calibration measures: each is there for one number of a profile, or for how it grows.
//
// A probe says in words and numbers what it is, so that a fit finds what it needs without reading the text. Buffers are
// pinned where the group does not say otherwise. Where `behind` is set, the work is queued behind a spin of that long
// in its stream, so that the device's own pace shows and not the host's.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/time.h"

namespace streamscope::calibration {

struct Probe {
  std::string group;  // "copy h2d pageable": the same for all that differ in numbers only
  // What of these a group has and what it counts stands where the group is made. In bytes and nanoseconds.
  //   n: how often the statement or the step is repeated
  //   bytes: of one operation
  //   streams: that share the work in turn
  //   fma, blocks, threads, smem: of a kernel; not given in the text where they are not here
  //   for: how long a spin, a host function or the host's work takes
  //   behind, every: of what runs before, of a poll
  std::map<std::string, std::uint64_t, std::less<>> numbers;
  std::uint64_t number(std::string_view key) const;  // 0: it has none
  bool thorough = false;                             // not needed for a quick calibration
  std::string name;                                  // "copy h2d pageable, bytes=64KiB": no two alike
  std::string text;                                  // of a stream program, without errors
};

// All of them, in a fixed order. The quick ones take a device a few milliseconds at most each.
std::vector<Probe> probes();
// Of what is between devices: programs of two.
std::vector<Probe> link_probes();

}  // namespace streamscope::calibration
