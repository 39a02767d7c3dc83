// Whether two GPUs reach each other's memory without the host (CUDA C++ Programming Guide, "Peer-to-Peer Memory
// Access").
#pragma once

#include <cuda_runtime_api.h>

#include "engine/device/cuda/runtime/gpus.h"
#include "engine/program/program.h"

namespace streamscope::cuda {

// Turns it on or off in both directions, CUDA's indexes; on in both or in none. The calling thread's current device
// stays what it is. The call that failed, or the last.
struct PeerCall {
  cudaError_t code;
  const char* call;
};
PeerCall set_peer_access(int first, int second, bool on);

// Error bad_input: the first line that turns it on where the GPUs cannot (cudaDeviceCanAccessPeer), and what to do.
Result<void> check_peer_access(const program::Program& program, const Gpus& gpus);

}  // namespace streamscope::cuda
