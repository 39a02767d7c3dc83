// The loop that every measurement goes through, run, sweep, calibration and the host's pace alike: warm-up passes, then
// turns of the same passes until there are enough.
#pragma once

#include <functional>
#include <vector>

#include "engine/device/device.h"

namespace streamscope::measure {

struct Repetition {
  // The passes of a turn, the one that the measurement is about first. Odd turns make them in reverse, so that a device
  // that grows slower or faster on the way favours none of them. A sampled one sees its share of the operations by the
  // turn's number (sampling.h); of its `share` only `of` counts.
  std::vector<device::PassRequest> turn;
  int warm_ups = 1;               // passes of the first sort
  int least = 1, most = 1;        // turns
  Nanoseconds timeout = kAbsent;  // after the least no turn begins once this has passed since the first one began
};

enum class Ended : std::uint8_t { all_made, enough, timed_out };

struct RepetitionCalls {
  // After each pass: the turn, -1 of a warm-up; and its place in Repetition::turn.
  std::function<void(int turn, std::size_t place, device::Pass pass)> on_pass;
  std::function<bool(int turn)> enough;  // asked before each turn, from 0; may be empty: then it never is
};

// Spans go to control.on_spans from the first warm-up only: a watcher sees each operation once, and looking on, which
// copies stamps from the device, disturbs none of the passes that are timed and kept. Errors: those of the passes,
// `cancelled` where a stop was requested. What on_pass was given before stands.
Result<Ended> repeat(device::LoadedProgram& loaded, const Repetition& repetition, const device::RunControl& control,
                     const RepetitionCalls& calls);

// The wall times of bare passes, one a turn whatever `repetition` says, without those of the warm-ups.
Result<std::vector<Nanoseconds>> bare_walls(device::LoadedProgram& loaded, Repetition repetition, const StopFlag& stop);

}  // namespace streamscope::measure
