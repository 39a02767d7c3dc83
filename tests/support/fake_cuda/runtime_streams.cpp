// Streams, events and host functions.
#include <cuda_runtime_api.h>

#include <algorithm>

#include "tests/support/fake_cuda/machine.h"

using namespace streamscope::fake_cuda;
using streamscope::Nanoseconds;

namespace {

// body(machine, stream) with a stream that lives.
template <class Body>
cudaError_t on_stream(std::string_view name, cudaStream_t stream, const Body& body) {
  return call(name, "", [&](Machine& machine) {
    CUstream_st* const found = machine.queue.find(stream);
    if (found == nullptr) return machine.misuse(fmt::format("{}: a dead stream", name), cudaErrorInvalidResourceHandle);
    if ((stream == cudaStreamLegacy || stream == cudaStreamPerThread) && !chose_device) {
      return machine.misuse(fmt::format("{}: a default stream in a thread without a device", name));
    }
    return body(machine, *found);
  });
}

template <class Body>
cudaError_t on_event(std::string_view name, cudaEvent_t event, const Body& body) {
  return call(name, "", [&](Machine& machine) {
    CUevent_st* const found = machine.queue.find(event);
    if (found == nullptr) return machine.misuse(fmt::format("{}: a dead event", name), cudaErrorInvalidResourceHandle);
    return body(machine, *found);
  });
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return call("cudaStreamCreateWithPriority", "", [&](Machine& machine) {
    *stream = machine.queue.make_stream((flags & cudaStreamNonBlocking) != 0);
    (*stream)->priority = std::clamp(priority, -5, 0);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call(
      "cudaStreamDestroy", "",
      [&](Machine& machine) {
        if (machine.queue.destroy_stream(stream)) return cudaSuccess;
        return machine.misuse("a dead stream is destroyed", cudaErrorInvalidResourceHandle);
      },
      Failing::releases_all_the_same);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return on_stream("cudaStreamSynchronize", stream, [](Machine& machine, CUstream_st& found) {
    if (found.capturing != nullptr)
      return machine.misuse("a captured stream is waited for", cudaErrorStreamCaptureUnsupported);
    return machine.wait(machine.queue.pending(&found));
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return on_stream("cudaStreamQuery", stream, [](Machine& machine, CUstream_st& found) {
    if (found.capturing != nullptr)
      return machine.misuse("a captured stream is asked for", cudaErrorStreamCaptureUnsupported);
    return machine.queue.pending(&found).empty() ? cudaSuccess : cudaErrorNotReady;
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return on_stream("cudaStreamGetDevice", stream, [&](Machine&, CUstream_st& found) {
    *device = found.device;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return on_stream("cudaStreamGetPriority", stream, [&](Machine&, CUstream_st& found) {
    *priority = found.priority;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return on_stream("cudaStreamGetFlags", stream, [&](Machine&, CUstream_st& found) {
    *flags = found.nonblocking ? cudaStreamNonBlocking : cudaStreamDefault;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return on_stream("cudaStreamGetId", stream, [&](Machine&, CUstream_st& found) {
    *id = reinterpret_cast<std::uintptr_t>(&found);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return on_stream("cudaStreamIsCapturing", stream, [&](Machine&, CUstream_st& found) {
    *status = found.capturing != nullptr ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call("cudaEventCreateWithFlags", "", [&](Machine& machine) {
    *event = machine.queue.make_event((flags & cudaEventDisableTiming) == 0);
    return cudaSuccess;
  });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call(
      "cudaEventDestroy", "",
      [&](Machine& machine) {
        if (machine.queue.destroy_event(event)) return cudaSuccess;
        return machine.misuse("a dead event is destroyed", cudaErrorInvalidResourceHandle);
      },
      Failing::releases_all_the_same);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return on_stream("cudaEventRecord", stream, [&](Machine& machine, CUstream_st& found) {
    CUevent_st* const recorded = machine.queue.find(event);
    if (recorded == nullptr) return machine.misuse("a dead event is recorded", cudaErrorInvalidResourceHandle);
    if (recorded->device != found.device) {
      return machine.misuse("an event is recorded in a stream of another device", cudaErrorInvalidResourceHandle);
    }
    machine.queue.record(recorded, &found);
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return on_stream("cudaEventRecordWithFlags", stream, [&](Machine& machine, CUstream_st& found) {
    CUevent_st* const recorded = machine.queue.find(event);
    if (recorded == nullptr) return machine.misuse("a dead event is recorded", cudaErrorInvalidResourceHandle);
    if (flags != cudaEventRecordExternal || !machine.queue.record_external(recorded, &found))
      return machine.misuse("an external record outside of a capture");
    return cudaSuccess;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return on_stream("cudaStreamWaitEvent", stream, [&](Machine& machine, CUstream_st& found) {
    CUevent_st* const awaited = machine.queue.find(event);
    if (awaited == nullptr) return machine.misuse("a wait for a dead event", cudaErrorInvalidResourceHandle);
    if (awaited->captured != nullptr && machine.queue.find(awaited->captured) == nullptr) {
      return machine.misuse("a wait for what was recorded under capture", cudaErrorCapturedEvent);
    }
    if (flags == cudaEventWaitExternal) {
      if (machine.queue.wait_external(&found, awaited)) return cudaSuccess;
      return machine.misuse("an external wait outside of a capture");
    }
    machine.queue.wait_event(&found, awaited);
    return cudaSuccess;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return on_event("cudaEventSynchronize", event, [](Machine& machine, CUevent_st& found) {
    if (found.captured != nullptr) return machine.misuse("a captured event is waited for", cudaErrorCapturedEvent);
    return found.record ? machine.wait({found.record}) : cudaSuccess;
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return on_event("cudaEventQuery", event, [](Machine& machine, CUevent_st& found) {
    if (found.captured != nullptr) return machine.misuse("a captured event is asked for", cudaErrorCapturedEvent);
    return !found.record || found.record->ended ? cudaSuccess : cudaErrorNotReady;
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  return on_event("cudaEventElapsedTime", from, [&](Machine& machine, CUevent_st& first) {
    CUevent_st* const second = machine.queue.find(to);
    if (second == nullptr) return machine.misuse("the time of a dead event", cudaErrorInvalidResourceHandle);
    if (!first.timing || !second->timing || !first.record || !second->record) return cudaErrorInvalidResourceHandle;
    if (!first.record->ended || !second->record->ended) return cudaErrorNotReady;
    *milliseconds = static_cast<float>(
        (Clock::event_nanoseconds(second->record->end) - Clock::event_nanoseconds(first.record->end)) / 1e6);
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return on_stream("cudaLaunchHostFunc", stream, [&](Machine& machine, CUstream_st& found) {
    machine.queue.put(&found, [function, data] {
      Work work;
      // It runs here and now in real time, and beside the thread that issues on the fake's clock.
      work.begin = [function, data](Nanoseconds start) {
        const OwnClock clock(start);
        function(data);
        return clock.now() - start;
      };
      return work;
    });
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data, unsigned) {
  return on_stream("cudaStreamAddCallback", stream, [&](Machine& machine, CUstream_st& found) {
    if (found.capturing != nullptr)
      return machine.misuse("a callback under capture", cudaErrorStreamCaptureUnsupported);
    machine.queue.put(&found, [function, stream, data, &script = machine.script] {
      Work work;
      work.hears_of_faults = true;
      work.begin = [function, stream, data, &script](Nanoseconds start) {
        if (script.sticky == cudaErrorAssert) return Nanoseconds{0};  // as on an H100
        const OwnClock clock(start);
        function(stream, script.sticky, data);
        return clock.now() - start;
      };
      return work;
    });
    return cudaSuccess;
  });
}

}  // extern "C"
