// Parts of the written file that are the same in each, and its lines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace streamscope::cuda_source {

// Lines of C++ with the program's line that each comes from.
class Lines {
 public:
  void add(std::string_view text, std::uint32_t line = 0) {
    while (true) {
      const std::size_t end = text.find('\n');
      text_ += text.substr(0, end);
      text_ += '\n';
      lines_.push_back(line);
      declares_.push_back(false);
      if (end == std::string_view::npos || end + 1 == text.size()) return;
      text.remove_prefix(end + 1);
    }
  }
  void append(const Lines& more) {
    text_ += more.text_;
    lines_.insert(lines_.end(), more.lines_.begin(), more.lines_.end());
    declares_.insert(declares_.end(), more.declares_.begin(), more.declares_.end());
  }
  void append_declarations(const Lines& more) {
    append(more);
    std::fill(declares_.end() - static_cast<std::ptrdiff_t>(more.count()), declares_.end(), true);
  }
  const std::string& text() const { return text_; }
  std::size_t count() const { return lines_.size(); }
  const std::vector<std::uint32_t>& from() const { return lines_; }
  const std::vector<bool>& declares() const { return declares_; }

 private:
  std::string text_;
  std::vector<std::uint32_t> lines_;
  std::vector<bool> declares_;  // of each line whether it makes, fills or frees something
};

// Dynamic shared memory that a block may have without cudaFuncSetAttribute: of 48 KiB (CUDA C++ Programming Guide) what
// our kernels' barriers and sums, which count as well, leave.
inline constexpr std::uint64_t kSharedWithoutAsking = 47 << 10;

// As a whole word.
bool says(std::string_view code, std::string_view word);

inline constexpr std::string_view kCheck = R"(// Ends everything where a call of CUDA's fails, and says which.
#define CHECK(call)                                                                                      \
  do {                                                                                                   \
    const cudaError_t code_of_call = (call);                                                             \
    if (code_of_call != cudaSuccess) {                                                                   \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(code_of_call)); \
      std::exit(1);                                                                                      \
    }                                                                                                    \
  } while (false)
)";

// Of a program that fails on purpose.
inline constexpr std::string_view kTell =
    R"(// Says which call of CUDA's fails, and how; the program goes on, for it fails on purpose.
#define CHECK(call)                                                                                      \
  do {                                                                                                   \
    const cudaError_t code_of_call = (call);                                                             \
    if (code_of_call != cudaSuccess) {                                                                   \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(code_of_call)); \
    }                                                                                                    \
  } while (false)
)";

inline constexpr std::string_view kPerThreadOnly = R"(
#ifndef CUDA_API_PER_THREAD_DEFAULT_STREAM
#error "compile it with nvcc --default-stream per-thread"
#endif
)";
inline constexpr std::string_view kBusy = R"(// The host computes for so many nanoseconds.
void busy(long long nanoseconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(nanoseconds);
  while (std::chrono::steady_clock::now() < end) {
  }
}
)";
inline constexpr std::string_view kHostFunction = R"(// A thread of the driver calls it, in stream order.
void CUDART_CB host_function(void* nanoseconds) { busy(static_cast<long long>(reinterpret_cast<size_t>(nanoseconds))); }
)";
inline constexpr std::string_view kCallback = R"(// The same, told what the stream's status is.
void CUDART_CB callback(cudaStream_t, cudaError_t status, void* nanoseconds) {
  CHECK(status);
  busy(static_cast<long long>(reinterpret_cast<size_t>(nanoseconds)));
}
)";
// Of a program that fails on purpose: what is to be told later of an earlier error stays.
inline constexpr std::string_view kAnswerOnly =
    R"(// What a call returned after which the program goes on in any case; what it may return is no error.
bool answer(cudaError_t answered) {
  if (answered == cudaErrorNotReady || answered == cudaErrorInvalidResourceHandle) return false;
  CHECK(answered);
  return true;
}
)";
inline constexpr std::string_view kAnswer =
    R"(// What a call returned after which the program goes on in any case; what it may return is no error.
bool answer(cudaError_t answered) {
  if (answered == cudaErrorNotReady || answered == cudaErrorInvalidResourceHandle) {
    cudaGetLastError();
    return false;
  }
  CHECK(answered);
  return true;
}
)";
inline constexpr std::string_view kElapsed =
    R"(// Milliseconds between two events; those of the last of such calls are kept.
float last_elapsed = -1;
void elapsed(cudaEvent_t from, cudaEvent_t to) {
  float milliseconds = -1;
  if (answer(cudaEventElapsedTime(&milliseconds, from, to))) last_elapsed = milliseconds;
}
)";
// Of a program that fails on purpose.
inline constexpr std::string_view kLaunch =
    R"(// As kernel<<<...>>>(...), and says how that went: cudaGetLastError would take what an earlier call has left.
template <class... Taken, class... Given>
cudaError_t launch(void (*kernel)(Taken...), dim3 blocks, dim3 threads, size_t shared, cudaStream_t stream,
                   Given... given) {
  const auto with = [&](Taken... taken) {
    void* all[] = {static_cast<void*>(&taken)..., nullptr};
    return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), blocks, threads, all, shared, stream);
  };
  return with(given...);
}
)";
inline constexpr std::string_view kFaultAddress = R"(// Writes where there is no memory.
__global__ void write_nowhere() { *reinterpret_cast<volatile int*>(size_t{8}) = 1; }
cudaError_t fault_illegal_address(cudaStream_t stream) { return launch(write_nowhere, 1, 1, 0, stream); }
)";
inline constexpr std::string_view kFaultAssert = R"(// An assertion that does not hold.
__global__ void assert_false() { assert(false); }
cudaError_t fault_assert(cudaStream_t stream) { return launch(assert_false, 1, 1, 0, stream); }
)";
inline constexpr std::string_view kFaultTrap = R"(// Ends the kernel and all that is on the device.
__global__ void stop_here() { __trap(); }
cudaError_t fault_trap(cudaStream_t stream) { return launch(stop_here, 1, 1, 0, stream); }
)";
inline constexpr std::string_view kFaultLaunch = R"(// A launch with a block of more threads than there may be.
__global__ void never_runs() {}
cudaError_t fault_launch_config(cudaStream_t stream) { return launch(never_runs, 1, 4096, 0, stream); }
)";
inline constexpr std::string_view kLastError = R"(// The last error that a call of this thread returned.
void last_error(cudaError_t code) { std::printf("last error: %s\n", cudaGetErrorName(code)); }
)";
inline constexpr std::string_view kAttributes =
    R"(// What a stream says of itself; the answer to the last of such calls is kept.
struct Attributes {
  int priority = 0;
  unsigned flags = 0;
  unsigned long long id = 0;
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
} last_attributes;
void attributes(cudaStream_t stream) {
  CHECK(cudaStreamGetPriority(stream, &last_attributes.priority));
  CHECK(cudaStreamGetFlags(stream, &last_attributes.flags));
  CHECK(cudaStreamGetId(stream, &last_attributes.id));
  CHECK(cudaStreamIsCapturing(stream, &last_attributes.capture));
}
)";
inline constexpr std::string_view kCaptureInfo =
    R"(// Whether a stream is being captured, and by which capture; the answer to the last of such calls is kept.
cudaStreamCaptureStatus last_capture = cudaStreamCaptureStatusNone;
void capture_info(cudaStream_t stream) {
  unsigned long long id = 0;
#if CUDART_VERSION >= 13000
  CHECK(cudaStreamGetCaptureInfo(stream, &last_capture, &id));
#else
  CHECK(cudaStreamGetCaptureInfo_v2(stream, &last_capture, &id));
#endif
}
)";
// Of a program that fails on purpose, as kAnswerOnly.
inline constexpr std::string_view kDoneOnly = R"(// The answer of cudaStreamQuery or cudaEventQuery.
bool done(cudaError_t answer) {
  if (answer == cudaErrorNotReady) return false;
  CHECK(answer);
  return true;
}
)";
inline constexpr std::string_view kDone = R"(// The answer of cudaStreamQuery or cudaEventQuery; "not ready" stays
// the last error until it is asked for.
bool done(cudaError_t answer) {
  if (answer == cudaErrorNotReady) {
    cudaGetLastError();
    return false;
  }
  CHECK(answer);
  return true;
}
)";
inline constexpr std::string_view kTouch = R"(// The CPU reads the data and writes it back.
template <class Word>
void touch_one(char* data) {
  volatile Word* const word = reinterpret_cast<volatile Word*>(data);
  *word = *word;
}
void touch(char* data, size_t bytes) {
  char* const end = data + bytes;
  for (; data < end && reinterpret_cast<size_t>(data) % 8 != 0; ++data) touch_one<char>(data);
  for (; end - data >= 8; data += 8) touch_one<unsigned long long>(data);
  for (; data < end; ++data) touch_one<char>(data);
}
)";
inline constexpr std::string_view kPrefetch =
    R"(// Moves managed memory to the device of that number, or to the host: cudaCpuDeviceId.
void prefetch(char* data, size_t bytes, int to, cudaStream_t stream) {
#if CUDART_VERSION >= 13000
  cudaMemLocation place{};
  place.type = to == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  place.id = to == cudaCpuDeviceId ? 0 : to;
  CHECK(cudaMemPrefetchAsync(data, bytes, place, 0, stream));
#else
  CHECK(cudaMemPrefetchAsync(data, bytes, to, stream));
#endif
}
)";
inline constexpr std::string_view kPeerAccess =
    R"(// Whether two devices reach each other's memory: a call for each way.
void peer_access(int one, int other, bool on) {
  int current = 0;
  CHECK(cudaGetDevice(&current));
  for (int way = 0; way < 2; ++way) {
    const int peer = way == 0 ? other : one;
    CHECK(cudaSetDevice(way == 0 ? one : other));
    CHECK(on ? cudaDeviceEnablePeerAccess(peer, 0) : cudaDeviceDisablePeerAccess(peer));
  }
  CHECK(cudaSetDevice(current));
}
)";
// The pattern of kernels/pattern.h.
inline constexpr std::string_view kFill = R"(
// Floats in [0.5, 1), each half of which is a bfloat16 in [0.5, 1) as well; neighbours differ.
__global__ void fill_words(unsigned char* data, size_t bytes, unsigned seed) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  unsigned x = static_cast<unsigned>(i ^ (i >> 32)) + seed * 0x9E3779B9u;
  x = (x ^ (x >> 16)) * 0x85EBCA6Bu;
  x = (x ^ (x >> 13)) * 0xC2B2AE35u;
  const unsigned word = 0x3F003F00u | ((x >> 8) & 0x007F007Fu);
  for (size_t byte = 0; byte < 4 && 4 * i + byte < bytes; ++byte) {
    data[4 * i + byte] = static_cast<unsigned char>(word >> (8 * byte));
  }
}
void fill(char* data, size_t bytes, unsigned seed) {
  fill_words<<<static_cast<unsigned>((bytes + 1023) / 1024), 256>>>(reinterpret_cast<unsigned char*>(data), bytes, seed);
  CHECK(cudaGetLastError());
}
)";
inline constexpr std::string_view kSums = R"(
// Of equal data equal numbers: the words in their order, and the sum of them as floats.
void print_sums(const char* name, const char* data, size_t bytes) {
  std::vector<unsigned> words((bytes + 3) / 4);
  CHECK(cudaMemcpy(words.data(), data, bytes, cudaMemcpyDefault));
  unsigned long long hash = 14695981039346656037ull;
  double sum = 0;
  for (const unsigned word : words) {
    hash = (hash ^ word) * 1099511628211ull;
    float value;
    memcpy(&value, &word, sizeof value);
    sum += static_cast<double>(value);
  }
  std::printf("%s: words %016llx, sum %.9e\n", name, hash, sum);
}
)";
inline constexpr std::string_view kKeepPool =
    R"(// cudaMallocAsync's pool keeps what is freed, so that each run finds it there.
cudaMemPool_t pool;
CHECK(cudaDeviceGetDefaultMemPool(&pool, {}));
unsigned long long keep = ~0ull;
CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));)";
// With the most that a kernel needs.
inline constexpr std::string_view kAlone = R"({{
  int of_multiprocessor = 0, of_block = 0;
  CHECK(cudaDeviceGetAttribute(&of_multiprocessor, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0));
  CHECK(cudaDeviceGetAttribute(&of_block, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  memory_of_block = std::max<size_t>(memory_of_block, std::max({}, std::min(of_multiprocessor / 2, of_block)));
}})";

}  // namespace streamscope::cuda_source
