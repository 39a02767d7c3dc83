// The kinds of operation and the hardware that carries them out: words shared by programs, traces and files.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

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
  malloc,    // cudaMalloc or cudaMallocAsync inside the run
  free,      // cudaFree or cudaFreeAsync inside the run
  touch,     // the host reads and writes memory
  prefetch,  // cudaMemPrefetchAsync
  launch,    // cudaGraphLaunch: the call; the graph's nodes are operations of their own
  thread,    // the host starts another thread
  join,      // the host waits for that thread
};
inline constexpr std::size_t kOperationKinds = 18;

// What carries an operation out. The view by engine has a track for each.
enum class Engine : std::uint8_t { none, h2d, d2h, compute, host };
inline constexpr std::size_t kEngines = 5;

std::string_view name(OperationKind kind);
std::string_view name(Engine engine);  // "none" for none
std::optional<OperationKind> operation_kind(std::string_view name);
std::optional<Engine> engine(std::string_view name);

}  // namespace streamscope
