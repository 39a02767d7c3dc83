#include "engine/device/cuda/runtime/peer_access.h"

#include <utility>
#include <variant>

#include "engine/base/translate.h"
#include "engine/device/cuda/runtime/cuda_error.h"
#include "engine/program/diagnostic.h"

namespace streamscope::cuda {

PeerCall set_peer_access(int first, int second, bool on) {
  int current = 0;
  if (const cudaError_t code = cudaGetDevice(&current); code != cudaSuccess) return {code, "cudaGetDevice"};
  PeerCall last{};
  const auto called = [&](cudaError_t code, const char* call) {
    if (last.code == cudaSuccess) last = {code, call};
    return code == cudaSuccess;
  };
  const auto turn = [&](int from, int to) {
    if (!called(cudaSetDevice(from), "cudaSetDevice")) return false;
    return on ? called(cudaDeviceEnablePeerAccess(to, 0), "cudaDeviceEnablePeerAccess")
              : called(cudaDeviceDisablePeerAccess(to), "cudaDeviceDisablePeerAccess");
  };
  const bool one = turn(first, second);
  const bool both = (one || !on) && turn(second, first) && one;  // what can be turned off is
  if (both && called(cudaSetDevice(current), "cudaSetDevice")) return last;
  if (on && one && cudaSetDevice(first) == cudaSuccess) cudaDeviceDisablePeerAccess(second);
  if (on && both && cudaSetDevice(second) == cudaSuccess) cudaDeviceDisablePeerAccess(first);
  cudaSetDevice(current);
  return last;
}

Result<void> check_peer_access(const program::Program& program, const Gpus& gpus) {
  for (const program::Operation& operation : program.operations) {
    const auto* access = std::get_if<program::op::PeerAccess>(&operation.work);
    if (access == nullptr || !access->on) continue;
    int can = 0;
    CUDA_TRY(cudaDeviceCanAccessPeer(&can, gpus[access->first].index, gpus[access->second].index),
             tr("while asking whether {} reaches the memory of {}", gpus[access->first].info.id,
                gpus[access->second].info.id));
    if (can != 0) continue;
    return fail(ErrorKind::bad_input,
                program::at_line(
                    operation.line,
                    tr("{} and {} cannot reach each other's memory here (cudaDeviceCanAccessPeer is 0); take this line "
                       "out: copies between them go through host memory then",
                       gpus[access->first].info.id, gpus[access->second].info.id)));
  }
  return {};
}

}  // namespace streamscope::cuda
