// Faults by plain CUDA calls, for tests/gpu/faults_test.cpp: what each call returns, a line each, in the order of the
// statements of its stream programs. `plain_faults illegal-address|assert|trap|launch-config [two]`
#undef NDEBUG
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>
#include <string_view>

namespace {

__global__ void spin(unsigned long long nanoseconds) {
  unsigned long long begin = 0, now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin)::"memory");
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
  } while (now - begin < nanoseconds);
}
__global__ void write_nowhere() { *reinterpret_cast<volatile int*>(size_t{8}) = 1; }
__global__ void assert_that(bool holds) { assert(holds); }
__global__ void trap() { __trap(); }
__global__ void never_runs() {}

void say(cudaError_t code) { std::puts(cudaGetErrorName(code)); }

// As kernel<<<...>>>(...), which has no result of its own.
template <class... Arguments>
cudaError_t launch(void (*kernel)(Arguments...), unsigned threads, cudaStream_t stream, Arguments... given) {
  void* arguments[] = {static_cast<void*>(&given)..., nullptr};
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(threads), arguments, 0, stream);
}
cudaError_t spin_in(cudaStream_t stream, unsigned long long nanoseconds) {
  return launch<unsigned long long>(spin, 1, stream, nanoseconds);
}
cudaError_t fault(std::string_view kind, cudaStream_t stream) {
  if (kind == "illegal-address") return launch<>(write_nowhere, 1, stream);
  if (kind == "assert") return launch<bool>(assert_that, 1, stream, false);
  if (kind == "trap") return launch<>(trap, 1, stream);
  return launch<>(never_runs, 4096, stream);
}
void load() {
  cudaFuncAttributes attributes;
  for (auto* const kernel : {write_nowhere, trap, never_runs}) cudaFuncGetAttributes(&attributes, kernel);
  launch<bool>(assert_that, 1, nullptr, true);
  spin_in(nullptr, 0);
  cudaDeviceSynchronize();
}

void one(std::string_view kind) {
  constexpr size_t kBytes = 1 << 20;
  void *x = nullptr, *host = nullptr, *t = nullptr, *h = nullptr, *u = nullptr;
  cudaStream_t a = nullptr, b = nullptr, c = nullptr, d = nullptr;
  cudaEvent_t e = nullptr, f = nullptr;
  float milliseconds = 0;
  cudaMalloc(&x, kBytes);
  cudaMallocHost(&host, kBytes);
  cudaStreamCreateWithPriority(&a, cudaStreamNonBlocking, 0);
  cudaStreamCreateWithPriority(&b, cudaStreamNonBlocking, 0);
  cudaEventCreate(&e);
  load();

  say(cudaEventRecord(e, a));
  say(cudaStreamSynchronize(a));
  say(spin_in(b, 2'000'000));
  say(spin_in(a, 200'000));
  say(cudaMemcpyAsync(x, host, kBytes, cudaMemcpyHostToDevice, a));
  say(fault(kind, a));
  say(spin_in(a, 100'000));
  say(cudaEventRecord(e, a));
  say(cudaPeekAtLastError());
  say(cudaStreamSynchronize(a));
  say(cudaPeekAtLastError());
  say(cudaGetLastError());
  say(cudaGetLastError());
  say(cudaStreamQuery(a));
  say(cudaEventQuery(e));
  say(cudaStreamSynchronize(b));
  say(cudaStreamQuery(b));
  say(cudaEventSynchronize(e));
  say(cudaDeviceSynchronize());
  say(cudaEventElapsedTime(&milliseconds, e, e));
  say(cudaGetLastError());
  say(cudaMemcpyAsync(x, host, kBytes, cudaMemcpyHostToDevice, b));
  say(cudaMemcpyAsync(host, x, kBytes, cudaMemcpyDeviceToHost, b));
  say(cudaMemsetAsync(x, 0, kBytes, b));
  say(spin_in(b, 10'000));
  say(cudaGetLastError());
  say(fault("launch-config", b));
  say(cudaGetLastError());
  say(cudaMemcpy(x, host, kBytes, cudaMemcpyHostToDevice));
  say(cudaMemset(x, 0, kBytes));
  say(cudaMalloc(&t, kBytes));
  say(cudaMallocHost(&h, kBytes));
  say(cudaStreamCreateWithPriority(&c, cudaStreamDefault, 0));
  say(cudaEventCreate(&f));
  say(cudaEventRecord(e, b));
  say(cudaStreamWaitEvent(b, e, 0));
  say(cudaLaunchHostFunc(
      b, [](void*) {}, nullptr));
  say(cudaDeviceSynchronize());
  say(cudaGetLastError());
  say(cudaDeviceReset());
  say(cudaGetLastError());
  say(cudaStreamCreateWithPriority(&d, cudaStreamDefault, 0));
  say(cudaMalloc(&u, kBytes));
  say(spin_in(nullptr, 1'000));
  say(cudaDeviceSynchronize());
  say(cudaGetLastError());
  say(cudaGetLastError());
}

// A fault on the first device, and what is said on the second.
void two(std::string_view kind) {
  void *y = nullptr, *host = nullptr;
  cudaStream_t a = nullptr, c = nullptr;
  cudaMallocHost(&host, 1 << 20);
  cudaStreamCreateWithPriority(&a, cudaStreamNonBlocking, 0);
  load();
  cudaSetDevice(1);
  cudaMalloc(&y, 1 << 20);
  cudaStreamCreateWithPriority(&c, cudaStreamNonBlocking, 0);
  load();

  say(cudaSetDevice(1));
  say(spin_in(c, 5'000'000));
  say(cudaSetDevice(0));
  say(fault(kind, a));
  say(cudaStreamSynchronize(a));
  say(cudaSetDevice(1));
  say(cudaStreamSynchronize(c));
  say(cudaMemcpyAsync(y, host, 1 << 20, cudaMemcpyHostToDevice, c));
  say(spin_in(c, 1'000));
  say(cudaDeviceSynchronize());
  say(cudaGetLastError());
  say(cudaGetLastError());
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  std::setvbuf(stdout, nullptr, _IOLBF, 4096);
  count > 2 ? two(arguments[1]) : one(arguments[1]);
  return 0;
}
