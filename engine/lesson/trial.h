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

// Which of the lesson's needs the device does not meet, in words; empty: it meets all. `gpus`: how many there are.
std::string unmet(const Needs& needs, const device::DeviceInfo& device, int gpus);

struct Trial {
  std::vector<std::string> found;   // a line for each run and step: what is right there
  std::vector<std::string> untrue;  // with its place
};
// Each choice has one right answer; relations hold, or their goal: not by the program as it is, but by the solution.
// And all values in the words are known.
Result<Trial> try_out(const Lesson& lesson, const Runs& runs, const MakeRun& make);

}  // namespace streamscope::lesson
