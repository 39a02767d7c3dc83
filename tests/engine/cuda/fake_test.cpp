// The fake keeps the rules of CUDA that the contract rests on.
#include <cuda_runtime_api.h>

#include <functional>
#include <thread>
#include <vector>

#include "kernels/cuda_kernel.h"
#include "kernels/spin/spin.h"
#include "tests/engine/cuda/contract.h"

namespace streamscope::cuda {
namespace {

class Fake : public testing::Test {
 protected:
  void SetUp() override {
    fake_cuda::reset();
    ASSERT_EQ(kernels::prepare(), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&word_, 256), cudaSuccess);
    ASSERT_EQ(set_word(0), cudaSuccess);
  }
  cudaError_t set_word(std::uint32_t value) { return cudaMemcpy(word_, &value, sizeof value, cudaMemcpyHostToDevice); }
  cudaStream_t stream(unsigned flags) {
    cudaStream_t made = nullptr;
    EXPECT_EQ(cudaStreamCreateWithPriority(&made, flags, 0), cudaSuccess);
    return made;
  }
  cudaEvent_t event() {
    cudaEvent_t made = nullptr;
    EXPECT_EQ(cudaEventCreateWithFlags(&made, cudaEventDefault), cudaSuccess);
    return made;
  }
  void spin(std::uint64_t microseconds, cudaStream_t in) {
    const auto spins = kernels::spin_launcher({static_cast<Nanoseconds>(microseconds) * 1000, 1, 32, 0});
    ASSERT_EQ(spins->launch({nullptr, nullptr, 0, static_cast<std::uint32_t*>(word_)}, nullptr, {}, in), cudaSuccess);
  }
  // How much of the fake's time the wait takes.
  template <class Wait>
  static Nanoseconds takes(const Wait& wait) {
    const Nanoseconds began = fake_cuda::host_clock();
    EXPECT_EQ(wait(), cudaSuccess);
    return fake_cuda::host_clock() - began;
  }
  void* word_ = nullptr;
};

TEST_F(Fake, StreamsRunSideBySideAndEachInOrder) {
  const cudaStream_t a = stream(cudaStreamNonBlocking), b = stream(cudaStreamNonBlocking);
  spin(1000, a);
  spin(1000, a);
  spin(1000, b);
  EXPECT_EQ(cudaStreamQuery(b), cudaErrorNotReady);
  EXPECT_NEAR(static_cast<double>(takes([&] { return cudaStreamSynchronize(b); })), 1e6, 2e4);
  EXPECT_EQ(cudaStreamQuery(a), cudaErrorNotReady);
  EXPECT_NEAR(static_cast<double>(takes([&] { return cudaStreamSynchronize(a); })), 1e6, 2e4);
  EXPECT_EQ(cudaStreamQuery(a), cudaSuccess);
}

TEST_F(Fake, TheLegacyStreamIsABarrierForBlockingStreamsOnly) {
  const cudaStream_t a = stream(cudaStreamDefault), b = stream(cudaStreamDefault), n = stream(cudaStreamNonBlocking);
  spin(1000, a);
  spin(1000, cudaStreamLegacy);
  spin(1000, b);
  spin(1000, cudaStreamPerThread);
  spin(1000, n);
  EXPECT_NEAR(static_cast<double>(takes([&] { return cudaStreamSynchronize(n); })), 1e6, 2e4);
  EXPECT_NEAR(static_cast<double>(takes([&] { return cudaStreamSynchronize(b); })), 2e6, 2e4);
  EXPECT_EQ(cudaStreamQuery(cudaStreamPerThread), cudaSuccess);
}

TEST_F(Fake, AWaitIsBoundToTheRecordThatWas) {
  const cudaStream_t a = stream(cudaStreamNonBlocking), b = stream(cudaStreamNonBlocking);
  const cudaEvent_t e = event();
  ASSERT_EQ(cudaStreamWaitEvent(b, e, 0), cudaSuccess);  // never recorded: nothing to wait for
  EXPECT_LT(takes([&] { return cudaStreamSynchronize(b); }), 10'000);
  spin(1000, a);
  ASSERT_EQ(cudaEventRecord(e, a), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(b, e, 0), cudaSuccess);
  spin(1000, a);
  ASSERT_EQ(cudaEventRecord(e, a), cudaSuccess);
  EXPECT_NEAR(static_cast<double>(takes([&] { return cudaStreamSynchronize(b); })), 1e6, 2e4);
  EXPECT_NEAR(static_cast<double>(takes([&] { return cudaEventSynchronize(e); })), 1e6, 2e4);
}

TEST_F(Fake, CopiesOfOneDirectionTakeTurns) {
  constexpr std::size_t kBytes = 1 << 20;
  void *host = nullptr, *device = nullptr;
  ASSERT_EQ(cudaHostAlloc(&host, kBytes, 0), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&device, kBytes), cudaSuccess);
  const cudaStream_t a = stream(cudaStreamNonBlocking), b = stream(cudaStreamNonBlocking);
  ASSERT_EQ(cudaMemcpyAsync(device, host, kBytes, cudaMemcpyHostToDevice, a), cudaSuccess);
  const Nanoseconds one = takes([&] { return cudaStreamSynchronize(a); });
  ASSERT_EQ(cudaMemcpyAsync(device, host, kBytes, cudaMemcpyHostToDevice, a), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(device, host, kBytes, cudaMemcpyHostToDevice, b), cudaSuccess);
  EXPECT_NEAR(static_cast<double>(takes([&] { return cudaStreamSynchronize(b); })), static_cast<double>(2 * one), 5e3);
  ASSERT_EQ(cudaMemcpyAsync(device, host, kBytes, cudaMemcpyHostToDevice, a), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(host, device, kBytes, cudaMemcpyDeviceToHost, b), cudaSuccess);
  EXPECT_NEAR(static_cast<double>(takes([] { return cudaDeviceSynchronize(); })), static_cast<double>(one), 5e3);
}

TEST_F(Fake, ASpinEndsEarlyOnceItsWordIsSet) {
  const cudaStream_t a = stream(cudaStreamNonBlocking), control = stream(cudaStreamNonBlocking);
  spin(1'000'000, a);
  spin(1'000'000, a);
  const std::uint32_t one = 1;
  ASSERT_EQ(cudaMemcpyAsync(word_, &one, sizeof one, cudaMemcpyHostToDevice, control), cudaSuccess);
  EXPECT_LT(takes([&] { return cudaStreamSynchronize(a); }), 100'000);
}

TEST_F(Fake, AKernelThatWaitsForTheHostHoldsItsStreamsUntilItsLimit) {
  void* shared = nullptr;
  ASSERT_EQ(cudaHostAlloc(&shared, 4096, 0), cudaSuccess);
  auto* const words = static_cast<std::uint64_t*>(shared);
  words[0] = words[8] = 0;
  const cudaStream_t a = stream(cudaStreamNonBlocking), b = stream(cudaStreamNonBlocking);
  ASSERT_EQ(kernels::handshake(static_cast<std::uint32_t*>(shared), words + 8, 1, 5'000'000, a), cudaSuccess);
  const cudaEvent_t e = event();
  ASSERT_EQ(cudaEventRecord(e, a), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(b, e, 0), cudaSuccess);
  EXPECT_EQ(fake_cuda::held_streams(), 2u);
  EXPECT_NEAR(static_cast<double>(takes([&] { return cudaStreamSynchronize(b); })), 5e6, 2e4);
  EXPECT_EQ(fake_cuda::held_streams(), 0u);
  EXPECT_EQ(fake_cuda::ended_by_limit(), 1u);
  EXPECT_EQ(words[8], 0u);
}

TEST_F(Fake, AGraphRunsAsItWasCapturedAndTakesTurnsWithItself) {
  const cudaStream_t a = stream(cudaStreamNonBlocking), b = stream(cudaStreamNonBlocking);
  const cudaEvent_t fork = event(), join = event();
  ASSERT_EQ(cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(fork, a), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(b, fork, 0), cudaSuccess);
  spin(1000, a);
  spin(1000, b);
  ASSERT_EQ(cudaEventRecord(join, b), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(a, join, 0), cudaSuccess);
  spin(500, a);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(a, &graph), cudaSuccess);
  EXPECT_LT(takes([] { return cudaDeviceSynchronize(); }), 10'000) << "captured, not carried out";
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, a), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, b), cudaSuccess);
  EXPECT_NEAR(static_cast<double>(takes([] { return cudaDeviceSynchronize(); })), 3e6, 5e4);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  // A fork that does not come back.
  ASSERT_EQ(cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(fork, a), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(b, fork, 0), cudaSuccess);
  spin(10, b);
  EXPECT_EQ(cudaStreamEndCapture(a, &graph), cudaErrorStreamCaptureUnjoined);
  EXPECT_EQ(fake_cuda::live().graphs, 0u);
}

// Rule 19: calls that a capture in global mode allows no other thread, and any but a relaxed one not its own.
TEST_F(Fake, CapturesAreBrokenByUnsafeCalls) {
  const cudaStream_t a = stream(cudaStreamNonBlocking), b = stream(cudaStreamNonBlocking);
  const cudaEvent_t recorded = event();
  ASSERT_EQ(cudaEventRecord(recorded, b), cudaSuccess);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(b, cudaStreamCaptureModeRelaxed), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(b, &graph), cudaSuccess);
  void *on_device = nullptr, *in_pool = nullptr, *on_host = nullptr, *managed = nullptr;
  std::vector<char> pageable(256);
  const std::vector<std::function<cudaError_t()>> unsafe{
      [&] { return cudaMalloc(&on_device, 256); },
      [&] { return cudaFree(on_device); },
      [&] { return cudaMallocAsync(&in_pool, 256, b); },
      [&] { return cudaFreeAsync(in_pool, b); },
      [&] { return cudaMallocManaged(&managed, 256, cudaMemAttachGlobal); },
      [&] { return cudaFree(managed); },
      [&] { return cudaHostAlloc(&on_host, 256, cudaHostAllocDefault); },
      [&] { return cudaFreeHost(on_host); },
      [&] { return cudaMallocHost(&on_host, 256); },
      [&] { return cudaFreeHost(on_host); },
      [&] { return cudaHostRegister(pageable.data(), pageable.size(), cudaHostRegisterDefault); },
      [&] { return cudaHostUnregister(pageable.data()); },
      [&] { return cudaDeviceSynchronize(); },
      [&] { return cudaStreamSynchronize(b); },
      [&] { return cudaStreamQuery(b); },
      [&] { return cudaEventSynchronize(recorded); },
      [&] { return cudaEventQuery(recorded); },
      [&] { return cudaGraphInstantiate(&executable, graph, 0); }};
  char byte = 0;
  cudaStream_t made = nullptr;
  cudaEvent_t mark = nullptr;
  const std::vector<std::function<cudaError_t()>> safe{
      [&] { return cudaMemcpy(&byte, word_, 1, cudaMemcpyDeviceToHost); },
      [&] { return cudaMemcpyAsync(&byte, word_, 1, cudaMemcpyDeviceToHost, b); },
      [&] { return cudaStreamCreateWithPriority(&made, cudaStreamNonBlocking, 0); },
      [&] { return cudaStreamDestroy(made); },
      [&] { return cudaEventCreateWithFlags(&mark, cudaEventDefault); },
      [&] { return cudaEventRecord(mark, b); },
      [&] { return cudaEventDestroy(mark); }};
  const auto breaks = [&](const std::function<cudaError_t()>& call, cudaStreamCaptureMode mode, bool own) {
    EXPECT_EQ(cudaStreamBeginCapture(a, mode), cudaSuccess);
    cudaError_t said = cudaSuccess;
    if (own) {
      said = call();
    } else {
      std::thread([&] { said = call(); }).join();
    }
    cudaGraph_t captured = nullptr;
    const cudaError_t end = cudaStreamEndCapture(a, &captured);
    EXPECT_EQ(end, said == cudaSuccess ? cudaSuccess : cudaErrorStreamCaptureInvalidated);
    EXPECT_EQ(said, end == cudaSuccess ? cudaSuccess : cudaErrorStreamCaptureUnsupported);
    EXPECT_TRUE(captured == nullptr || cudaGraphDestroy(captured) == cudaSuccess);
    return said != cudaSuccess;
  };
  for (std::size_t i = 0; i < unsafe.size(); ++i) {
    EXPECT_TRUE(breaks(unsafe[i], cudaStreamCaptureModeGlobal, false)) << i;
    EXPECT_TRUE(breaks(unsafe[i], cudaStreamCaptureModeGlobal, true)) << i;
    EXPECT_TRUE(breaks(unsafe[i], cudaStreamCaptureModeThreadLocal, true)) << i;
    // It is carried out once, for the next of them to undo.
    const bool own = i % 2 == 0;
    EXPECT_FALSE(breaks(unsafe[i], own ? cudaStreamCaptureModeRelaxed : cudaStreamCaptureModeThreadLocal, own)) << i;
  }
  for (std::size_t i = 0; i < safe.size(); ++i) EXPECT_FALSE(breaks(safe[i], cudaStreamCaptureModeGlobal, false)) << i;
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_TRUE(fake_cuda::misuses().empty()) << testing::PrintToString(fake_cuda::misuses());
}

TEST_F(Fake, WhatIsCapturedCannotBeAskedFor) {
  const cudaStream_t a = stream(cudaStreamNonBlocking);
  const cudaEvent_t inside = event();
  ASSERT_EQ(cudaStreamBeginCapture(a, cudaStreamCaptureModeRelaxed), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(inside, a), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(a), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamSynchronize(a), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaEventQuery(inside), cudaErrorCapturedEvent);
  EXPECT_EQ(cudaEventSynchronize(inside), cudaErrorCapturedEvent);
  EXPECT_EQ(fake_cuda::misuses().size(), 4u);
}

TEST_F(Fake, MisuseIsSeen) {
  const cudaStream_t a = stream(cudaStreamNonBlocking);
  char byte = 0;
  EXPECT_NE(cudaMemcpyAsync(static_cast<char*>(word_) + 250, &byte, 16, cudaMemcpyHostToDevice, a), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(a), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(a), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(fake_cuda::misuses().size(), 2u);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(Fake, AFailingCallDoesNothingAndAFaultSticks) {
  fake_cuda::fail_call("cudaMalloc", 2, cudaErrorUnknown);
  void *first = nullptr, *second = nullptr;
  EXPECT_EQ(cudaMalloc(&first, 16), cudaSuccess);
  const fake_cuda::Live before = fake_cuda::live();
  EXPECT_EQ(cudaMalloc(&second, 16), cudaErrorUnknown);
  EXPECT_EQ(fake_cuda::live(), before);
  EXPECT_EQ(cudaMalloc(&second, 16), cudaSuccess);
  fake_cuda::fault_in_kernel(2, cudaErrorIllegalAddress);
  spin(10, cudaStreamLegacy);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  spin(10, cudaStreamLegacy);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaFree(first), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "until the next call returns it";
  EXPECT_EQ(cudaFree(second), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
}

}  // namespace
}  // namespace streamscope::cuda
