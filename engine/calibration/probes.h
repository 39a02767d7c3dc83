// The programs that a calibration measures: each is there for one number of a profile, or for how it grows.
//
// A probe says in words and numbers what it is, so that a fit finds what it needs without reading the text. Buffers are
// pinned where the group does not say otherwise. Where `behind` is set, the work is queued behind a spin of that long
// in its stream, so that the device's own pace shows and not the host's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/time.h"

namespace streamscope::calibration {

struct Probe {
  std::string group;  // "copy h2d pageable": the same for all that differ in numbers only
  // What of these a group has and what it counts stands where the group is made; the others are 0.
  struct Numbers {
    std::uint64_t count = 0;    // how often the statement or the step is repeated
    std::uint64_t bytes = 0;    // of one operation
    std::uint32_t streams = 0;  // that share the work in turn
    std::uint32_t fma = 0, blocks = 0, threads = 0, shared_bytes = 0;  // of a kernel; 0: not given in the text
    Nanoseconds duration = 0;                                          // of a spin, a host function, the host's work
    Nanoseconds behind = 0;
    Nanoseconds every = 0;  // of a poll
  } numbers;
  bool thorough = false;  // not needed for a quick calibration
  std::string name;       // "copy h2d pageable, bytes=64KiB": no two alike
  std::string text;       // of a stream program, without errors
};

// All of them, in a fixed order. The quick ones take a device a few milliseconds at most each.
std::vector<Probe> probes();

}  // namespace streamscope::calibration
