// Devices, versions and errors.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <utility>

#include "tests/support/fake_cuda/machine.h"

using namespace streamscope::fake_cuda;

namespace {

constexpr int kMultiprocessors = 8;
constexpr int kSharedBytes = 99 << 10;

const char* name_of(cudaError_t code) {
  switch (code) {
#define STREAMSCOPE_NAME(error) \
  case error: return #error
    STREAMSCOPE_NAME(cudaSuccess);
    STREAMSCOPE_NAME(cudaErrorInvalidValue);
    STREAMSCOPE_NAME(cudaErrorMemoryAllocation);
    STREAMSCOPE_NAME(cudaErrorInvalidConfiguration);
    STREAMSCOPE_NAME(cudaErrorInvalidResourceHandle);
    STREAMSCOPE_NAME(cudaErrorInvalidDevice);
    STREAMSCOPE_NAME(cudaErrorNoDevice);
    STREAMSCOPE_NAME(cudaErrorNotReady);
    STREAMSCOPE_NAME(cudaErrorIllegalAddress);
    STREAMSCOPE_NAME(cudaErrorAssert);
    STREAMSCOPE_NAME(cudaErrorLaunchFailure);
    STREAMSCOPE_NAME(cudaErrorDevicesUnavailable);
    STREAMSCOPE_NAME(cudaErrorInsufficientDriver);
    STREAMSCOPE_NAME(cudaErrorStreamCaptureUnsupported);
    STREAMSCOPE_NAME(cudaErrorStreamCaptureUnjoined);
    STREAMSCOPE_NAME(cudaErrorNoKernelImageForDevice);
    STREAMSCOPE_NAME(cudaErrorUnknown);
    STREAMSCOPE_NAME(cudaErrorPeerAccessAlreadyEnabled);
    STREAMSCOPE_NAME(cudaErrorPeerAccessNotEnabled);
#undef STREAMSCOPE_NAME
    default: return "unrecognized error code";
  }
}

}  // namespace

extern "C" {

const char* cudaGetErrorName(cudaError_t code) { return name_of(code); }
const char* cudaGetErrorString(cudaError_t) { return "as the script has it"; }
// Neither counted nor made to fail. An error that sticks is forgotten, too, until the next call returns it (H100,
// CUDA 13.0).
cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return last_error; }

// It succeeds whatever was before, and behind an error that sticks there is no device. What was made stays here.
cudaError_t cudaDeviceReset() {
  const cudaError_t before = last_error;
  call("cudaDeviceReset", "", [](Machine& machine) { return machine.wait(machine.queue.pending()); });
  last_error = before;
  Machine& machine = the_machine();
  const std::lock_guard lock(machine.mutex);
  if (machine.script.sticky != cudaSuccess) machine.script.sticky = cudaErrorDevicesUnavailable;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int bytes, int) {
  return call("cudaDeviceGetPCIBusId", "", [&](Machine&) {
    std::snprintf(id, static_cast<std::size_t>(bytes), "0000:00:00.0");
    return cudaSuccess;
  });
}
cudaError_t cudaDriverGetVersion(int* version) {
  return call("cudaDriverGetVersion", "", [&](Machine&) {
    *version = CUDART_VERSION;
    return cudaSuccess;
  });
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  return call("cudaRuntimeGetVersion", "", [&](Machine&) {
    *version = CUDART_VERSION;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceCount(int* count) {
  return call("cudaGetDeviceCount", "", [&](Machine& machine) {
    *count = static_cast<int>(machine.gpus.size());
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return call("cudaGetDeviceProperties", "", [&](Machine& machine) {
    if (!machine.has_gpu(device)) return cudaErrorInvalidDevice;
    *properties = cudaDeviceProp{};
    std::snprintf(properties->name, sizeof properties->name, "Scripted fake");
    properties->major = machine.gpus[static_cast<std::size_t>(device)].major;
    properties->minor = machine.gpus[static_cast<std::size_t>(device)].minor;
    properties->totalGlobalMem = MemoryMap::kDeviceBytes;
    properties->multiProcessorCount = kMultiprocessors;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return call("cudaDeviceGetAttribute", std::to_string(static_cast<int>(attribute)), [&](Machine& machine) {
    if (!machine.has_gpu(device)) return cudaErrorInvalidDevice;
    switch (attribute) {
      case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = kSharedBytes; return cudaSuccess;
      case cudaDevAttrClockRate: *value = 1'980'000; return cudaSuccess;
      case cudaDevAttrAsyncEngineCount: *value = 2; return cudaSuccess;
      case cudaDevAttrConcurrentManagedAccess:
      case cudaDevAttrMemoryPoolsSupported: *value = 1; return cudaSuccess;
      case cudaDevAttrL2CacheSize: *value = 1 << 20; return cudaSuccess;
      case cudaDevAttrKernelExecTimeout: *value = 0; return cudaSuccess;
      case cudaDevAttrComputeMode:
        *value = machine.gpus[static_cast<std::size_t>(device)].prohibited ? cudaComputeModeProhibited
                                                                           : cudaComputeModeDefault;
        return cudaSuccess;
      default: return machine.misuse(fmt::format("attribute {} is not known to the fake", static_cast<int>(attribute)));
    }
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* lowest, int* highest) {
  return call("cudaDeviceGetStreamPriorityRange", "", [&](Machine&) {
    *lowest = 0;
    *highest = -5;
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  {
    // An error that sticks does not keep it from that; that there is no device does.
    Machine& machine = the_machine();
    const std::lock_guard lock(machine.mutex);
    const cudaError_t sticky = machine.script.sticky;
    if (sticky != cudaSuccess && sticky != cudaErrorDevicesUnavailable && machine.has_gpu(device)) {
      current_device = device;
      chose_device = true;
      return cudaSuccess;
    }
  }
  return call("cudaSetDevice", "", [&](Machine& machine) {
    if (!machine.has_gpu(device)) return cudaErrorInvalidDevice;
    current_device = device;
    chose_device = true;
    return cudaSuccess;
  });
}
cudaError_t cudaGetDevice(int* device) {
  return call("cudaGetDevice", "", [&](Machine&) {
    *device = current_device;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return call("cudaDeviceCanAccessPeer", "", [&](Machine& machine) {
    if (!machine.has_gpu(device) || !machine.has_gpu(peer)) return cudaErrorInvalidDevice;
    *can = device != peer && !machine.gpus[static_cast<std::size_t>(peer)].unreachable;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  return call("cudaDeviceEnablePeerAccess", "", [&](Machine& machine) {
    if (!machine.has_gpu(peer) || peer == current_device) return cudaErrorInvalidDevice;
    return machine.peers.emplace(current_device, peer).second ? cudaSuccess : cudaErrorPeerAccessAlreadyEnabled;
  });
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return call(
      "cudaDeviceDisablePeerAccess", "",
      [&](Machine& machine) {
        return machine.peers.erase({current_device, peer}) == 1 ? cudaSuccess : cudaErrorPeerAccessNotEnabled;
      },
      Failing::releases_all_the_same);
}

cudaError_t cudaDeviceSynchronize() {
  return call("cudaDeviceSynchronize", "", [](Machine& machine) { return machine.wait(machine.queue.pending()); });
}

// No program's own kernel is loaded here: that takes the driver.
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes*, const void*) {
  return call("cudaFuncGetAttributes", "", [](Machine&) { return cudaErrorInvalidDeviceFunction; });
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) {
  return call("cudaFuncSetAttribute", "", [](Machine&) { return cudaErrorInvalidDeviceFunction; });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int*, const void*, int, std::size_t) {
  return call("cudaOccupancyMaxActiveBlocksPerMultiprocessor", "",
              [](Machine&) { return cudaErrorInvalidDeviceFunction; });
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**) {
  return call("cudaLaunchKernelExC", "", [](Machine&) { return cudaErrorInvalidDeviceFunction; });
}

}  // extern "C"
