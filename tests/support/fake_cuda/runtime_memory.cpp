// Allocations, copies and fills.
#include <cuda_runtime_api.h>

#include <cstring>
#include <initializer_list>
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

// Waits for the whole device, as cudaFree and cudaFreeHost do (docs/cuda-rules.md 4); of memory of the pool cudaFree
// takes it that nothing uses it any more.
cudaError_t release(Machine& machine, std::initializer_list<Place> places, void* data) {
  if (data == nullptr || machine.memory.release(Place::pool, data)) return cudaSuccess;
  if (const cudaError_t code = machine.wait(machine.queue.pending()); code != cudaSuccess) return code;
  for (const Place place : places) {
    if (machine.memory.release(place, data)) return cudaSuccess;
  }
  return machine.misuse("memory is freed that is not allocated");
}

Nanoseconds takes(std::uint64_t bytes) { return 2'000 + static_cast<Nanoseconds>(bytes / 50); }

// In rows: `bytes` is the width of each.
struct Copy {
  void* to;
  const void* from;
  std::size_t bytes;
  cudaMemcpyKind kind;
  std::size_t rows = 1, to_pitch = 0, from_pitch = 0;
  std::size_t to_bytes() const { return (rows - 1) * to_pitch + bytes; }  // from the first to the last
  std::size_t from_bytes() const { return (rows - 1) * from_pitch + bytes; }
  bool to_device() const { return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice; }
  bool from_device() const { return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice; }
};

// The range is on the device, or on the host, pinned or not, and lies within its allocation.
bool lies_right(const Machine& machine, const void* data, std::size_t bytes, bool on_device) {
  const Place place = machine.memory.place(data, bytes);
  return machine.memory.within(data, bytes) && (on_device ? reached_by_device(place) : reached_by_host(place));
}

// From pageable memory the bytes are taken at once, into a buffer of the driver's (docs/cuda-rules.md 8); to pageable
// memory the call returns when they are there.
cudaError_t copy(Machine& machine, const Copy& copied, CUstream_st* stream, bool blocking) {
  const auto& [to, from, bytes, kind, rows, to_pitch, from_pitch] = copied;
  if (!lies_right(machine, to, copied.to_bytes(), copied.to_device()) ||
      !lies_right(machine, from, copied.from_bytes(), copied.from_device())) {
    return machine.misuse(fmt::format("a copy of kind {} with a range that is not there", static_cast<int>(kind)));
  }
  const void* const host = kind == cudaMemcpyHostToDevice ? from : to;
  const bool pageable = kind != cudaMemcpyDeviceToDevice && machine.memory.place(host, bytes) == Place::elsewhere &&
                        !machine.memory.registered(host, copied.to_device() ? copied.from_bytes() : copied.to_bytes());
  const bool staged = pageable && kind == cudaMemcpyHostToDevice && stream->capturing == nullptr;
  auto staging = std::make_shared<std::vector<char>>();
  if (staged) staging->assign(static_cast<const char*>(from), static_cast<const char*>(from) + copied.from_bytes());
  const WorkPtr put = machine.queue.put(stream, [&machine, copied, staged, staging] {
    Work work;
    work.duration = takes(copied.rows * copied.bytes) + static_cast<Nanoseconds>(copied.rows - 1) * 4;
    work.engine = copied.kind == cudaMemcpyHostToDevice   ? FakeEngine::h2d
                  : copied.kind == cudaMemcpyDeviceToHost ? FakeEngine::d2h
                                                          : FakeEngine::none;
    work.finish = [&machine, copied, staged, staging](Nanoseconds) {
      if (!lies_right(machine, copied.to, copied.to_bytes(), copied.to_device()) ||
          (!staged && !lies_right(machine, copied.from, copied.from_bytes(), copied.from_device()))) {
        machine.misuse("memory was freed under a copy");
        return;
      }
      const char* const source = staged ? staging->data() : static_cast<const char*>(copied.from);
      for (std::size_t row = 0; row < copied.rows; ++row) {
        machine.move_bytes(static_cast<char*>(copied.to) + row * copied.to_pitch, source + row * copied.from_pitch,
                           copied.bytes);
      }
    };
    return work;
  });
  if (!put) return cudaSuccess;  // captured
  const bool waits = staged ? false : pageable || (blocking && kind != cudaMemcpyDeviceToDevice);
  return waits ? machine.wait({put}) : cudaSuccess;
}

// body(machine, stream) with a stream that lives.
template <class Body>
cudaError_t in_stream(std::string_view name, std::size_t bytes, cudaStream_t stream, const Body& body) {
  return call(name, std::to_string(bytes), [&](Machine& machine) {
    CUstream_st* const in = machine.queue.find(stream);
    if (in == nullptr) return machine.misuse(fmt::format("{} in a dead stream", name), cudaErrorInvalidResourceHandle);
    return body(machine, in);
  });
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
  return call("cudaMalloc", std::to_string(bytes),
              [&](Machine& machine) { return allocate(machine, Place::device, data, bytes); });
}
cudaError_t cudaHostAlloc(void** data, std::size_t bytes, unsigned flags) {
  return call("cudaHostAlloc", std::to_string(bytes), [&](Machine& machine) {
    return allocate(machine, (flags & cudaHostAllocMapped) != 0 ? Place::mapped : Place::pinned, data, bytes);
  });
}
// Straight from one device's memory to the other's: in the queue of its stream, on no engine.
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                cudaStream_t stream) {
  return in_stream("cudaMemcpyPeerAsync", bytes, stream, [&](Machine& machine, CUstream_st* in) {
    if (machine.memory.device_of(to) != to_device || machine.memory.device_of(from) != from_device) {
      return machine.misuse("a copy between devices with a range that is not there");
    }
    return copy(machine, {to, from, bytes, cudaMemcpyDeviceToDevice}, in, false);
  });
}
cudaError_t cudaMallocHost(void** data, std::size_t bytes) {
  return call("cudaMallocHost", std::to_string(bytes),
              [&](Machine& machine) { return allocate(machine, Place::pinned, data, bytes); });
}
// Waits for nothing; cudaHostUnregister waits for the whole device (docs/cuda-rules.md 4).
cudaError_t cudaHostRegister(void* data, std::size_t bytes, unsigned) {
  return call("cudaHostRegister", std::to_string(bytes), [&](Machine& machine) {
    if (machine.memory.place(data, bytes) != Place::elsewhere) return cudaErrorHostMemoryAlreadyRegistered;
    return machine.memory.add_registered(data, bytes) ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered;
  });
}
cudaError_t cudaHostUnregister(void* data) {
  return call(
      "cudaHostUnregister", "",
      [&](Machine& machine) {
        if (const cudaError_t code = machine.wait(machine.queue.pending()); code != cudaSuccess) return code;
        return machine.memory.remove_registered(data) ? cudaSuccess : cudaErrorHostMemoryNotRegistered;
      },
      Failing::releases_all_the_same);
}
cudaError_t cudaMallocManaged(void** data, std::size_t bytes, unsigned) {
  return call("cudaMallocManaged", std::to_string(bytes),
              [&](Machine& machine) { return allocate(machine, Place::managed, data, bytes); });
}
cudaError_t cudaFree(void* data) {
  return call(
      "cudaFree", "",
      [&](Machine& machine) {
        return release(machine, {Place::device, Place::managed}, data);
      },
      Failing::releases_all_the_same);
}
cudaError_t cudaFreeHost(void* data) {
  return call(
      "cudaFreeHost", "",
      [&](Machine& machine) {
        return release(machine, {Place::pinned, Place::mapped}, data);
      },
      Failing::releases_all_the_same);
}

// There at once; what comes before it in its stream does not see it.
cudaError_t cudaMallocAsync(void** data, std::size_t bytes, cudaStream_t stream) {
  return in_stream("cudaMallocAsync", bytes, stream, [&](Machine& machine, CUstream_st* in) {
    machine.queue.put(in, Work{});
    return allocate(machine, Place::pool, data, bytes);
  });
}
cudaError_t cudaFreeAsync(void* data, cudaStream_t stream) {
  return in_stream("cudaFreeAsync", 0, stream, [&](Machine& machine, CUstream_st* in) {
    if (const Place place = machine.memory.place(data, 1); place != Place::device && place != Place::pool)
      return machine.misuse("memory is freed that is not allocated");
    Work work;
    work.finish = [&machine, data](Nanoseconds) {
      if (!machine.memory.release_on_device(data)) machine.misuse("memory was freed twice");
    };
    machine.queue.put(in, std::move(work));
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) {
  return call("cudaDeviceGetDefaultMemPool", "", [&](Machine&) {
    static char only = 0;
    *pool = reinterpret_cast<cudaMemPool_t>(&only);
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) {
  return call("cudaMemPoolSetAttribute", "", [](Machine&) { return cudaSuccess; });
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) {
  return call("cudaMemPoolTrimTo", "", [](Machine&) { return cudaSuccess; });
}

#if CUDART_VERSION >= 13000
cudaError_t cudaMemPrefetchAsync(const void* data, std::size_t bytes, cudaMemLocation, unsigned, cudaStream_t stream) {
#else
cudaError_t cudaMemPrefetchAsync(const void* data, std::size_t bytes, int, cudaStream_t stream) {
#endif
  return in_stream("cudaMemPrefetchAsync", bytes, stream, [&](Machine& machine, CUstream_st* in) {
    if (machine.memory.place(data, bytes) != Place::managed) return machine.misuse("a prefetch of what is not managed");
    Work work;
    work.duration = takes(bytes);
    machine.queue.put(in, std::move(work));
    return cudaSuccess;
  });
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
    const Place place = machine.memory.place(host, 1);
    if (place != Place::pinned && place != Place::mapped && !machine.memory.registered(host, 1))
      return machine.misuse("memory that is not pinned has no view");
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

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return call("cudaMemcpy2DAsync", fmt::format("{} x {}", height, width), [&](Machine& machine) {
    CUstream_st* const in = machine.queue.find(stream);
    if (in == nullptr) return machine.misuse("a copy in a dead stream", cudaErrorInvalidResourceHandle);
    if (to_pitch < width || from_pitch < width) return cudaErrorInvalidPitchValue;
    return copy(machine, {to, from, width, kind, height, to_pitch, from_pitch}, in, false);
  });
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return call("cudaMemcpy", std::to_string(bytes), [&](Machine& machine) {
    return copy(machine, {to, from, bytes, kind}, machine.queue.find(static_cast<CUstream_st*>(nullptr)),
                kind != cudaMemcpyDeviceToDevice);
  });
}

// As they are called where the default stream is per thread.
cudaError_t cudaMemcpy_ptds(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return call("cudaMemcpy", std::to_string(bytes), [&](Machine& machine) {
    return copy(machine, {to, from, bytes, kind}, machine.queue.find(cudaStreamPerThread),
                kind != cudaMemcpyDeviceToDevice);
  });
}
cudaError_t cudaMemset_ptds(void* data, int value, std::size_t bytes) {
  return cudaMemsetAsync(data, value, bytes, cudaStreamPerThread);
}

cudaError_t cudaMemset(void* data, int value, std::size_t bytes) {
  return cudaMemsetAsync(data, value, bytes, cudaStreamLegacy);
}

cudaError_t cudaMemsetAsync(void* data, int value, std::size_t bytes, cudaStream_t stream) {
  return call("cudaMemsetAsync", std::to_string(bytes), [&](Machine& machine) {
    CUstream_st* const in = machine.queue.find(stream);
    if (in == nullptr) return machine.misuse("a memset in a dead stream", cudaErrorInvalidResourceHandle);
    if (!lies_right(machine, data, bytes, true)) return machine.misuse("a memset of what is not there");
    machine.queue.put(in, [&machine, data, value, bytes] {
      Work work;
      work.duration = takes(bytes);
      work.finish = [&machine, data, value, bytes](Nanoseconds) {
        if (lies_right(machine, data, bytes, true)) {
          std::memset(data, value, bytes);
        } else {
          machine.misuse("memory was freed under a memset");
        }
      };
      return work;
    });
    return cudaSuccess;
  });
}

}  // extern "C"
