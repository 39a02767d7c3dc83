#include "engine/device/cuda/issue/host_functions.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "engine/base/translate.h"
#include "engine/device/cuda/issue/busy_wait.h"
#include "engine/device/cuda/runtime/cuda_error.h"

namespace streamscope::cuda {
namespace {

void run_and_note(HostFunctionCall& call) {
  static const std::atomic<bool> never = false;
  const Nanoseconds begin = call.clock();
  call.begin.store(begin, std::memory_order_release);
  busy_until(call.clock, begin + call.duration, *call.abandoned, never);
  call.end.store(call.clock(), std::memory_order_release);
}

}  // namespace

void CUDART_CB run_host_function(void* data) { run_and_note(*static_cast<HostFunctionCall*>(data)); }

void CUDART_CB run_callback(cudaStream_t, cudaError_t status, void* data) {
  static_cast<HostFunctionCall*>(data)->status = result_of(status);
  run_host_function(data);
}

void CUDART_CB repeat_host_function(void* data) {
  auto& function = *static_cast<RepeatedHostFunction*>(data);
  const std::size_t time = function.times.fetch_add(1, std::memory_order_relaxed);
  run_and_note(function.calls[std::min(time, function.calls.size() - 1)]);
}

HostFunctions::HostFunctions(const program::Program& program, const Slots& slots, const std::atomic<bool>& abandoned,
                             HostClock clock)
    : calls_(slots.host_functions),
      repeated_(std::make_unique<RepeatedHostFunction[]>(slots.host_function_nodes)),
      nodes_(slots.host_function_nodes) {
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const program::Operation& operation = program.operations[i];
    const auto* function = std::get_if<program::op::HostFunction>(&operation.work);
    if (function == nullptr) continue;
    const std::size_t count = operation.launch == kNoOperation ? 1 : slots.launches[graph_of(program, operation).value];
    for (std::size_t n = 0; n < count; ++n) {
      HostFunctionCall& call = calls_[slots.of_operation[i] + n];
      call.duration = function->duration;
      call.abandoned = &abandoned;
      call.clock = clock;
    }
  }
  for (std::size_t g = 0; g < program.graphs.size(); ++g) {
    const program::Graph& graph = program.graphs[g];
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
      if (!std::holds_alternative<program::op::HostFunction>(graph.body[graph.nodes[n].body].work)) continue;
      const Slots::Node& node = slots.nodes[g][n];
      repeated_[node.number].calls = std::span(calls_).subspan(node.first, slots.launches[g]);
    }
  }
}

void HostFunctions::start_over() {
  for (RepeatedHostFunction& function : repeated()) function.times = 0;
  for (HostFunctionCall& call : calls_) {
    call.status = CallResult::success;
    call.begin = call.end = kAbsent;
  }
}

void HostFunctions::wait_for_running() const {
  constexpr std::chrono::milliseconds kLongest{100};
  const auto runs = [](const HostFunctionCall& call) { return known(call.begin) && !known(call.end); };
  const auto until = std::chrono::steady_clock::now() + kLongest;
  while (std::ranges::any_of(calls_, runs) && std::chrono::steady_clock::now() < until) std::this_thread::yield();
}

Result<void> HostFunctions::wake_callbacks(cudaStream_t stream) const {
  if (calls_.empty() && nodes_ == 0) return {};
  constexpr const char* kDoing = tr_later("while waking the thread for host functions");
  constexpr cudaHostFn_t kNothing = [](void*) {};
  CUDA_TRY(cudaLaunchHostFunc(stream, kNothing, nullptr), tr(kDoing));
  CUDA_TRY(cudaStreamSynchronize(stream), tr(kDoing));
  return {};
}

}  // namespace streamscope::cuda
