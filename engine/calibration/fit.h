// A profile made to agree with measured wall times: each of its numbers is moved up and down, and stays where the
// model's predictions come closest, unless all it wins is too little for how far it would go.
//
// The time of a single program is a sum of many numbers; over some hundred programs that differ in one thing each, they
// come apart. Numbers that no program depends on stay what they are, but for points of a table that are in the way of
// their neighbours: times must not fall with size.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/stop_flag.h"
#include "engine/calibration/recorded.h"
#include "engine/device/model/profile/profile.h"
#include "engine/program/program.h"

namespace streamscope::calibration {

// A program with the median of its bare wall times.
struct FitSample {
  program::Program program;
  Nanoseconds measured = 0;
  double weight = 1;
  double slower = 1;  // the host then, than the profile's (at_pace)
};

// Of the recorded programs, and one more that holds the profile to the middle pace of the host: to that of `pace`, a
// wall time of pace_program(), where it is known. Programs of the first `probes` weigh a fourth: they tell one number
// from another, but what people run is more like the others. What scatters counts for less. Error bad_input: a text is wrong.
Result<std::vector<FitSample>> fit_samples(std::span<const RecordedProgram> programs, std::size_t probes,
                                           Nanoseconds pace);

// A number that is not moved step by step but is one of a few: a depth, a flag, a size. Another is taken only where the
// programs that depend on it come closer by a good deal.
struct FitChoice {
  std::string key;             // "streams.queue_depth"
  std::vector<double> values;  // as ProfileNumber::set takes them
};

struct FitOptions {
  int rounds = 40;             // over all numbers, at most; fewer where nothing moves any more
  Nanoseconds time = kAbsent;  // nothing is tried later than this after the start
  std::vector<FitChoice> choices;
  // What a number must win to go from where it began by a factor of e, in times of one program: else few programs are
  // met by numbers that no device has, and others are further off. Of 0.01, 0.5, 1 and 2, 1 was best on an H200: fitted
  // to 225 programs, 225 others were off by 4.4, 3.8, 3.5 and 3.5 %. For a start that is far off, less is better.
  double reluctance = 1;
};

// done of total, and the weighted mean of the relative errors so far.
using FitProgress = std::function<void(int done, int total, double error)>;

// Moved are times and rates, whole tables and each of their points, and what is named in `choices`. The origin of a
// number that the programs depend on becomes measured, unless only reluctance held it where it
// began, and that of a choice where it made a difference. Errors:
// bad_input (a program that the profile's device cannot run), cancelled.
Result<model::Profile> fit_profile(const model::Profile& start, std::span<const FitSample> samples,
                                   const FitOptions& options, const FitProgress& progress, StopFlag stop);

}  // namespace streamscope::calibration
