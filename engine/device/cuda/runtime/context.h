// What all programs on one GPU share: the memory pool, a stream for control, the clocks, the flag that ends spins
// early.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "engine/device/cuda/clocks/device_clock.h"
#include "engine/device/cuda/clocks/measure_dispatch_latency.h"
#include "engine/device/cuda/runtime/handle.h"
#include "engine/device/cuda/runtime/memory.h"
#include "engine/device/cuda/runtime/open_options.h"
#include "engine/device/device.h"

namespace streamscope::cuda {

struct CudaContext {
  int index = 0;
  OpenOptions options;
  std::string pci_bus_id;  // "0000:3b:00.0"
  device::DeviceInfo info;
  std::string compiled_for;            // compute capability that the kernels' code for this GPU is made for: "9.0"
  std::size_t shared_bytes_limit = 0;  // most dynamic shared memory of a block
  Nanoseconds cycle_picoseconds = 0;   // of the multiprocessors' clock at its rated speed
  bool managed = false;                // host and device may touch managed memory at the same time
  bool memory_pools = false;           // cudaMallocAsync
  std::shared_ptr<MemoryPool> pool;
  UniqueStream control;  // non-blocking, of the highest priority; for work outside the timed interval
  DeviceClock clock;
  device::DispatchLatency dispatch;
  std::map<int, device::PeerTime> to_peer;  // by CUDA's index of the other: once measured (measure_peer_link.h)
  double copy_rate = -1;                    // as measured (kernel_launch_facts.cpp); below 0: not yet
  Memory abandon;                           // device: one word, not 0 while spins are to end at once
  Memory abandon_values;                    // pinned: a 0 and a 1 to copy there
  std::atomic<bool> abandoning = true;

  // Whether there are cores to spare for an EventWatcher of each of so many GPUs. Besides, one is for the issuing
  // thread and the others for the driver and the system.
  bool can_watch(std::size_t gpus) const { return options.cores >= cores_to_watch(gpus); }
  static std::size_t cores_to_watch(std::size_t gpus) { return 3 + gpus; }
  // Ends all spins, running or queued. From any thread, whose current device this is then; it uses a copy engine, which
  // kernels cannot block.
  void abandon_spins() noexcept;
  // Before a run: spins last their full time again.
  Result<void> stop_abandoning();
  // From now on cudaMallocAsync's pool keeps freed memory, so that runs after the first find it there. By default it
  // returns memory to the system at every synchronisation, and the next run's first allocation takes longer.
  Result<void> keep_stream_ordered();
  // With the device idle: returns what that pool keeps to the system.
  void trim_stream_ordered() noexcept;
  // Makes this the calling thread's device. Every entry point calls it first.
  Result<void> use() const;
};

Result<std::shared_ptr<CudaContext>> open_context(int index, const OpenOptions& options = {});

}  // namespace streamscope::cuda
