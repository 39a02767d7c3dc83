// A lesson tried on a device: whether what it says is true there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/device/device_info.h"
#include "engine/lesson/grade.h"

namespace streamscope::lesson {

// Runs a program on the device at hand.
using MakeRun = std::function<Result<trace::Run>(const experiment::Input&, bool stages)>;
Result<Runs> make_runs(const Lesson& lesson, const MakeRun& make);

// Where a lesson runs: on the device at hand or, where that lacks what the lesson needs, on another. Where only the
// number of devices is lacking, or that they reach each other, that is so many of the same model, of a GPU so many of
// the model that predicts it; else the one that the lesson names.
struct Place {
  std::string device;  // as --device; empty: there is none that would do
  std::string why;     // what the one at hand lacks, in words; empty: it is that one
};
Place place_of(const Needs& needs, const device::DeviceInfo& at_hand);  // predicted_by must be known

struct Trial {
  std::vector<std::string> found;   // a line for each run and step: what is right there
  std::vector<std::string> untrue;  // with its place
};
// Each choice has one right answer; relations hold, or their goal: not by the program as it is, but by the solution.
// And all values in the words are known.
Result<Trial> try_out(const Lesson& lesson, const Runs& runs, const MakeRun& make);

}  // namespace streamscope::lesson
