// The CUDA call of each operation. For issue.cpp.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>
#include <variant>

#include "engine/base/stop_flag.h"
#include "engine/device/cuda/issue/busy_wait.h"
#include "engine/device/cuda/issue/capture_calls.h"
#include "engine/device/cuda/issue/host_functions.h"
#include "engine/device/cuda/issue/host_threads.h"
#include "engine/device/cuda/issue/issue_targets.h"
#include "engine/device/cuda/issue/per_thread_calls.h"
#include "engine/device/cuda/own/own_launcher.h"
#include "engine/device/cuda/runtime/cuda_error.h"
#include "engine/device/cuda/runtime/handle.h"
#include "engine/device/cuda/runtime/peer_access.h"
#include "engine/device/cuda/runtime/prefetch.h"

namespace streamscope::cuda {

struct Called {
  cudaError_t code = cudaSuccess;
  const char* call = "";
};

// All that a stream says of itself; `device` is where CUDA does not tell it.
inline Called ask_attributes(cudaStream_t stream, int device, trace::StreamAttributes& told) {
  unsigned flags = 0;
  unsigned long long id = 0;
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
#if CUDART_VERSION >= 12080
  if (const cudaError_t code = cudaStreamGetDevice(stream, &device); code != cudaSuccess)
    return {code, "cudaStreamGetDevice"};
#endif
  if (const cudaError_t code = cudaStreamGetPriority(stream, &told.priority); code != cudaSuccess)
    return {code, "cudaStreamGetPriority"};
  if (const cudaError_t code = cudaStreamGetFlags(stream, &flags); code != cudaSuccess)
    return {code, "cudaStreamGetFlags"};
  if (const cudaError_t code = cudaStreamGetId(stream, &id); code != cudaSuccess) return {code, "cudaStreamGetId"};
  if (const cudaError_t code = cudaStreamIsCapturing(stream, &capture); code != cudaSuccess)
    return {code, "cudaStreamIsCapturing"};
  told.device = static_cast<std::uint32_t>(device);
  told.nonblocking = (flags & cudaStreamNonBlocking) != 0;
  told.id = id;
  told.capture = status_of(capture);
  return {};
}

inline Called ask_capture(cudaStream_t stream, trace::CaptureAnswer& told) {
  CaptureInfo info;
  const cudaError_t code = capture_info(stream, info);
  told.status = status_of(info.status);
  told.id = info.status == cudaStreamCaptureStatusActive ? info.id : 0;
  return {code, "cudaStreamGetCaptureInfo"};
}

inline kernels::Fault as_launched(program::FaultKind kind) {
  switch (kind) {
    case program::FaultKind::illegal_address: return kernels::Fault::illegal_address;
    case program::FaultKind::assertion: return kernels::Fault::assertion;
    case program::FaultKind::trap: return kernels::Fault::trap;
    case program::FaultKind::launch_config: break;
  }
  return kernels::Fault::launch_config;
}

struct Caller {
  const IssueTargets& to;
  const DeviceTargets* on = nullptr;  // where the operation is carried out
  const IssueInstruments* instruments;
  const BodyTargets* body;  // null unless under capture
  const StopFlag& stop;
  const std::atomic<bool>& over;
  HostThreads* threads;       // null under capture
  bool keeps_errors = false;  // calls fail on purpose
  OperationIndex index = 0;   // of the program's operations, or of the body's under capture
  cudaStream_t stream = nullptr;
  std::uint32_t polls = 0;
  CallResult result = CallResult::success;
  Nanoseconds elapsed = kAbsent;
  cudaStream_t capturing = nullptr;  // whose capture this thread has begun

  char* host(const program::Range& range) const { return to.host[range.buffer.value] + range.offset; }
  char* device(const program::Range& range) const { return on->memory[range.buffer.value] + range.offset; }
  char* device(const program::Range& range, DeviceId of) const {
    return to.devices[of.value].memory[range.buffer.value] + range.offset;
  }
  bool per_thread() const { return to.program->default_per_thread; }
  kernels::StampTo stamp() const {
    if (body != nullptr) return body->stamps.empty() ? kernels::StampTo() : body->stamps[index];
    if (instruments == nullptr || instruments->stamps.empty() || *to.was_reset) return nullptr;
    return instruments->stamps[to.device_of[index]] + to.slot[index];
  }
  kernels::StagesTo stages() const {
    if (body != nullptr || instruments == nullptr || instruments->stages.empty() || *to.was_reset) return {};
    return instruments->stages[to.slot[index]];
  }

  Called operator()(const program::op::Copy& copy) const {
    const bool in = copy.direction == program::Direction::h2d;
    char* const to_data = in ? device(copy.device) : host(copy.host);
    const char* const from = in ? host(copy.host) : device(copy.device);
    const cudaMemcpyKind which = in ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    if (copy.device.pitch != 0)
      return copy_rows(to_data, in ? copy.device : copy.host, from, in ? copy.host : copy.device, which);
    if (copy.blocking)
      return {(per_thread() ? memcpy_per_thread : cudaMemcpy)(to_data, from, copy.host.bytes, which), "cudaMemcpy"};
    return {cudaMemcpyAsync(to_data, from, copy.host.bytes, which, stream), "cudaMemcpyAsync"};
  }
  Called operator()(const program::op::CopyOnDevice& copy) const {
    if (copy.without_stream)
      return {(per_thread() ? memcpy_per_thread : cudaMemcpy)(device(copy.to), device(copy.from), copy.to.bytes,
                                                              cudaMemcpyDeviceToDevice),
              "cudaMemcpy"};
    if (copy.to.pitch != 0)
      return copy_rows(device(copy.to), copy.to, device(copy.from), copy.from, cudaMemcpyDeviceToDevice);
    return {cudaMemcpyAsync(device(copy.to), device(copy.from), copy.to.bytes, cudaMemcpyDeviceToDevice, stream),
            "cudaMemcpyAsync"};
  }
  Called copy_rows(char* to_data, const program::Range& to_range, const char* from_data,
                   const program::Range& from_range, cudaMemcpyKind which) const {
    return {cudaMemcpy2DAsync(to_data, to_range.pitch, from_data, from_range.pitch, program::row_bytes(to_range),
                              program::rows_of(to_range), which, stream),
            "cudaMemcpy2DAsync"};
  }
  Called operator()(const program::op::PeerCopy& copy) const {
    return {cudaMemcpyPeerAsync(device(copy.to, copy.to_device), to.devices[copy.to_device.value].index,
                                device(copy.from, copy.from_device), to.devices[copy.from_device.value].index,
                                copy.to.bytes, stream),
            "cudaMemcpyPeerAsync"};
  }
  Called operator()(const program::op::PeerAccess& access) const {
    const std::uint32_t low = std::min(access.first, access.second).value;
    const std::uint32_t high = std::max(access.first, access.second).value;
    const PeerCall called = set_peer_access(to.devices[low].index, to.devices[high].index, access.on);
    if (called.code == cudaSuccess) to.peers[low * to.devices.size() + high] = access.on;
    return {called.code, called.call};
  }
  Called operator()(const program::op::SetDevice& set) const {
    return {cudaSetDevice(to.devices[set.device.value].index), "cudaSetDevice"};
  }
  Called operator()(const program::op::Memset& memset) const {
    if (memset.without_stream)
      return {(per_thread() ? memset_per_thread : cudaMemset)(device(memset.range), memset.value, memset.range.bytes),
              "cudaMemset"};
    return {cudaMemsetAsync(device(memset.range), memset.value, memset.range.bytes, stream), "cudaMemsetAsync"};
  }
  Called operator()(const program::op::Kernel& kernel) const {
    OwnLaunchData data;
    data.bytes = program::data_of(kernel).bytes;
    data.abandon = *to.was_reset ? nullptr : on->abandon;
    if (kernel.range.bytes != 0) data.first = device(kernel.range);
    if (kernel.from.bytes != 0) data.second = device(kernel.from);
    const program::LaunchArguments* const own = program::arguments_of(*to.program, kernel);
    for (std::size_t i = 0; own != nullptr && i < own->size(); ++i) {
      const program::LaunchArgument& one = (*own)[i];
      data.arguments[i] = one.range.bytes > 0 ? reinterpret_cast<std::uint64_t>(device(one.range)) : one.bits;
    }
    kernels::Launcher& launcher = *on->kernels[kernel.kernel];
    if (*to.was_reset) launcher.prepare(on->shared_bytes_limit);  // the launch says what is wrong
    return {static_cast<cudaError_t>(launcher.launch(data, stamp(), stages(), stream)), "cudaLaunchKernelEx"};
  }
  // Under capture, what becomes an edge uses an event of the capture's own.
  cudaEvent_t event(EventId id, bool external) const {
    return (body != nullptr && !external ? body->events : std::span<const cudaEvent_t>(to.events))[id.value];
  }
  Called operator()(const program::op::Record& record) const {
    const cudaEvent_t event = this->event(record.event, record.external);
    if (record.external)
      return {cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal), "cudaEventRecordWithFlags"};
    return {cudaEventRecord(event, stream), "cudaEventRecord"};
  }
  Called operator()(const program::op::Wait& wait) const {
    return {cudaStreamWaitEvent(stream, event(wait.event, wait.external), wait.external ? cudaEventWaitExternal : 0),
            "cudaStreamWaitEvent"};
  }
  Called operator()(const program::op::HostFunction& function) const {
    if (function.callback)
      return {cudaStreamAddCallback(stream, run_callback, &to.host_functions[to.slot[index]], 0),
              "cudaStreamAddCallback"};
    return {body != nullptr ? cudaLaunchHostFunc(stream, repeat_host_function, body->host_functions[index])
                            : cudaLaunchHostFunc(stream, run_host_function, &to.host_functions[to.slot[index]]),
            "cudaLaunchHostFunc"};
  }
  Called operator()(const program::op::HostWork& work) const {
    busy_until(to.host_clock, to.host_clock() + work.duration, *to.abandoned, over);
    return {};
  }
  Called operator()(const program::op::SyncDevice&) const { return {cudaDeviceSynchronize(), "cudaDeviceSynchronize"}; }
  Called operator()(const program::op::SyncStream& sync) const {
    return {cudaStreamSynchronize(to.streams[sync.stream.value]), "cudaStreamSynchronize"};
  }
  Called operator()(const program::op::SyncEvent& sync) const {
    return {cudaEventSynchronize(to.events[sync.event.value]), "cudaEventSynchronize"};
  }
  Called operator()(const program::op::PollStream& poll) {
    const cudaStream_t asked = to.streams[poll.stream.value];
    if (poll.once) return answered(cudaStreamQuery(asked), "cudaStreamQuery");
    return {poll_until_done(poll.every, poll.work, [&] { return cudaStreamQuery(asked); }), "cudaStreamQuery"};
  }
  Called operator()(const program::op::PollEvent& poll) {
    const cudaEvent_t asked = to.events[poll.event.value];
    if (poll.once) return answered(cudaEventQuery(asked), "cudaEventQuery");
    return {poll_until_done(poll.every, poll.work, [&] { return cudaEventQuery(asked); }), "cudaEventQuery"};
  }
  Called operator()(const program::op::Elapsed& one) {
    float milliseconds = 0;
    const Called called =
        answered(cudaEventElapsedTime(&milliseconds, to.events[one.from.value], to.events[one.to.value]),
                 "cudaEventElapsedTime");
    if (result == CallResult::success && called.code == cudaSuccess)
      elapsed = static_cast<Nanoseconds>(std::llround(static_cast<double>(milliseconds) * 1e6));
    return called;
  }
  Called operator()(const program::op::CreateStream& one) const {
    const program::Stream& made = to.program->streams[one.made.value];
    const unsigned flags = made.nonblocking ? cudaStreamNonBlocking : cudaStreamDefault;
    return {cudaStreamCreateWithPriority(&to.streams[one.made.value], flags, made.priority),
            "cudaStreamCreateWithPriority"};
  }
  Called operator()(const program::op::CreateEvent& one) const {
    const program::Event& event = to.program->events[one.made.value];
    return {cudaEventCreateWithFlags(&to.events[one.made.value], event_flags(event.timing, event.blocking_sync)),
            "cudaEventCreateWithFlags"};
  }
  Called operator()(const program::op::DestroyStream& one) const {
    return {cudaStreamDestroy(std::exchange(to.streams[one.gone.value], nullptr)), "cudaStreamDestroy"};
  }
  Called operator()(const program::op::DestroyEvent& one) const {
    return {cudaEventDestroy(std::exchange(to.events[one.gone.value], nullptr)), "cudaEventDestroy"};
  }
  Called operator()(const program::op::Attributes& one) const {
    trace::StreamAttributes unwanted;
    trace::StreamAttributes* const kept =
        instruments != nullptr && instruments->answers != nullptr ? instruments->answers->attributes(index) : nullptr;
    const DeviceId device = to.program->streams[one.stream.value].device;
    return ask_attributes(to.streams[one.stream.value], to.devices[device.value].index,
                          kept != nullptr ? *kept : unwanted);
  }
  Called operator()(const program::op::CaptureInfo& one) const {
    trace::CaptureAnswer unwanted;
    trace::CaptureAnswer* const kept =
        instruments != nullptr && instruments->answers != nullptr ? instruments->answers->capture(index) : nullptr;
    return ask_capture(to.streams[one.stream.value], kept != nullptr ? *kept : unwanted);
  }
  Called operator()(const program::op::Capture& step) {
    const program::Graph& graph = to.program->graphs[step.graph.value];
    GraphTargets& made = graphs()[step.graph.value];
    const cudaStream_t origin = to.streams[graph.origin.value];
    switch (step.step) {
      case program::CaptureStep::begin: {
        const cudaError_t code = cudaStreamBeginCapture(origin, capture_mode(graph.mode));
        if (code == cudaSuccess) capturing = origin;
        return {code, "cudaStreamBeginCapture"};
      }
      case program::CaptureStep::call: {
        Caller under_capture{*this};
        under_capture.body = &made.body;
        under_capture.index = step.body;
        under_capture.stream = to.streams[graph.body[step.body].stream->value];
        return std::visit(under_capture, graph.body[step.body].work);
      }
      case program::CaptureStep::end: {
        cudaGraph_t captured = nullptr;
        const cudaError_t code = cudaStreamEndCapture(origin, &captured);
        capturing = nullptr;
        if (code == cudaSuccess) made.captured.reset(captured);
        return {code, "cudaStreamEndCapture"};
      }
      case program::CaptureStep::instantiate: break;
    }
    cudaGraphExec_t executable = nullptr;
    const cudaError_t code = cudaGraphInstantiate(&executable, made.captured.get(), 0);
    if (code == cudaSuccess) made.executable.reset(executable);
    return {code, "cudaGraphInstantiate"};
  }
  // A capture that has begun is always ended, by the thread that began it.
  void end_capture() {
    if (capturing == nullptr) return;
    cudaGraph_t unwanted = nullptr;
    cudaStreamEndCapture(std::exchange(capturing, nullptr), &unwanted);
    const UniqueGraph gone(unwanted);
    cudaGetLastError();  // the call that failed in the capture is reported
  }
  Called operator()(const program::op::Malloc& malloc) const {
    void* made = nullptr;
    const cudaError_t code = cudaMalloc(&made, to.program->buffers[malloc.buffer.value].bytes);
    on->memory[malloc.buffer.value] = static_cast<char*>(made);
    return {code, "cudaMalloc"};
  }
  Called operator()(const program::op::Free& free) const {
    return {freed(on->memory[free.buffer.value], cudaFree), "cudaFree"};
  }
  Called operator()(const program::op::MallocHost& one) const {
    void* made = nullptr;
    const cudaError_t code = cudaMallocHost(&made, to.program->buffers[one.made.value].bytes);
    to.host[one.made.value] = static_cast<char*>(made);
    return {code, "cudaMallocHost"};
  }
  Called operator()(const program::op::FreeHost& one) const {
    return {freed(to.host[one.gone.value], cudaFreeHost), "cudaFreeHost"};
  }
  Called operator()(const program::op::Register& one) const {
    const std::uint32_t memory = one.memory.value;
    const cudaError_t code =
        cudaHostRegister(to.host[memory], to.program->buffers[memory].bytes, cudaHostRegisterDefault);
    to.registered[memory] = code == cudaSuccess;
    return {code, "cudaHostRegister"};
  }
  Called operator()(const program::op::Unregister& one) const {
    const cudaError_t code = cudaHostUnregister(to.host[one.memory.value]);
    to.registered[one.memory.value] = code == cudaErrorStreamCaptureUnsupported;
    return {code, "cudaHostUnregister"};
  }
  Called operator()(const program::op::Fault& fault) const {
    return {static_cast<cudaError_t>(kernels::fault(as_launched(fault.kind), stamp().stamps, stream)),
            "cudaLaunchKernel"};
  }
  Called operator()(const program::op::LastError& one) {
    result = result_of(one.peek ? cudaPeekAtLastError() : cudaGetLastError());
    return {};
  }
  Called operator()(const program::op::Reset&) const {
    if (instruments != nullptr && instruments->before_reset) instruments->before_reset();
    *to.was_reset = true;
    return {cudaDeviceReset(), "cudaDeviceReset"};
  }
  // Every word is read and written back, so that the memory is touched and the data stays.
  // Behind a failed allocation, where the run goes on, there is none to touch.
  Called operator()(const program::op::Touch& touch) const {
    if (to.host[touch.range.buffer.value] == nullptr) return {};
    volatile char* const from = host(touch.range);
    std::uint64_t i = 0;
    for (; i < touch.range.bytes && (touch.range.offset + i) % 8 != 0; ++i) from[i] = from[i];
    for (; i + 8 <= touch.range.bytes; i += 8) {
      auto* const word = reinterpret_cast<volatile std::uint64_t*>(from + i);
      *word = *word;
    }
    for (; i < touch.range.bytes; ++i) from[i] = from[i];
    return {};
  }

  Called operator()(const program::op::Prefetch& moved) const {
    return {prefetch(device(moved.range), moved.range.bytes,
                     moved.to == program::MemoryLocation::device ? on->index : cudaCpuDeviceId, stream),
            "cudaMemPrefetchAsync"};
  }
  Called operator()(const program::op::MallocAsync& malloc) const {
    void* made = nullptr;
    const cudaError_t code = cudaMallocAsync(&made, to.program->buffers[malloc.buffer.value].bytes, stream);
    on->memory[malloc.buffer.value] = static_cast<char*>(made);
    return {code, "cudaMallocAsync"};
  }
  // If it cannot be freed it is kept, to be freed when the run is over.
  Called operator()(const program::op::FreeAsync& free) const {
    char*& made = on->memory[free.buffer.value];
    const cudaError_t code = cudaFreeAsync(made, stream);
    if (code == cudaSuccess) made = nullptr;
    return {code, "cudaFreeAsync"};
  }
  Called operator()(const program::op::Launch& launch) const {
    const std::uint32_t graph = launch.graph.value;
    if (instruments != nullptr) instruments->calls[index].time = to.launched[graph];
    ++to.launched[graph];
    return {cudaGraphLaunch(graphs()[graph].executable.get(), stream), "cudaGraphLaunch"};
  }
  std::span<GraphTargets> graphs() const {
    return instruments != nullptr && !instruments->graphs.empty() ? instruments->graphs : to.graphs;
  }
  Called operator()(const program::op::StartThread& start) const {
    return {threads->start(start.thread, index), "std::thread"};
  }
  Called operator()(const program::op::JoinThread& join) const {
    threads->join(join.thread);
    return {};
  }

  // What a capture of another thread keeps from being freed is freed when the run is over.
  static cudaError_t freed(char*& memory, cudaError_t (*free)(void*)) {
    const cudaError_t code = free(memory);
    if (code != cudaErrorStreamCaptureUnsupported) memory = nullptr;
    return code;
  }

  // A call after whose answer the program goes on, if it is one of those. Of an error no last error is left, but where
  // the program may ask for it.
  Called answered(cudaError_t code, const char* call) {
    switch (code) {
      case cudaSuccess: result = CallResult::success; break;
      case cudaErrorNotReady: result = CallResult::not_ready; break;
      case cudaErrorInvalidResourceHandle: result = CallResult::invalid_resource_handle; break;
      default: return {code, call};
    }
    if (code != cudaSuccess && !keeps_errors) cudaGetLastError();
    return {cudaSuccess, call};
  }

  template <class Query>
  cudaError_t poll_until_done(Nanoseconds every, Nanoseconds work, Query query) {
    AnswerLog::OfPoll* const log =
        instruments != nullptr && instruments->answers != nullptr ? instruments->answers->poll(index) : nullptr;
    while (true) {
      ++polls;
      const cudaError_t code = query();
      const bool noted = log != nullptr && log->size() < log->capacity();
      if (noted) log->push_back({index, to.host_clock()});
      if (code != cudaErrorNotReady) return code;
      if (stop.stop_requested() || over.load(std::memory_order_relaxed)) return cudaSuccess;
      if (every == 0) continue;
      const Nanoseconds begin = to.host_clock();
      if (work > 0) {
        busy_until(to.host_clock, begin + work, *to.abandoned, over);
        if (noted) log->back().worked_until = to.host_clock();
      }
      busy_until(to.host_clock, begin + every, *to.abandoned, over);
    }
  }
};

}  // namespace streamscope::cuda
