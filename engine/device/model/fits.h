// Refuses, before anything runs, programs that the modelled device could not run.
#pragma once

#include "engine/base/result.h"
#include "engine/device/model/profile/profile.h"
#include "engine/program/program.h"

namespace streamscope::model {

// Error bad_input, naming the line: more memory than the device has, a block that fits on no multiprocessor, a run of
// more than three years.
Result<void> check_fits(const Profile& profile, const program::Program& program);

}  // namespace streamscope::model
