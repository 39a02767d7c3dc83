// A model of a GPU behind the device interface: the same programs, simulated. Deterministic, exact integer time.
//
// Simulated, with the rule of CUDA or the number it rests on (numbers come from the profile, profile.h):
//   - one host thread that pays for each call; synchronisations, polls, blocking and pageable copies hold it
//   - stream order, the legacy default stream, events: by engine/program/order.h, which all devices share
//   - one copy engine a direction, or one for both: first come, first served; both at once slow each other
//   - pageable copies: staged by the host, at the host's pace
//   - kernels: blocks on multiprocessors by threads, blocks and shared memory; leftover policy; priorities that order
//     pending blocks and preempt nothing (Amert et al., "GPU Scheduling on the NVIDIA TX2", RTSS 2017)
//   - host functions on one callback thread; event records that take stream time; a stream's finite queue
//   - cudaFree waits for the whole device, cudaMalloc does not
// Not simulated: data; clocks that change; noise; registers and caches; which hardware queue a stream shares; other
// programs. axpb's time is an estimate from rates, and kernels that run at once share those rates evenly.
// What an instrument costs is not simulated either: a bare pass and a full pass take the same time.
#pragma once

#include <memory>

#include "engine/device/device.h"
#include "engine/device/model/profile.h"

namespace streamscope {

// The profile must be valid, as parse_profile() leaves it.
std::unique_ptr<Device> make_model(Profile profile);

}  // namespace streamscope
