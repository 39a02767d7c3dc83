#include "engine/device/cuda/issue/issue.h"

#include <unistd.h>

#include <mutex>

#include "engine/device/cuda/issue/caller.h"

namespace streamscope::cuda {
namespace {

template <bool kFull>
class Issuing {
 public:
  Issuing(const IssueTargets& targets, const IssueInstruments* instruments, const StopFlag& stop)
      : to_(targets),
        instruments_(kFull ? instruments : nullptr),
        stop_(stop),
        goes_on_(program::fails_on_purpose(*targets.program)),
        threads_(targets.program->threads.size(), stop, [this](ThreadId thread, OperationIndex by) {
          if (const cudaError_t code = cudaSetDevice(to_.devices[0].index); code != cudaSuccess) {
            fail(by, {code, "cudaSetDevice"});
          } else {
            issue_all_of(thread);
          }
        }) {}

  Issued all() {
    issued_.begin = to_.host_clock();
    issue_all_of(ThreadId{0});
    issued_.end = to_.host_clock();
    threads_.finish();
    if (to_.gate != nullptr && !gate_opened_) open_gate();
    return issued_;
  }

 private:
  void issue_all_of(ThreadId thread) {
    if constexpr (kFull) {
      if (!instruments_->threads.empty()) instruments_->threads[thread.value] = static_cast<std::uint32_t>(gettid());
    }
    Caller caller{to_, nullptr, instruments_, nullptr, stop_, threads_.over(), &threads_, goes_on_};
    issue_all_by(caller, thread);
    caller.end_capture();
  }

  void issue_all_by(Caller& caller, ThreadId thread) {
    for (const OperationIndex i : to_.by_thread[thread.value]) {
      if (i == to_.gate_opens_before) open_gate();
      if (stop_.stop_requested() || threads_.over().load(std::memory_order_relaxed)) [[unlikely]] {
        cancel();
        return;
      }
      const program::Operation& operation = to_.program->operations[i];
      caller.index = i;
      caller.on = &to_.devices[to_.device_of[i]];
      caller.stream = operation.stream ? to_.streams[operation.stream->value] : cudaStreamLegacy;
      if constexpr (kFull) {
        caller.polls = 0;
        caller.result = CallResult::success;
        caller.elapsed = kAbsent;
        instruments_->calls[i].begin = to_.host_clock();
      }
      Called called = std::visit(caller, operation.work);
      if constexpr (kFull) {
        HostCall& call = instruments_->calls[i];
        call.end = to_.host_clock();
        call.polls = caller.polls;
        call.result = called.code == cudaSuccess ? caller.result : result_of(called.code);
        call.elapsed = caller.elapsed;
        if (called.code == cudaSuccess && instruments_->end_events[i] != nullptr && !*to_.was_reset) {
          called = {cudaEventRecord(instruments_->end_events[i], caller.stream), "cudaEventRecord"};
        }
        if (called.code == cudaSuccess || goes_on_) instruments_->issued->set(thread, i + 1 + nodes_behind(operation));
      }
      if (called.code != cudaSuccess && !goes_on_) [[unlikely]] {
        fail(i, called);
        return;
      }
    }
  }

  std::size_t nodes_behind(const program::Operation& operation) const {
    const auto* launch = std::get_if<program::op::Launch>(&operation.work);
    return launch == nullptr ? 0 : to_.program->graphs[launch->graph.value].nodes.size();
  }

  void open_gate() {
    to_.gate->open();
    gate_opened_ = true;
    issued_.begin = to_.host_clock();
    if constexpr (kFull) {
      if (instruments_->opened != nullptr) instruments_->opened->store(issued_.begin, std::memory_order_release);
    }
  }

  // Only the first failure counts: others follow from it, or would not have been reached.
  void fail(OperationIndex i, const Called& called) {
    {
      const std::lock_guard lock(mutex_);
      if (issued_.failed == kNoOperation) {
        issued_.failed = i;
        issued_.code = called.code;
        issued_.call = called.call;
      }
    }
    threads_.end_run();
  }

  void cancel() {
    {
      const std::lock_guard lock(mutex_);
      issued_.cancelled = true;
    }
    threads_.end_run();
  }

  const IssueTargets& to_;
  const IssueInstruments* const instruments_;
  const StopFlag& stop_;
  const bool goes_on_;  // behind a call that fails: the program is about that
  bool gate_opened_ = false;
  std::mutex mutex_;
  Issued issued_;
  HostThreads threads_;  // the last member, so that the threads end first
};

}  // namespace

namespace {

cudaError_t last_node(cudaStream_t stream, cudaGraphNode_t& node) {
  CaptureInfo info;
  const cudaError_t code = capture_info(stream, info);
  if (code == cudaSuccess && info.count == 1) node = info.nodes[0];
  return code;
}

}  // namespace

Issued issue(const IssueTargets& targets, const IssueInstruments* instruments, const StopFlag& stop) {
  return instruments ? Issuing<true>(targets, instruments, stop).all() : Issuing<false>(targets, nullptr, stop).all();
}

IssuedBody issue_body(const IssueTargets& targets, const program::Graph& graph, const BodyTargets& body) {
  const StopFlag stop;
  const std::atomic<bool> over = false;
  const DeviceId device = targets.program->streams[graph.origin.value].device;
  Caller caller{targets, &targets.devices[device.value], nullptr, &body, stop, over, nullptr};
  for (std::size_t i = 0; i < graph.body.size(); ++i) {
    caller.index = static_cast<OperationIndex>(i);
    if (graph.body[i].stream) caller.stream = targets.streams[graph.body[i].stream->value];
    const Called called = std::visit(caller, graph.body[i].work);
    if (called.code != cudaSuccess) return {i, called.code, called.call};
    if (body.nodes.empty() || !program::becomes_node(graph.body[i].work)) continue;
    // Behind it the stream goes on from its node.
    if (const cudaError_t code = last_node(caller.stream, body.nodes[i]); code != cudaSuccess) {
      return {i, code, "cudaStreamGetCaptureInfo"};
    }
  }
  return {};
}

}  // namespace streamscope::cuda
