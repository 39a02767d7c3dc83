// Allocations, copies and fills.
#include <cuda_runtime_api.h>

#include <cstring>
#include <memory>
#include <vector>

#include "tests/support/fake_cuda/machine.h"

using namespace streamscope::fake_cuda;
using streamscope::Nanoseconds;

namespace {

cudaError_t allocate(Machine& machine, Place place, void** data, std::size_t bytes) {
  *data = machine.memory.allocate(place, bytes);
  return *data != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}

// Waits for the whole device, as cudaFree and cudaFreeHost do (cuda-rules 4).
cudaError_t release(Machine& machine, Place place, void* data) {
  if (data == nullptr) return cudaSuccess;
  if (const cudaError_t code = machine.wait(machine.queue.pending()); code != cudaSuccess) return code;
  return machine.memory.release(place, data) ? cudaSuccess : machine.misuse("memory is freed that is not allocated");
}

Nanoseconds takes(std::uint64_t bytes) { return 2'000 + static_cast<Nanoseconds>(bytes / 50); }

struct Copy {
  void* to;
  const void* from;
  std::size_t bytes;
  cudaMemcpyKind kind;
  bool to_device() const { return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice; }
  bool from_device() const { return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice; }
};

// The range is on the device, or on the host, pinned or not, and lies within its allocation.
bool lies_right(const Machine& machine, const void* data, std::size_t bytes, bool on_device) {
  return machine.memory.within(data, bytes) && (machine.memory.place(data, bytes) == Place::device) == on_device;
}

// From pageable memory the bytes are taken at once, into a buffer of the driver's (cuda-rules 8); to pageable memory
// the call returns when they are there.
cudaError_t copy(Machine& machine, const Copy& copied, CUstream_st* stream, bool blocking) {
  const auto& [to, from, bytes, kind] = copied;
  if (!lies_right(machine, to, bytes, copied.to_device()) || !lies_right(machine, from, bytes, copied.from_device())) {
    return machine.misuse(fmt::format("a copy of kind {} with a range that is not there", static_cast<int>(kind)));
  }
  const void* const host = kind == cudaMemcpyHostToDevice ? from : to;
  const bool pageable = kind != cudaMemcpyDeviceToDevice && machine.memory.place(host, bytes) == Place::elsewhere;
  const bool staged = pageable && kind == cudaMemcpyHostToDevice;
  auto staging = std::make_shared<std::vector<char>>();
  if (staged) staging->assign(static_cast<const char*>(from), static_cast<const char*>(from) + bytes);
  Work work;
  work.duration = takes(bytes);
  work.engine = kind == cudaMemcpyHostToDevice   ? FakeEngine::h2d
                : kind == cudaMemcpyDeviceToHost ? FakeEngine::d2h
                                                 : FakeEngine::none;
  work.finish = [&machine, copied, staged, staging](Nanoseconds) {
    if (!lies_right(machine, copied.to, copied.bytes, copied.to_device()) ||
        (!staged && !lies_right(machine, copied.from, copied.bytes, copied.from_device()))) {
      machine.misuse("memory was freed under a copy");
      return;
    }
    machine.move_bytes(copied.to, staged ? staging->data() : copied.from, copied.bytes);
  };
  const WorkPtr put = machine.queue.put(stream, std::move(work));
  const bool waits = staged ? false : pageable || (blocking && kind != cudaMemcpyDeviceToDevice);
  return waits ? machine.wait({put}) : cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
  return call("cudaMalloc", std::to_string(bytes),
              [&](Machine& machine) { return allocate(machine, Place::device, data, bytes); });
}
cudaError_t cudaHostAlloc(void** data, std::size_t bytes, unsigned) {
  return call("cudaHostAlloc", std::to_string(bytes),
              [&](Machine& machine) { return allocate(machine, Place::pinned, data, bytes); });
}
cudaError_t cudaFree(void* data) {
  return call(
      "cudaFree", "", [&](Machine& machine) { return release(machine, Place::device, data); },
      Failing::releases_all_the_same);
}
cudaError_t cudaFreeHost(void* data) {
  return call(
      "cudaFreeHost", "", [&](Machine& machine) { return release(machine, Place::pinned, data); },
      Failing::releases_all_the_same);
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return call("cudaMemGetInfo", "", [&](Machine& machine) {
    *free = machine.memory.free_bytes();
    *total = MemoryMap::kDeviceBytes;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  return call("cudaHostGetDevicePointer", "", [&](Machine& machine) {
    if (machine.memory.place(host, 1) != Place::pinned) return machine.misuse("memory that is not pinned has no view");
    *device = host;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return call("cudaMemcpyAsync", std::to_string(bytes), [&](Machine& machine) {
    CUstream_st* const in = machine.queue.find(stream);
    if (in == nullptr) return machine.misuse("a copy in a dead stream", cudaErrorInvalidResourceHandle);
    return copy(machine, {to, from, bytes, kind}, in, false);
  });
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return call("cudaMemcpy", std::to_string(bytes), [&](Machine& machine) {
    return copy(machine, {to, from, bytes, kind}, machine.queue.find(static_cast<CUstream_st*>(nullptr)), true);
  });
}

cudaError_t cudaMemsetAsync(void* data, int value, std::size_t bytes, cudaStream_t stream) {
  return call("cudaMemsetAsync", std::to_string(bytes), [&](Machine& machine) {
    CUstream_st* const in = machine.queue.find(stream);
    if (in == nullptr) return machine.misuse("a memset in a dead stream", cudaErrorInvalidResourceHandle);
    if (!lies_right(machine, data, bytes, true)) return machine.misuse("a memset of what is not there");
    Work work;
    work.duration = takes(bytes);
    work.finish = [&machine, data, value, bytes](Nanoseconds) {
      if (lies_right(machine, data, bytes, true)) {
        std::memset(data, value, bytes);
      } else {
        machine.misuse("memory was freed under a memset");
      }
    };
    machine.queue.put(in, std::move(work));
    return cudaSuccess;
  });
}

}  // extern "C"
