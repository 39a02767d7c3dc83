// How long stream programs take on a device, bare: nothing of ours is in the interval that is timed.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/stop_flag.h"
#include "engine/device/device.h"

namespace streamscope::measure {

struct ProgramText {
  std::string name;  // for messages
  std::string text;  // of a stream program
};

// Wall times of one program's passes, as Pass::wall counts them.
struct WallTimes {
  Nanoseconds median = kAbsent, low = kAbsent, high = kAbsent;  // the quartiles
  Nanoseconds minimum = kAbsent;
  int samples = 0;
  Nanoseconds pace = kAbsent;  // wall time of pace_program() just before and after; kAbsent where it was not timed
};
// Of one time at least.
WallTimes summary(std::vector<Nanoseconds> walls);

struct TimingOptions {
  int warm_ups = 2;  // passes before the first one that counts
  // Passes that count: until `each` has gone by, setting the data right between them included, but so many at the
  // least and at the most.
  int least = 7, most = 30;
  Nanoseconds each = 50'000'000;
  Nanoseconds limit = kAbsent;  // no further program is begun this long after the first was
  bool pace = false;            // of the host, too (engine/measure/host_pace.h); a model's is always the same
};

// What the device cannot run, or the text has wrong: which program, and why.
using OnRefused = std::function<void(std::size_t index, const Error& error)>;

// After each program: which one it was, and its times.
using OnTimed = std::function<void(std::size_t index, const WallTimes& times)>;

// In the order given; fewer than were given where the time limit came first. With `on_refused` a program that the
// device refuses is reported and has no samples; without, it is an error. A model repeats itself to the nanosecond:
// it makes one pass of each. Errors name the program: bad_input (the text is wrong, the device cannot run it),
// device_failed, cancelled.
Result<std::vector<WallTimes>> time_programs(device::Device& device, std::span<const ProgramText> programs,
                                             const TimingOptions& options, StopFlag stop = {},
                                             const OnTimed& on_timed = {}, const OnRefused& on_refused = {});

}  // namespace streamscope::measure
