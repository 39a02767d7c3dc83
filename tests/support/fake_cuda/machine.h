// Everything the fake holds, under one lock, and the way in that all its CUDA functions take.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include "tests/support/fake_cuda/clock.h"
#include "tests/support/fake_cuda/memory.h"
#include "tests/support/fake_cuda/queue.h"
#include "tests/support/fake_cuda/script.h"

namespace streamscope::fake_cuda {

struct Machine {
  std::mutex mutex;
  Clock clock;
  MemoryMap memory;
  Queue queue{clock};
  Script script;
  std::vector<std::string> misuses;
  std::vector<Gpu> gpus{Gpu{}};

  std::set<std::pair<int, int>> peers;  // the first reaches the second's memory

  bool has_gpu(int device) const { return device >= 0 && static_cast<std::size_t>(device) < gpus.size(); }
  // Whether work of a device may use memory there: of the host, its own, or a peer's.
  bool reaches(int device, const void* data) const {
    const int of = memory.device_of(data);
    return of < 0 || of == device || peers.contains({device, of});
  }
  // Notes the misuse and says what CUDA would.
  cudaError_t misuse(std::string what, cudaError_t code = cudaErrorInvalidValue);
  // cudaSuccess once all of it has ended.
  cudaError_t wait(const std::vector<WorkPtr>& works);
  // A copy, at once and with the script's error in it.
  void move_bytes(void* to, const void* from, std::uint64_t bytes);
};
Machine& the_machine();

// cudaGetLastError() of this thread.
inline thread_local cudaError_t last_error = cudaSuccess;
// Whether this thread has called cudaSetDevice(): on a machine with several GPUs the default streams mean another
// device's in a thread that has not.
inline thread_local bool chose_device = false;

// That this thread has chosen with cudaThreadExchangeStreamCaptureMode().
inline thread_local cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;

enum class Failing { does_nothing, releases_all_the_same };

// Calls that CUDA takes for potentially unsafe beside a capture, and none that make or destroy streams and events or
// copy (docs/cuda-rules.md 19).
inline bool is_unsafe(std::string_view name) {
  static const std::set<std::string_view> all{
      // allocate, free and register
      "cudaMalloc", "cudaFree", "cudaMallocAsync", "cudaFreeAsync", "cudaMallocManaged", "cudaHostAlloc",
      "cudaMallocHost", "cudaFreeHost", "cudaHostRegister", "cudaHostUnregister",
      // wait, and ask
      "cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaStreamQuery", "cudaEventSynchronize", "cudaEventQuery",
      "cudaGraphInstantiate"};
  return all.contains(name);
}

// One call of a CUDA function: counted, noted, made to fail where the script says so, else `body` under the lock.
template <class Body>
cudaError_t call(std::string_view name, std::string detail, Body&& body, Failing failing = Failing::does_nothing) {
  constexpr Nanoseconds kTakes = 700;
  Machine& machine = the_machine();
  Script::Orders orders;
  {
    const std::lock_guard lock(machine.mutex);
    orders = machine.script.begin(name, std::move(detail));
  }
  for (const auto& hook : orders.hooks) hook();
  const std::lock_guard lock(machine.mutex);
  if (orders.index) machine.clock.pass(kTakes);
  if (machine.script.sticky == cudaSuccess) machine.queue.advance();
  cudaError_t code = machine.script.sticky;
  if (code == cudaSuccess) code = orders.code;
  if (code == cudaSuccess && is_unsafe(name) && capture_mode != cudaStreamCaptureModeRelaxed &&
      machine.queue.breaks_captures(capture_mode == cudaStreamCaptureModeGlobal))
    code = cudaErrorStreamCaptureUnsupported;
  const bool scripted = orders.code != cudaSuccess && machine.script.sticky == cudaSuccess;
  if (code == cudaSuccess) {
    code = body(machine);
    // What it waited for may have faulted.
    if (code == cudaSuccess) code = machine.script.sticky;
  } else if (scripted && failing == Failing::releases_all_the_same) {
    body(machine);
  }
  machine.script.end(orders, code);
  if (code != cudaSuccess && code != cudaErrorNotReady) last_error = code;
  return code;
}

}  // namespace streamscope::fake_cuda
