// A program's wall time on a profile, without spans: fitting a profile needs it very often.
#pragma once

#include "engine/base/result.h"
#include "engine/device/model/profile/profile.h"
#include "engine/program/program.h"

namespace streamscope::model {

// Error bad_input: the device cannot run it.
Result<Nanoseconds> predict_wall(const Profile& profile, const program::Program& program);

}  // namespace streamscope::model
