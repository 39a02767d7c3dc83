// A pool of reused memory blocks of each kind: a pinned allocation of 256 MiB takes 100 ms, and freeing memory waits
// for the whole device.
//
// A block returns to its pool when its owner is destroyed, and is given to a later request of about its size. The
// amount of idle memory is bounded; the longest idle block is freed first.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string_view>

#include "engine/base/result.h"

namespace streamscope::cuda {

enum class MemoryKind : std::uint8_t {
  device,
  pinned,
  write_combined,
  pageable,
  mapped,   // pinned, and kernels reach it over the bus; see device_view()
  managed,  // cudaMallocManaged: one address for both sides, and the pages move
};
inline constexpr std::size_t kMemoryKinds = 6;
std::string_view name(MemoryKind kind);

// MemAvailable of /proc/meminfo in bytes; the largest number if the system has none.
std::uint64_t host_memory_available();

class MemoryPool;

// The address under which kernels reach mapped memory.
Result<char*> device_view(void* mapped, std::string_view purpose);

// Owns one block of a pool, and keeps the pool alive.
class Memory {
 public:
  Memory() = default;
  Memory(Memory&& other) noexcept { *this = std::move(other); }
  Memory& operator=(Memory&& other) noexcept;
  ~Memory() { release(); }

  void* data() const { return data_; }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  std::uint64_t bytes() const { return bytes_; }  // at least as many as were requested
  explicit operator bool() const { return data_ != nullptr; }

 private:
  friend class MemoryPool;
  void release() noexcept;

  std::shared_ptr<MemoryPool> pool_;
  MemoryKind kind_ = MemoryKind::pageable;
  void* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

class MemoryPool : public std::enable_shared_from_this<MemoryPool> {
 public:
  explicit MemoryPool(int device) : device_(device) {}
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  // Aligned to at least 256 bytes, with undefined contents; the pool's device must be current. `purpose` is for the
  // message if there is no room.
  Result<Memory> take(MemoryKind kind, std::uint64_t bytes, std::string_view purpose);
  // Of blocks without an owner.
  std::uint64_t idle_bytes(MemoryKind kind) const;
  // Gives idle blocks back to the system until no more than `keep` bytes are left of that kind.
  void trim(MemoryKind kind, std::uint64_t keep);

  static constexpr std::uint64_t kMostIdle = 4ull << 30;  // of each kind

 private:
  friend class Memory;
  struct Block {
    void* data;
    std::uint64_t bytes;
  };
  void give_back(MemoryKind kind, Block block) noexcept;
  void trim_locked(MemoryKind kind, std::uint64_t keep) noexcept;

  const int device_;
  mutable std::mutex mutex_;
  std::array<std::list<Block>, kMemoryKinds> idle_;  // the longest idle first
  std::array<std::uint64_t, kMemoryKinds> idle_bytes_{};
};

}  // namespace streamscope::cuda
