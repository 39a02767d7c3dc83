// How long after the end of one operation the next one of its stream can begin, by what executes each of the two.
// Copies that travel in the command stream (host_call.h) count as compute.
//
// An engine that waits for another engine's work polls, and ever less often: if it began to wait a moment ago it
// notices the end soon, if it has waited for long it notices late. (H200: copies and kernels of one stream in turn, 1
// to 200 us each. The rest of the variation is chance, since the polls come at fixed times.)
#pragma once

#include <vector>

#include "engine/base/kind.h"
#include "engine/device/model/profile/profile.h"
#include "engine/program/program.h"

namespace streamscope::model {

// From the arrival of an operation at an idle device to its start.
Nanoseconds first_latency(const Profile& profile, Engine unit);

// From the end of one operation until the other can begin, if the other has waited for long.
Nanoseconds late_handoff(const Profile::Streams& streams, Engine from, Engine to);

// The longest that it may take from the end of one operation to the next of its stream. The thread that runs host
// functions may sleep.
inline constexpr Nanoseconds kLongestDoze = 400'000;
Nanoseconds latest_handoff(const Profile::Streams& streams, Engine from, Engine to);

// Between nodes of a graph.
Nanoseconds handoff_in_graph(const Profile::Streams& streams, Engine from, Engine to);

// From the end of device work to the host function that waits for it. `idle`: how long the thread that runs host
// functions has had nothing to do.
Nanoseconds wake_callbacks(const Profile::Streams& streams, Nanoseconds idle);

// The same where the next operation has waited for `waited` when the one before it ends.
Nanoseconds handoff(const Profile::Streams& streams, Engine from, Engine to, Nanoseconds waited);

// By operation: copies of pinned memory behind which their stream goes on with another engine's work. When such a copy
// has ended its engine tells the other one, which takes it about half of what a record with a time takes, and begins
// nothing else meanwhile. (H200: pipelines and event graphs of copies of 64 to 512 KiB; copies in one direction alone
// follow each other at once.)
std::vector<bool> released_copies(const program::Program& program);

}  // namespace streamscope::model
