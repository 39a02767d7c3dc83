#include "tests/support/fake_cuda/memory.h"

#include <algorithm>
#include <cstring>

#include "tests/support/fake_cuda/queue.h"

namespace streamscope::fake_cuda {
namespace {

constexpr std::uint64_t kAlignment = 256;

std::uintptr_t address(const void* data) { return reinterpret_cast<std::uintptr_t>(data); }

}  // namespace

void* MemoryMap::allocate(Place place, std::uint64_t bytes) {
  const bool on_device = place == Place::device || place == Place::pool;
  if (bytes == 0 || bytes > kDeviceBytes || (on_device && bytes > free_bytes())) return nullptr;
  void* const data = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
  if (data == nullptr) return nullptr;
  std::memset(data, 0xA5, bytes);
  blocks_.emplace(address(data), Block{std::unique_ptr<void, Free>(data), bytes, place, current_device});
  return data;
}

bool MemoryMap::release(Place place, void* data) {
  const auto found = blocks_.find(address(data));
  if (found == blocks_.end() || found->second.place != place) return false;
  blocks_.erase(found);
  return true;
}

const MemoryMap::Block* MemoryMap::find(const void* data) const {
  auto after = blocks_.upper_bound(address(data));
  if (after == blocks_.begin()) return nullptr;
  const auto& [begin, block] = *std::prev(after);
  return address(data) < begin + block.bytes ? &block : nullptr;
}

bool MemoryMap::within(const void* data, std::uint64_t bytes) const {
  const Block* const block = find(data);
  return block == nullptr || address(data) - address(block->data.get()) + bytes <= block->bytes;
}

Place MemoryMap::place(const void* data, std::uint64_t bytes) const {
  const Block* const block = find(data);
  return block != nullptr && within(data, bytes) ? block->place : Place::elsewhere;
}

bool MemoryMap::add_registered(const void* data, std::uint64_t bytes) {
  const std::uintptr_t from = address(data);
  const auto after = registered_.lower_bound(from);
  if (after != registered_.end() && after->first < from + bytes) return false;
  if (after != registered_.begin()) {
    const auto& [begin, length] = *std::prev(after);
    if (begin + length > from) return false;
  }
  registered_.emplace(from, bytes);
  return true;
}

bool MemoryMap::remove_registered(const void* data) { return registered_.erase(address(data)) == 1; }

bool MemoryMap::registered(const void* data, std::uint64_t bytes) const {
  const auto after = registered_.upper_bound(address(data));
  if (after == registered_.begin()) return false;
  const auto& [begin, length] = *std::prev(after);
  return address(data) + bytes <= begin + length;
}

int MemoryMap::device_of(const void* data) const {
  const Block* const block = find(data);
  if (block == nullptr) return -1;
  return block->place == Place::device || block->place == Place::pool ? block->device : -1;
}

std::size_t MemoryMap::count(Place place) const {
  return static_cast<std::size_t>(
      std::count_if(blocks_.begin(), blocks_.end(), [&](const auto& block) { return block.second.place == place; }));
}

std::uint64_t MemoryMap::free_bytes() const {
  std::uint64_t used = 0;
  for (const auto& [begin, block] : blocks_) {
    const bool here = (block.place == Place::device || block.place == Place::pool) && block.device == current_device;
    used += here ? block.bytes : 0;
  }
  return kDeviceBytes - used;
}

}  // namespace streamscope::fake_cuda
