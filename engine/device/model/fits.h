// What a device cannot do, told before anything runs.
#pragma once

#include "engine/base/result.h"
#include "engine/device/model/profile/profile.h"
#include "engine/program/program.h"

namespace streamscope::model {

// More memory than it has, a block that fits nowhere, a run without end in sight: by line. `file` is not known here;
// places are "line N".
Result<void> check_fits(const Profile& profile, const program::Program& program);

}  // namespace streamscope::model
