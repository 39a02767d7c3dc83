// The kinds of operation and the hardware that carries them out: words shared by programs, traces and files.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

#include "engine/base/name_table.h"
#include "engine/base/translate.h"

namespace streamscope {

// Spelled in files as by name(): "h2d", "kernel", "sync" ...
enum class OperationKind : std::uint8_t {
  h2d,       // copy, host to device (asynchronous, or the blocking cudaMemcpy)
  d2h,       // copy, device to host
  d2d,       // copy within the device
  memset,    // cudaMemsetAsync
  kernel,    // a kernel
  record,    // cudaEventRecord
  wait,      // cudaStreamWaitEvent
  hostfn,    // cudaLaunchHostFunc
  work,      // busy host thread
  sync,      // the host waits for the device, a stream or an event
  poll,      // the host queries again and again
  malloc,    // memory is allocated inside the run: cudaMalloc, cudaMallocAsync, cudaMallocHost
  free,      // and freed: cudaFree, cudaFreeAsync, cudaFreeHost
  touch,     // the host reads and writes memory
  prefetch,  // cudaMemPrefetchAsync
  launch,    // cudaGraphLaunch: the call; the graph's nodes are operations of their own
  thread,    // the host starts another thread
  join,      // the host waits for that thread
  elapsed,   // cudaEventElapsedTime
  query,     // the host queries once
  create,    // a stream, an event or a graph is made inside the run; of a graph, each call that captures it
  destroy,   // and destroyed
  peer,      // copy from one device to another
  device,    // the host makes another device current, or lets two reach each other's memory
  pin,       // cudaHostRegister: pageable memory becomes pinned inside the run
  unpin,     // cudaHostUnregister: and pageable again
  fault,     // a kernel that fails
  reset,     // cudaDeviceReset
};
template <>
inline constexpr NameTable<28> kNames<OperationKind>{
    "h2d",    "d2h",     "d2d",  "memset", "kernel",   "record",     "wait",   "hostfn", "work",    "sync",
    "poll",   "malloc",  "free", "touch",  "prefetch", "launch",     "thread", "join",   "elapsed", "query",
    "create", "destroy", "peer", "device", "register", "unregister", "fault",  "reset"};
inline constexpr std::size_t kOperationKinds = kNames<OperationKind>.size();
// Calls that may wait for the whole device though nobody asked them to (docs/cuda-rules.md 4).
constexpr bool may_wait_unasked(OperationKind kind) {
  return kind == OperationKind::malloc || kind == OperationKind::free || kind == OperationKind::pin ||
         kind == OperationKind::unpin || kind == OperationKind::reset;
}

// What a call of CUDA's returned, where a program goes on whatever that is. Spelled as CUDA does.
enum class CallResult : std::uint8_t {
  success,
  not_ready,
  invalid_resource_handle,
  other,
  illegal_address,
  device_assert,
  launch_failure,
  invalid_configuration,
  devices_unavailable,
  invalid_value,
  memory_allocation,
  capture_unsupported,
  capture_invalidated,
};
template <>
inline constexpr NameTable<13> kNames<CallResult>{"cudaSuccess",
                                                  "cudaErrorNotReady",
                                                  "cudaErrorInvalidResourceHandle",
                                                  "cudaErrorUnknown",
                                                  "cudaErrorIllegalAddress",
                                                  "cudaErrorAssert",
                                                  "cudaErrorLaunchFailure",
                                                  "cudaErrorInvalidConfiguration",
                                                  "cudaErrorDevicesUnavailable",
                                                  "cudaErrorInvalidValue",
                                                  "cudaErrorMemoryAllocation",
                                                  "cudaErrorStreamCaptureUnsupported",
                                                  "cudaErrorStreamCaptureInvalidated"};
// What a kernel that failed leaves: from then on each call of the process returns it.
constexpr bool sticks(CallResult result) {
  return result == CallResult::illegal_address || result == CallResult::device_assert ||
         result == CallResult::launch_failure;
}

// What carries an operation out. The view by engine has a track for each.
// `peer` of a device is the way out of it to other devices.
enum class Engine : std::uint8_t { none, h2d, d2h, compute, host, peer };
template <>
inline constexpr NameTable<6> kNames<Engine>{"none", "h2d", "d2h", "compute", "host", "peer"};
inline constexpr std::size_t kEngines = kNames<Engine>.size();

// A queue of the hardware: each device that a program runs on has its own engines.
struct DeviceEngine {
  std::uint32_t device = 0;  // index among them
  Engine engine = Engine::none;
  friend constexpr auto operator<=>(const DeviceEngine&, const DeviceEngine&) = default;
};
// Counts on over the devices: of the first device the engine's own number.
constexpr std::uint32_t number(DeviceEngine of) {
  return of.device * static_cast<std::uint32_t>(kEngines) + static_cast<std::uint32_t>(of.engine);
}
constexpr DeviceEngine device_engine(std::uint32_t number) {
  constexpr auto kEach = static_cast<std::uint32_t>(kEngines);
  return {number / kEach, static_cast<Engine>(number % kEach)};
}

std::string_view name(OperationKind kind);
std::string_view name(CallResult result);
std::string_view name(Engine engine);  // "none" for none

// How people read of an engine: to be shown by tr().
struct EngineWords {
  std::string_view name;      // in a list
  std::string_view label;     // before a bar
  std::string_view track;     // before a track
  std::string_view text;      // in a sentence
  std::string_view the_text;  // and with its article
  std::string_view hardware;
};
const EngineWords& words_of(Engine engine);

}  // namespace streamscope
