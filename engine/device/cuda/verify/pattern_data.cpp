#include "engine/device/cuda/verify/pattern_data.h"

#include <atomic>
#include <cstring>

#include "kernels/parallel_slices.h"
#include "kernels/pattern.h"

namespace streamscope::cuda {
namespace {

bool is_nan(std::uint32_t bits) { return (bits & 0x7FFFFFFFu) > 0x7F800000u; }

}  // namespace

void fill_pattern(char* data, std::uint64_t bytes, std::uint32_t seed) {
  kernels::in_slices((bytes + 3) / 4, [&](std::size_t, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::uint32_t word = kernels::pattern(i, seed);
      std::memcpy(data + 4 * i, &word, std::min<std::uint64_t>(4, bytes - 4 * i));
    }
  });
}

std::optional<std::uint64_t> first_difference(const char* found, const char* expected, std::uint64_t bytes) {
  std::atomic<std::uint64_t> first = bytes;
  kernels::in_slices((bytes + 3) / 4, [&](std::size_t, std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t length = std::min(bytes, 4 * end) - 4 * begin;
    if (std::memcmp(found + 4 * begin, expected + 4 * begin, length) == 0) return;
    for (std::uint64_t i = begin; i < end; ++i) {
      std::uint32_t a = 0, b = 0;
      const std::uint64_t size = std::min<std::uint64_t>(4, bytes - 4 * i);
      std::memcpy(&a, found + 4 * i, size);
      std::memcpy(&b, expected + 4 * i, size);
      if (a == b || (is_nan(a) && is_nan(b))) continue;
      std::uint64_t so_far = first.load();
      while (4 * i < so_far && !first.compare_exchange_weak(so_far, 4 * i)) {
      }
      return;
    }
  });
  if (first.load() == bytes) return std::nullopt;
  return first.load();
}

bool holds_nan(const char* data, std::uint64_t bytes) {
  std::atomic<bool> found = false;
  kernels::in_slices(bytes / 4, [&](std::size_t, std::uint64_t begin, std::uint64_t end) {
    bool here = false;
    for (std::uint64_t i = begin; i < end; ++i) {
      std::uint32_t word;
      std::memcpy(&word, data + 4 * i, sizeof word);
      here |= is_nan(word);
    }
    if (here) found = true;
  });
  return found;
}

}  // namespace streamscope::cuda
