// A program's wall time on a profile, and nothing else: what fits a profile asks it very often.
#pragma once

#include "engine/base/result.h"
#include "engine/device/model/profile.h"
#include "engine/program/program.h"

namespace streamscope {

// Error bad_input: the device cannot run it.
Result<Nanoseconds> predict_wall(const Profile& profile, const Program& program);

// How much slower than the profile's the host is on which pace_program() takes so long (engine/device/pace.h); 1 where
// that is kAbsent. Error bad_input: the device cannot run even that.
Result<double> pace_of(const Profile& profile, Nanoseconds pace_wall);
// The profile on a host so much slower.
Profile at_pace(const Profile& profile, double slower);

}  // namespace streamscope
