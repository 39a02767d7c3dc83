// Measured programs as a file: what was timed, with its text, so that a model can be judged without the GPU.
//
// Comma-separated values behind lines of "# key: value" that say where they come from; one program a line, newlines in
// its text written as \n (and \ as \\). `pace_ns` is empty where the host's pace was not timed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/measure/wall_times.h"

namespace streamscope::calibration {

struct RecordedProgram {
  std::string name;    // no two alike within a file
  std::string family;  // of a workload; a probe's group
  bool thorough = false;
  measure::WallTimes wall;
  std::string text;
};

struct Recording {
  std::string kind;    // "measured" or "model": what the times are
  std::string device;  // "NVIDIA H200"
  std::string driver;
  std::string date;  // UTC, "2026-11-21T10:00:00Z"
  std::vector<RecordedProgram> programs;
};

// Adds a round of timing, in its order, to those before. Of each program the round with the lowest median stands: what
// other work on the host does to a run comes in bursts of seconds, and makes it longer. A program's pace becomes the
// median of those timed from kPacesBeside programs before it to as many behind it, about a second: one alone, of ten
// passes, is off by more than the host changes meanwhile.
inline constexpr std::size_t kPacesBeside = 8;
void keep_quietest(Recording& recording, Recording round);

// The middle one of all programs' paces; kAbsent where none is known.
Nanoseconds middle_pace(std::span<const RecordedProgram> programs);

std::string to_csv(const Recording& recording);
// Error bad_input: "file:line: …", the first that is wrong.
Result<Recording> recording_from_csv(std::string_view csv, std::string_view file);

}  // namespace streamscope::calibration
