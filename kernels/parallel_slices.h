// Distributes work on many items over all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace streamscope::kernels {

inline std::size_t workers() { return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 16); }

// work(worker, begin, end) over slices of [0, count), each of so many items, on several threads if there are several
// slices.
template <class Work>
void in_slices(std::uint64_t count, const Work& work, std::uint64_t slice_items = 1 << 16) {
  const std::uint64_t slices = (count + slice_items - 1) / slice_items;
  std::atomic<std::uint64_t> next = 0;
  const auto take = [&](std::size_t worker) {
    for (std::uint64_t slice = next++; slice < slices; slice = next++) {
      work(worker, slice * slice_items, std::min(count, (slice + 1) * slice_items));
    }
  };
  std::vector<std::jthread> others;
  const std::size_t helpers = std::min<std::uint64_t>(workers(), slices);
  for (std::size_t worker = 1; worker < helpers; ++worker) others.emplace_back(take, worker);
  take(0);
}

}  // namespace streamscope::kernels
