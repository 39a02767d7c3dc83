// The device's memory and the pinned memory of its host: real memory, so that a sanitizer sees what goes beyond it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>

namespace streamscope::fake_cuda {

enum class Place { device, pool, pinned, mapped, managed, elsewhere };
// Where kernels and the device's side of a copy may work, and where the host may.
inline bool reached_by_device(Place place) {
  return place == Place::device || place == Place::pool || place == Place::mapped || place == Place::managed;
}
inline bool reached_by_host(Place place) { return place != Place::device && place != Place::pool; }

class MemoryMap {
 public:
  static constexpr std::uint64_t kDeviceBytes = 1ull << 30;

  // On the current device, or of the host. Null where there is no room. Filled with a byte that no test expects.
  void* allocate(Place place, std::uint64_t bytes);
  bool release(Place place, void* data);
  bool release_on_device(void* data) { return release(Place::device, data) || release(Place::pool, data); }

  // Where the whole range lies; elsewhere for memory that was not allocated here.
  Place place(const void* data, std::uint64_t bytes) const;
  // False where the range begins in an allocation and ends beyond it.
  bool within(const void* data, std::uint64_t bytes) const;
  // Of memory in Place::device or pool; -1 for other memory.
  int device_of(const void* data) const;
  std::size_t count(Place place) const;
  // Memory of the system that is registered. False where a byte of it is so already, or none was.
  bool add_registered(const void* data, std::uint64_t bytes);
  bool remove_registered(const void* data);
  bool registered(const void* data, std::uint64_t bytes) const;
  std::size_t registrations() const { return registered_.size(); }
  std::uint64_t free_bytes() const;  // of the current device

 private:
  struct Free {
    void operator()(void* data) const { std::free(data); }
  };
  struct Block {
    std::unique_ptr<void, Free> data;
    std::uint64_t bytes;
    Place place;
    int device;
  };
  const Block* find(const void* data) const;
  std::map<std::uintptr_t, Block> blocks_;              // by address
  std::map<std::uintptr_t, std::uint64_t> registered_;  // bytes, by address
};

}  // namespace streamscope::fake_cuda
