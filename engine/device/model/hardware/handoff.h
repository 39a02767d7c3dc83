// How long after the end of one operation the next one of its stream can begin, by what executes each of the two.
// Copies that travel in the command stream (host_call.h) count as compute.
//
// An engine that waits for another engine's work polls, and ever less often: if it began to wait a moment ago it
// notices the end soon, if it has waited for long it notices late. (H200: copies and kernels of one stream in turn, 1
// to 200 us each. The rest of the variation is chance, since the polls come at fixed times.)
#pragma once

#include "engine/base/kind.h"
#include "engine/device/model/profile/profile.h"

namespace streamscope::model {

// From the end of one operation until the other can begin, if the other has waited for long.
Nanoseconds late_handoff(const Profile::Streams& streams, Engine from, Engine to);

// The same where the next operation has waited for `waited` when the one before it ends.
Nanoseconds handoff(const Profile::Streams& streams, Engine from, Engine to, Nanoseconds waited);

}  // namespace streamscope::model
