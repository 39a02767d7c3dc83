// Measures how long copies from one GPU to another take, with peer access and without, where it is not known yet
// (CudaContext::to_peer). Takes some 50 ms, most of which turning peer access on and off does.
#pragma once

#include "engine/base/result.h"
#include "engine/device/cuda/runtime/context.h"

namespace streamscope::cuda {

// Both should be idle, without access to each other's memory. Afterwards `from` is current.
Result<void> measure_peer_link(CudaContext& from, CudaContext& to);

}  // namespace streamscope::cuda
