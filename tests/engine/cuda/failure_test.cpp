// Every CUDA call in turn fails: the error names it, nothing leaks, no stream stays held, and the next run is whole.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <map>
#include <string>

#include "engine/device/cuda/cuda_device.h"
#include "tests/engine/cuda/contract.h"

namespace streamscope::cuda {
namespace {

using fake_cuda::Call;

constexpr cudaError_t kCode = cudaErrorUnknown;
constexpr std::size_t kMostCalls = 20'000;

// Calls whose failure is no failure of what they are made for. Whatever is not in this list must be reported.
struct Passed {
  const char* name;
  const char* phase;   // null: any
  const char* detail;  // null: any
  const char* why;
};
const std::vector<Passed>& passed_over() {
  static const std::string engines = std::to_string(static_cast<int>(cudaDevAttrAsyncEngineCount));
  static const std::string timeout = std::to_string(static_cast<int>(cudaDevAttrKernelExecTimeout));
  static const std::string mode = std::to_string(static_cast<int>(cudaDevAttrComputeMode));
  static const std::vector<Passed> list{
      {"cudaDriverGetVersion", nullptr, nullptr, "the version is only displayed, and is 0.0 if it is not available"},
      {"cudaDeviceGetAttribute", "open", engines.c_str(), "a list of devices without the count of engines is one"},
      {"cudaDeviceGetAttribute", "open", timeout.c_str(), "a list of devices that does not say who drives a display"},
      {"cudaDeviceGetAttribute", "open", mode.c_str(), "where computing is not allowed, opening the device fails"},
      {"cudaStreamDestroy", nullptr, nullptr, "in destructors only: there is nobody to report to"},
      {"cudaEventDestroy", nullptr, nullptr, "in destructors only"},
      {"cudaFreeHost", "open", nullptr, "in destructors only"},
      {"cudaFreeHost", "load", nullptr, "in destructors only"},
      {"cudaFreeHost", "verify", nullptr, "in destructors only"},
      {"cudaGraphDestroy", nullptr, nullptr, "in destructors only"},
      {"cudaGraphExecDestroy", nullptr, nullptr, "in destructors only"},
      {"cudaFree", "open", nullptr, "in destructors only"},
      {"cudaFree", "load", nullptr, "in destructors only"},
      {"cudaFree", "verify", nullptr, "in destructors only"},
      {nullptr, "after", nullptr, "all that is called from here on is called by destructors"},
  };
  return list;
}
bool is_passed_over(const Call& call) {
  return std::any_of(passed_over().begin(), passed_over().end(), [&](const Passed& one) {
    return (one.name == nullptr || call.name == one.name) && (one.phase == nullptr || call.phase == one.phase) &&
           (one.detail == nullptr || call.detail == one.detail);
  });
}

// Calls that say there is no such device, or none that can be had, while it is opened.
bool means_no_device(const Call& call) {
  return call.phase == "open" &&
         (call.name == "cudaGetDeviceCount" || call.name == "cudaGetDeviceProperties" || call.name == "cudaSetDevice");
}

// What a kernel's launcher fails with is named by the CUDA call that it makes.
std::string_view cuda_call_of(std::string_view function) {
  if (function.starts_with("kernels::prepare_")) return "cudaFuncSetAttribute";
  if (function.ends_with("_fit")) return "cudaOccupancyMaxActiveBlocksPerMultiprocessor";
  return "cudaLaunchKernelEx";
}
bool names(const DeviceFault& fault, const Call& call) {
  return fault.call == call.name || (call.name.starts_with("kernels::") && fault.call == cuda_call_of(call.name));
}

void expect_names_the_call(const Error& error, const Call& call) {
  if (means_no_device(call)) {
    EXPECT_EQ(error.kind, ErrorKind::no_device) << error.message;
    EXPECT_NE(error.message.find("cudaErrorUnknown"), std::string::npos) << error.message;
    return;
  }
  EXPECT_EQ(error.kind, ErrorKind::device_failed) << error.message;
  ASSERT_TRUE(error.fault) << error.message;
  EXPECT_TRUE(names(*error.fault, call)) << "names " << error.fault->call << ": " << error.message;
  EXPECT_EQ(error.fault->code, static_cast<int>(kCode));
  EXPECT_EQ(error.fault->name, "cudaErrorUnknown");
  EXPECT_FALSE(error.fault->operation.empty());
  EXPECT_NE(error.message.find(error.fault->call), std::string::npos) << error.message;
  EXPECT_NE(error.message.find(error.fault->operation), std::string::npos) << error.message;
}

// The CUDA call an operation stands for; null where it makes none.
const char* call_of(const program::Operation& operation) {
  if (operation.launch != kNoOperation) return nullptr;  // a graph's node: launched, not called
  if (const auto* step = std::get_if<program::op::Capture>(&operation.work)) {
    switch (step->step) {
      case program::CaptureStep::begin: return "cudaStreamBeginCapture";
      case program::CaptureStep::end: return "cudaStreamEndCapture";
      case program::CaptureStep::instantiate: return "cudaGraphInstantiate";
      case program::CaptureStep::call: return nullptr;  // as those of before the run
    }
  }
  if (std::holds_alternative<program::op::CaptureInfo>(operation.work)) return "cudaStreamGetCaptureInfo";
  switch (program::kind(operation.work)) {
    case OperationKind::prefetch: return "cudaMemPrefetchAsync";
    case OperationKind::launch: return "cudaGraphLaunch";
    case OperationKind::record: return "cudaEventRecord";
    case OperationKind::wait: return "cudaStreamWaitEvent";
    case OperationKind::hostfn: return "cudaLaunchHostFunc";
    default: break;
  }
  const program::Work& work = operation.work;
  if (program::is_blocking_copy(work)) return "cudaMemcpy";
  if (std::holds_alternative<program::op::Copy>(work) || std::holds_alternative<program::op::CopyOnDevice>(work))
    return "cudaMemcpyAsync";
  if (std::holds_alternative<program::op::Memset>(work)) return "cudaMemsetAsync";
  if (program::kind(work) == OperationKind::kernel) return "cudaLaunchKernelEx";
  if (std::holds_alternative<program::op::SyncDevice>(work)) return "cudaDeviceSynchronize";
  if (std::holds_alternative<program::op::SyncStream>(work)) return "cudaStreamSynchronize";
  if (std::holds_alternative<program::op::SyncEvent>(work)) return "cudaEventSynchronize";
  if (std::holds_alternative<program::op::PollStream>(work)) return "cudaStreamQuery";
  if (std::holds_alternative<program::op::PollEvent>(work)) return "cudaEventQuery";
  if (std::holds_alternative<program::op::Malloc>(work)) return "cudaMalloc";
  if (std::holds_alternative<program::op::Free>(work)) return "cudaFree";
  if (std::holds_alternative<program::op::MallocHost>(work)) return "cudaMallocHost";
  if (std::holds_alternative<program::op::FreeHost>(work)) return "cudaFreeHost";
  if (std::holds_alternative<program::op::Register>(work)) return "cudaHostRegister";
  if (std::holds_alternative<program::op::Unregister>(work)) return "cudaHostUnregister";
  if (std::holds_alternative<program::op::MallocAsync>(work)) return "cudaMallocAsync";
  if (std::holds_alternative<program::op::FreeAsync>(work)) return "cudaFreeAsync";
  return nullptr;
}

class Failure : public contract::Contract {};

TEST_P(Failure, EveryCallInTurn) {
  constexpr int kPasses = 2;
  std::map<std::string, std::size_t> by_operation;  // errors that named it with its own call
  std::size_t failed = 0;
  fresh();
  {
    const cuda::Gpus gpus = contract::opened_for(program_);
    const fake_cuda::Live before = fake_cuda::live();
    for (std::size_t nth = 1;; ++nth) {
      ASSERT_LT(nth, kMostCalls);
      const std::size_t calls_before = fake_cuda::calls();
      fake_cuda::fail_call(calls_before + nth, kCode);
      contract::Way way = contract::go(gpus, program_, request(), kPasses);
      const bool reached = fake_cuda::calls() >= calls_before + nth;
      fake_cuda::forget_orders();
      if (!reached) {
        // The whole way went through with nothing failing.
        EXPECT_FALSE(way.error) << way.error->message;
        EXPECT_EQ(way.verified, true);
        break;
      }
      ++failed;
      const Call call = fake_cuda::call(calls_before + nth);
      SCOPED_TRACE("call " + std::to_string(nth) + ": " + call.name + " while in " + call.phase);
      contract::expect_nothing_held();
      const cudaError_t remembered = cudaGetLastError();
      if (!way.error) {
        // What a run leaves to be freed it frees itself; only the program's own cudaFree is an operation.
        EXPECT_TRUE(is_passed_over(call) || (call.name == "cudaFree" && call.phase == "run"))
            << "a failed call was not reported";
        EXPECT_EQ(way.verified, true);
      } else {
        EXPECT_FALSE(is_passed_over(call)) << "reported: take it out of the list: " << way.error->message;
        expect_names_the_call(*way.error, call);
        EXPECT_EQ(remembered, cudaSuccess) << "what is reported must not be found again";
        if (way.error->fault) {
          const DeviceFault& fault = *way.error->fault;
          for (std::size_t i = 0; i < program_.operations.size(); ++i) {
            const char* const own = call_of(program_.operations[i]);
            const std::string description = program::describe(program_, static_cast<OperationIndex>(i));
            if (own != nullptr && fault.operation == description && fault.call == own) ++by_operation[description];
          }
        }
        if (way.stage == contract::Stage::run) {
          // The same program, in the same memory and streams, runs again.
          const auto again = way.loaded->run(request(), {});
          EXPECT_TRUE(again) << again.error().message;
          const auto verified = way.loaded->verify();
          EXPECT_TRUE(verified && *verified == true) << "the run after the failed one leaves wrong data";
        }
      }
      way = {};
      contract::expect_works(gpus, program_, request());
      contract::expect_nothing_held();
      contract::give_back_idle(gpus);
      EXPECT_EQ(fake_cuda::live(), before) << fake_cuda::describe(fake_cuda::live());
      if (HasFailure()) return;
    }
  }
  contract::expect_nothing_left();
  EXPECT_GT(failed, 30u);
  for (std::size_t i = 0; i < program_.operations.size(); ++i) {
    const std::string description = program::describe(program_, static_cast<OperationIndex>(i));
    if (call_of(program_.operations[i]) == nullptr) continue;
    EXPECT_GE(by_operation[description], static_cast<std::size_t>(kPasses)) << description << " was never named";
  }
}

// An error that sticks: a kernel faults, and from then on every call fails, destructors' too. Nothing hangs, and the
// first is reported. What lived on the device is lost with it; a new process is needed (docs/cuda-rules.md 21).
TEST_P(Failure, AFaultThatSticksIsReportedAndNothingHangs) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr std::size_t kStep = 4;  // of the kernels, where each takes fifteen times as long
#else
  constexpr std::size_t kStep = 1;
#endif
  for (std::size_t kernel = 1;; kernel += kStep) {
    fresh();
    const cuda::Gpus gpus = contract::opened_for(program_);
    fake_cuda::fault_in_kernel(kernel, cudaErrorIllegalAddress);
    SCOPED_TRACE("kernel " + std::to_string(kernel));
    contract::Way way = contract::go(gpus, program_, request(), 2);
    const auto call = fake_cuda::first_failure();
    if (!call) {
      EXPECT_FALSE(way.error) << way.error->message;
      break;
    }
    ASSERT_TRUE(way.error);
    EXPECT_EQ(way.error->kind, ErrorKind::device_failed) << way.error->message;
    ASSERT_TRUE(way.error->fault) << way.error->message;
    EXPECT_TRUE(names(*way.error->fault, *call)) << call->name << " failed first, not " << way.error->fault->call;
    EXPECT_EQ(way.error->fault->code, static_cast<int>(cudaErrorIllegalAddress));
    EXPECT_NE(way.error->message.find("cudaErrorIllegalAddress"), std::string::npos);
    if (way.loaded) {
      const auto again = way.loaded->run(request(), {});
      ASSERT_FALSE(again);
      EXPECT_EQ(again.error().fault->name, "cudaErrorIllegalAddress");
    }
    way = {};
    EXPECT_TRUE(fake_cuda::misuses().empty()) << testing::PrintToString(fake_cuda::misuses());
    if (HasFailure()) return;
  }
}

STREAMSCOPE_CONTRACT(Failure);

// The same for what is called until a device is open; and the next attempt opens it.
TEST(FailureOfOpening, EveryCallInTurn) {
  std::size_t failed = 0;
  for (std::size_t nth = 1;; ++nth) {
    ASSERT_LT(nth, kMostCalls);
    fake_cuda::reset();
    fake_cuda::phase("open");
    fake_cuda::fail_call(nth, kCode);
    {
      auto device = open_cuda_device(0, contract::on_fake());
      const auto call = fake_cuda::first_failure();
      if (!call) {
        EXPECT_TRUE(device) << device.error().message;
        break;
      }
      ++failed;
      SCOPED_TRACE("call " + std::to_string(nth) + ": " + call->name);
      contract::expect_nothing_held();
      if (device) {
        EXPECT_TRUE(is_passed_over(*call)) << "a failed call was not reported";
      } else {
        EXPECT_FALSE(is_passed_over(*call)) << "reported: take it out of the list: " << device.error().message;
        expect_names_the_call(device.error(), *call);
        EXPECT_EQ(fake_cuda::live(), fake_cuda::Live{}) << fake_cuda::describe(fake_cuda::live());
      }
      const auto again = open_cuda_device(0, contract::on_fake());
      EXPECT_TRUE(again) << again.error().message;
    }
    contract::expect_nothing_left();
    if (HasFailure()) return;
  }
  EXPECT_GT(failed, 20u);
}

}  // namespace
}  // namespace streamscope::cuda
