// A scripted stand-in for the CUDA runtime and for kernels/launch.h, for tests that need no GPU.
//
// It is put in at link time: the sources of engine/device/cuda are linked against the symbols defined here in place of
// libcudart and the .cu files. A source that calls a CUDA function not known here does not link: define the function in
// the file of its kind (runtime_*.cpp), through call(), so that it can be made to fail.
//
// What it is: small devices on a clock of their own. Nothing takes real time: a device is opened with host_clock() for
// its host's clock, so every run makes the same calls in the same order. Work is carried out in stream order with
// the rules of the legacy and per-thread streams, event waits and copy engines (queue.h), and data really moves.
// What it is not: a model of how fast anything is, or of how many kernels fit at once.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/time.h"

namespace streamscope::fake_cuda {

// Forgets everything: calls, script, clock, and what still lives on the device.
void reset();

// The host's clock of that device (clock.h): a HostClock.
Nanoseconds host_clock();

// The GPUs there are, alike but for this: one of compute capability 9.0 since reset(). Each has its memory, its default
// streams, its engines and its timer, which is ahead of the one before it.
struct Gpu {
  int major = 9, minor = 0;
  bool prohibited = false;   // its compute mode
  bool unreachable = false;  // by its peers
};
void gpus(std::vector<Gpu> all);

// --- What has happened.

struct Call {
  std::string name;    // "cudaMemcpyAsync", "kernels::spin"
  std::string detail;  // distinguishes calls of one name where a test needs it
  std::string phase;   // as set by phase() when it was called
  cudaError_t result = cudaSuccess;
};
// Calls of the thread that called reset(). Those of others, which look on, come as often as the system lets them; where
// threads_issue() all are counted.
std::size_t calls();
// The nth of them, from 1.
Call call(std::size_t nth);
// Marks the calls from now on.
void phase(std::string_view name);
// The first call that failed, by the script or by itself; "not ready" is no failure.
std::optional<Call> first_failure();

// What has been made and not been given back; memory that is registered counts as pinned.
struct Live {
  std::size_t streams = 0, events = 0, device = 0, pinned = 0, shared = 0, graphs = 0;
  bool operator==(const Live&) const = default;
};
Live live();
std::string describe(const Live& live);
// Streams with work that waits for the host: for a gate to open, or a handshake to go on.
std::size_t held_streams();
// Kernels that waited for the host and ended by their time limit, because the host did not go on.
std::size_t ended_by_limit();
// Dead handles, ranges beyond an allocation, memory freed under work: what CUDA may let pass or punish much later.
std::vector<std::string> misuses();

// --- What shall happen. Calls are counted from 1, since reset(); those that are named by their name, of every thread.

// The nth call, of any name, fails with `code` and does nothing. Of releases (cudaFree and its like) a failing one
// still releases: on a GPU they fail because of work that went wrong before.
void fail_call(std::size_t nth, cudaError_t code);
// Likewise the nth call of that name from now on, and the `times` - 1 after it.
void fail_call(std::string_view name, std::size_t nth, cudaError_t code, std::size_t times = 1);
// The nth kernel that the device begins from now on faults: nothing is carried out any more, and every call from then
// on fails with `code`.
void fault_in_kernel(std::size_t nth, cudaError_t code);
// Just before the nth call (of that name, from now on), on the thread that makes it. May call CUDA.
void at_call(std::size_t nth, std::function<void()> what);
void at_call(std::string_view name, std::size_t nth, std::function<void()> what);
// The nth copy (async, blocking or on the device) from now on turns over one bit of its last byte.
void corrupt_copy(std::size_t nth);
// No more of the above.
void forget_orders();
// From here on other threads issue too: their calls are counted like the first one's, and take time.
void threads_issue(bool they_do);

}  // namespace streamscope::fake_cuda
