// How long it takes until the next operation of a stream can begin, by what carries the one before it out and what it.
//
// An engine that waits for another one's work asks again and again, ever less often: one that began to wait a moment
// ago notices the end soon, one that has waited for long does so late. (H200: copies and kernels of one stream in turn,
// 1 to 200 us each. What it costs beyond is by chance, since the questions come at fixed times.)
#pragma once

#include <cstdint>

#include "engine/device/model/profile/profile.h"

namespace streamscope::model {

// What carries work out. Copies that travel with the commands (host_call.h) are the compute engine's.
enum class Unit : std::uint8_t { none, compute, h2d, d2h, host };

// From the end of the one until the other can begin, where the other has waited for long.
Nanoseconds between(const Profile::Streams& streams, Unit from, Unit to);

// The same where what comes next has waited for so long when the one before it ends.
Nanoseconds handoff(const Profile::Streams& streams, Unit from, Unit to, Nanoseconds waited);

}  // namespace streamscope::model
