#include "engine/device/cuda/issue.h"

#include <utility>
#include <variant>

namespace streamscope {
namespace {

void busy_until(Nanoseconds time, const std::atomic<bool>& abandoned) {
  while (host_now() < time && !abandoned.load(std::memory_order_relaxed)) {
  }
}

void CUDART_CB run_host_function(void* data) {
  auto& call = *static_cast<HostFunctionCall*>(data);
  call.begin = host_now();
  busy_until(call.begin + call.duration, *call.abandoned);
  call.end = host_now();
}

struct Called {
  cudaError_t code = cudaSuccess;
  const char* call = "";
};

// Turns one operation into its call.
struct Caller {
  const IssueTargets& to;
  const IssueInstruments* instruments;
  const std::stop_token& stop;
  OperationIndex index = 0;
  cudaStream_t stream = nullptr;
  std::uint32_t polls = 0;

  char* host(const Range& range) const { return to.host[range.buffer.value] + range.offset; }
  char* device(const Range& range) const { return to.device[range.buffer.value] + range.offset; }
  kernels::Stamp* stamp() const {
    return instruments && instruments->stamps ? instruments->stamps + to.slot[index] : nullptr;
  }

  Called operator()(const op::Copy& copy) const {
    if (copy.direction == Direction::h2d) {
      return {cudaMemcpyAsync(device(copy.range), host(copy.range), copy.range.bytes, cudaMemcpyHostToDevice, stream),
              "cudaMemcpyAsync"};
    }
    return {cudaMemcpyAsync(host(copy.range), device(copy.range), copy.range.bytes, cudaMemcpyDeviceToHost, stream),
            "cudaMemcpyAsync"};
  }
  Called operator()(const op::CopyOnDevice& copy) const {
    return {cudaMemcpyAsync(device(copy.to), device(copy.from), copy.to.bytes, cudaMemcpyDeviceToDevice, stream),
            "cudaMemcpyAsync"};
  }
  Called operator()(const op::Memset& memset) const {
    return {cudaMemsetAsync(device(memset.range), memset.value, memset.range.bytes, stream), "cudaMemsetAsync"};
  }
  Called operator()(const op::Spin& spin) const {
    const kernels::Spin launch{static_cast<std::uint64_t>(spin.duration), spin.blocks, spin.threads, spin.shared_bytes,
                               to.abandon};
    return {static_cast<cudaError_t>(kernels::spin(launch, stamp(), stream)), "cudaLaunchKernelEx"};
  }
  Called operator()(const op::Axpb& axpb) const {
    const kernels::Axpb launch{reinterpret_cast<float*>(device(axpb.range)), axpb.range.bytes / sizeof(float), axpb.fma,
                               axpb.blocks != 0 ? axpb.blocks : to.default_blocks, axpb.threads};
    return {static_cast<cudaError_t>(kernels::axpb(launch, stamp(), stream)), "cudaLaunchKernelEx"};
  }
  Called operator()(const op::Record& record) const {
    return {cudaEventRecord(to.events[record.event.value], stream), "cudaEventRecord"};
  }
  Called operator()(const op::Wait& wait) const {
    return {cudaStreamWaitEvent(stream, to.events[wait.event.value], 0), "cudaStreamWaitEvent"};
  }
  Called operator()(const op::HostFunction&) const {
    return {cudaLaunchHostFunc(stream, run_host_function, &to.host_functions[to.slot[index]]), "cudaLaunchHostFunc"};
  }
  Called operator()(const op::Work& work) const {
    busy_until(host_now() + work.duration, *to.abandoned);
    return {};
  }
  Called operator()(const op::SyncDevice&) const { return {cudaDeviceSynchronize(), "cudaDeviceSynchronize"}; }
  Called operator()(const op::SyncStream& sync) const {
    return {cudaStreamSynchronize(to.streams[sync.stream.value]), "cudaStreamSynchronize"};
  }
  Called operator()(const op::SyncEvent& sync) const {
    return {cudaEventSynchronize(to.events[sync.event.value]), "cudaEventSynchronize"};
  }
  Called operator()(const op::PollStream& poll) {
    const cudaStream_t asked = to.streams[poll.stream.value];
    return {ask_again(poll.every, [&] { return cudaStreamQuery(asked); }), "cudaStreamQuery"};
  }
  Called operator()(const op::PollEvent& poll) {
    const cudaEvent_t asked = to.events[poll.event.value];
    return {ask_again(poll.every, [&] { return cudaEventQuery(asked); }), "cudaEventQuery"};
  }
  Called operator()(const op::BlockingCopy& copy) const {
    if (copy.direction == Direction::h2d) {
      return {cudaMemcpy(device(copy.range), host(copy.range), copy.range.bytes, cudaMemcpyHostToDevice), "cudaMemcpy"};
    }
    return {cudaMemcpy(host(copy.range), device(copy.range), copy.range.bytes, cudaMemcpyDeviceToHost), "cudaMemcpy"};
  }
  Called operator()(const op::Malloc& malloc) const {
    void* made = nullptr;
    const cudaError_t code = cudaMalloc(&made, to.program->buffers[malloc.buffer.value].bytes);
    to.device[malloc.buffer.value] = static_cast<char*>(made);
    return {code, "cudaMalloc"};
  }
  Called operator()(const op::Free& free) const {
    return {cudaFree(std::exchange(to.device[free.buffer.value], nullptr)), "cudaFree"};
  }
  // Every word is read and written back, so that the memory is touched and the data stays.
  Called operator()(const op::Touch& touch) const {
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

  template <class Other>
  Called operator()(const Other& other) const {
    return {cudaErrorNotSupported, label(other).data()};
  }

  template <class Query>
  cudaError_t ask_again(Nanoseconds every, Query query) {
    while (true) {
      ++polls;
      const cudaError_t code = query();
      if (code != cudaErrorNotReady || stop.stop_requested()) return code == cudaErrorNotReady ? cudaSuccess : code;
      if (every > 0) busy_until(host_now() + every, *to.abandoned);
    }
  }
};

template <bool kFull>
Issued issue_all(const IssueTargets& targets, const IssueInstruments* instruments, const std::stop_token& stop) {
  const std::vector<Operation>& operations = targets.program->operations;
  const std::size_t count = operations.size();
  Caller caller{targets, kFull ? instruments : nullptr, stop};
  Issued issued;
  issued.begin = host_now();
  const auto open_gate = [&] {
    targets.gate->open();
    issued.begin = host_now();
    if constexpr (kFull) {
      if (instruments->opened != nullptr) instruments->opened->store(issued.begin, std::memory_order_release);
    }
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (i == targets.gate_opens_before) open_gate();
    if (stop.stop_requested()) [[unlikely]] {
      issued.cancelled = true;
      break;
    }
    const Operation& operation = operations[i];
    caller.index = static_cast<OperationIndex>(i);
    caller.stream = operation.stream ? targets.streams[operation.stream->value] : cudaStreamLegacy;
    if constexpr (kFull) {
      caller.polls = 0;
      instruments->calls[i].begin = host_now();
    }
    Called called = std::visit(caller, operation.work);
    if constexpr (kFull) {
      HostCall& call = instruments->calls[i];
      call.end = host_now();
      call.polls = caller.polls;
      if (called.code == cudaSuccess && instruments->end_events[i] != nullptr) {
        called = {cudaEventRecord(instruments->end_events[i], caller.stream), "cudaEventRecord"};
      }
      if (called.code == cudaSuccess) instruments->issued->store(i + 1, std::memory_order_release);
    }
    if (called.code != cudaSuccess) [[unlikely]] {
      issued.failed = static_cast<OperationIndex>(i);
      issued.code = called.code;
      issued.call = called.call;
      break;
    }
  }
  issued.end = host_now();
  if (targets.gate != nullptr &&
      (targets.gate_opens_before >= count || issued.failed != kNoOperation || issued.cancelled)) {
    open_gate();
  }
  return issued;
}

}  // namespace

Issued issue(const IssueTargets& targets, const IssueInstruments* instruments, const std::stop_token& stop) {
  return instruments ? issue_all<true>(targets, instruments, stop) : issue_all<false>(targets, nullptr, stop);
}

}  // namespace streamscope
