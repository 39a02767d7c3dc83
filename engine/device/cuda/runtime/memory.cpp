#include "engine/device/cuda/runtime/memory.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/device/cuda/runtime/cuda_error.h"

namespace streamscope::cuda {
namespace {

constexpr std::uint64_t kGrain = 4096;
struct Described {
  std::string_view name, call;
  std::optional<unsigned> host_flags = {};  // of cudaHostAlloc
};
constexpr std::array<Described, kMemoryKinds> kDescribed{
    {{"device", "cudaMalloc"},
     {"pinned", "cudaHostAlloc", cudaHostAllocDefault},
     {"write-combined", "cudaHostAlloc", cudaHostAllocWriteCombined},
     {"pageable", "aligned_alloc"},
     {"mapped", "cudaHostAlloc", cudaHostAllocMapped},
     {"managed", "cudaMallocManaged"}}};

std::size_t index(MemoryKind kind) { return static_cast<std::size_t>(kind); }

cudaError_t allocate(MemoryKind kind, std::uint64_t bytes, void** data) {
  // A request for more than the system has may succeed and get the process killed later. Small blocks are not checked.
  constexpr std::uint64_t kLeastChecked = 16 << 20;
  if (kind != MemoryKind::device && bytes >= kLeastChecked && bytes > host_memory_available()) {
    return cudaErrorMemoryAllocation;
  }
  if (const auto flags = kDescribed[index(kind)].host_flags) return cudaHostAlloc(data, bytes, *flags);
  if (kind == MemoryKind::device) return cudaMalloc(data, bytes);
  if (kind == MemoryKind::managed) return cudaMallocManaged(data, bytes, cudaMemAttachGlobal);
  *data = std::aligned_alloc(kGrain, bytes);
  return *data != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}

void deallocate(MemoryKind kind, void* data) noexcept {
  if (kind == MemoryKind::pageable) return std::free(data);
  kDescribed[index(kind)].host_flags ? cudaFreeHost(data) : cudaFree(data);
}

// Managed memory may be on either side.
bool may_make_room(MemoryKind idle, MemoryKind wanted) {
  if (idle == MemoryKind::managed || wanted == MemoryKind::managed) return true;
  return (idle == MemoryKind::device) == (wanted == MemoryKind::device);
}

}  // namespace

std::string_view name(MemoryKind kind) { return kDescribed[index(kind)].name; }

Result<char*> device_view(void* mapped, std::string_view purpose) {
  void* view = nullptr;
  CUDA_TRY(cudaHostGetDevicePointer(&view, mapped, 0), purpose);
  return static_cast<char*>(view);
}

std::uint64_t host_memory_available() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  std::uint64_t kibibytes = 0;
  while (file >> key >> kibibytes) {
    if (key == "MemAvailable:") return kibibytes << 10;
    std::getline(file, unit);
  }
  return ~0ull;
}

Memory& Memory::operator=(Memory&& other) noexcept {
  if (this != &other) {
    release();
    pool_ = std::move(other.pool_);
    kind_ = other.kind_;
    data_ = std::exchange(other.data_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
  }
  return *this;
}

void Memory::release() noexcept {
  if (data_ != nullptr) pool_->give_back(kind_, {data_, bytes_});
  data_ = nullptr;
  bytes_ = 0;
  pool_.reset();
}

MemoryPool::~MemoryPool() {
  cudaSetDevice(device_);
  for (std::size_t kind = 0; kind < kMemoryKinds; ++kind) trim(static_cast<MemoryKind>(kind), 0);
}

Result<Memory> MemoryPool::take(MemoryKind kind, std::uint64_t bytes, std::string_view purpose) {
  const std::lock_guard lock(mutex_);
  if (bytes > (1ull << 62)) bytes = 1ull << 62;  // refused below, without an overflow on the way
  const std::uint64_t size = bytes == 0 ? kGrain : (bytes + kGrain - 1) / kGrain * kGrain;

  Memory taken;
  taken.kind_ = kind;
  auto& idle = idle_[index(kind)];
  auto best = idle.end();
  for (auto block = idle.begin(); block != idle.end(); ++block) {
    // A block that is far too large is left for larger requests.
    if (block->bytes < size || block->bytes / 2 > size) continue;
    if (best == idle.end() || block->bytes < best->bytes) best = block;
  }
  if (best != idle.end()) {
    taken.data_ = best->data;
    taken.bytes_ = best->bytes;
    idle_bytes_[index(kind)] -= best->bytes;
    idle.erase(best);
  } else {
    cudaError_t code = allocate(kind, size, &taken.data_);
    if (code == cudaErrorMemoryAllocation) {
      // Idle blocks may use up the memory; those of other kinds on the same side count too.
      cudaGetLastError();
      for (std::size_t other = 0; other < kMemoryKinds; ++other) {
        if (may_make_room(static_cast<MemoryKind>(other), kind)) trim_locked(static_cast<MemoryKind>(other), 0);
      }
      code = allocate(kind, size, &taken.data_);
    }
    if (code != cudaSuccess) {
      taken.data_ = nullptr;
      const std::string_view call = kDescribed[index(kind)].call;
      Error error = cuda_error(code, call, purpose);
      if (code == cudaErrorMemoryAllocation) {
        error.kind = ErrorKind::bad_input;
        error.message = tr("{}: there is no room for {} of {} memory ({} failed with {}); use smaller buffers{}",
                           purpose, display_bytes(bytes), name(kind), call, explain(code),
                           kind == MemoryKind::pinned || kind == MemoryKind::write_combined
                               ? tr(", or pageable ones (host=pageable)")
                               : "");
      }
      return fail(std::move(error));
    }
    taken.bytes_ = size;
  }
  taken.pool_ = shared_from_this();
  return taken;
}

std::uint64_t MemoryPool::idle_bytes(MemoryKind kind) const {
  const std::lock_guard lock(mutex_);
  return idle_bytes_[index(kind)];
}

void MemoryPool::trim(MemoryKind kind, std::uint64_t keep) {
  const std::lock_guard lock(mutex_);
  trim_locked(kind, keep);
}

void MemoryPool::give_back(MemoryKind kind, Block block) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    idle_[index(kind)].push_back(block);
  } catch (...) {
    deallocate(kind, block.data);
    return;
  }
  idle_bytes_[index(kind)] += block.bytes;
  trim_locked(kind, kMostIdle);
}

void MemoryPool::trim_locked(MemoryKind kind, std::uint64_t keep) noexcept {
  auto& idle = idle_[index(kind)];
  while (idle_bytes_[index(kind)] > keep) {
    deallocate(kind, idle.front().data);
    idle_bytes_[index(kind)] -= idle.front().bytes;
    idle.pop_front();
  }
}

}  // namespace streamscope::cuda
