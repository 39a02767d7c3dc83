#include "kernels/reduce/reference.h"

#include <atomic>
#include <cstring>

#include "kernels/parallel_slices.h"
#include "kernels/reduce/reduce.h"

namespace streamscope::kernels {
namespace {

std::uint32_t sum(const char* data, std::uint64_t begin, std::uint64_t end) {
  std::uint32_t all = 0;
  for (std::uint64_t i = begin; i < end; ++i) {
    std::uint32_t one;
    std::memcpy(&one, data + 4 * i, sizeof one);
    all += one;
  }
  return all;
}

// Uses all cores, also where one block has all of the data: modulo 2^32 it does not matter in which order parts of a
// share are added.
struct ReduceReference final : Reference {
  std::optional<std::string> compute(const Values& values, std::uint64_t bytes, char* first,
                                     const char* second) override {
    const std::uint64_t count = bytes / 4;
    const ReduceOptions chosen = reduce_options(values);
    const std::uint64_t share = reduce_share(count, chosen.blocks);
    auto* const sums = reinterpret_cast<std::uint32_t*>(first);
    std::memset(sums, 0, std::size_t{4} * chosen.blocks);
    in_slices(count, [&](std::size_t, std::uint64_t begin, std::uint64_t end) {
      while (begin < end) {
        const std::uint64_t block = begin / share, stop = std::min(end, (block + 1) * share);
        std::atomic_ref(sums[block]).fetch_add(sum(second, begin, stop), std::memory_order_relaxed);
        begin = stop;
      }
    });
    return std::nullopt;
  }
};

}  // namespace

std::unique_ptr<Reference> reduce_reference() { return std::make_unique<ReduceReference>(); }

}  // namespace streamscope::kernels
