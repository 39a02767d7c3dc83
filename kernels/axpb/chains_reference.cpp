#include "kernels/axpb/chains_reference.h"

#include <bit>
#include <cstring>

#include "kernels/axpb/axpb.h"
#include "kernels/parallel_slices.h"

namespace streamscope::kernels {
namespace {

constexpr std::size_t kLanes = 64;

// One rounding each, as fmaf on the device. Compiled a second time for processors with the instruction, where it is
// vectorised. Not under ThreadSanitizer, which crashes when the clone is selected, before main().
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
__attribute__((target_clones("default", "fma")))
#endif
void run_chains(float* v, std::uint32_t fma) {
  for (std::uint32_t i = 0; i < fma; ++i) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      v[lane] = __builtin_fmaf(v[lane], kAxpbA, kAxpbB);
    }
  }
}

void run_chains(std::vector<float>& values, std::uint32_t fma) {
  const std::size_t count = values.size();
  values.resize((count + kLanes - 1) / kLanes * kLanes, 0.0f);
  for (std::size_t i = 0; i < values.size(); i += kLanes) run_chains(values.data() + i, fma);
  values.resize(count);
}

}  // namespace

// A hash table from the bits of a value to its result: open addressing, at most half full.
class FmaChains::Memo {
 public:
  void apply(float* data, std::uint64_t count, std::uint32_t fma) {
    if (fma != fma_ || entries_.empty()) {
      entries_.assign(kEntries, Entry{});
      used_ = 0;
      fma_ = fma;
    }
    fresh_.clear();
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint32_t key = std::bit_cast<std::uint32_t>(data[i]);
      const std::size_t at = find(key);
      if (entries_[at].used || used_ == kMostUsed) continue;
      entries_[at] = Entry{key, 0.0f, true};
      ++used_;
      fresh_.push_back(at);
    }
    values_.clear();
    for (const std::size_t at : fresh_) values_.push_back(std::bit_cast<float>(entries_[at].key));
    run_chains(values_, fma);
    for (std::size_t i = 0; i < fresh_.size(); ++i) entries_[fresh_[i]].value = values_[i];

    values_.clear();
    left_.clear();
    for (std::uint64_t i = 0; i < count; ++i) {
      const Entry& entry = entries_[find(std::bit_cast<std::uint32_t>(data[i]))];
      if (entry.used) {
        data[i] = entry.value;
      } else {
        left_.push_back(i);
        values_.push_back(data[i]);
      }
    }
    run_chains(values_, fma);
    for (std::size_t i = 0; i < left_.size(); ++i) data[left_[i]] = values_[i];
  }

 private:
  static constexpr std::size_t kEntries = 1 << 18, kMostUsed = kEntries / 2;
  struct Entry {
    std::uint32_t key = 0;
    float value = 0;
    bool used = false;
  };

  // The slot of the key, or the one it would get.
  std::size_t find(std::uint32_t key) const {
    std::size_t at = (key * 0x9E3779B1u) >> 14;
    while (entries_[at].used && entries_[at].key != key) at = (at + 1) % kEntries;
    return at;
  }

  std::uint32_t fma_ = 0;
  std::size_t used_ = 0;
  std::vector<Entry> entries_;
  std::vector<std::size_t> fresh_;
  std::vector<std::uint64_t> left_;
  std::vector<float> values_;
};

FmaChains::FmaChains(std::size_t fma_option) : fma_option_(fma_option) {
  for (std::size_t i = 0; i < workers(); ++i) memos_.push_back(std::make_unique<Memo>());
}
FmaChains::~FmaChains() = default;

std::optional<std::string> FmaChains::compute(const Values& values, std::uint64_t bytes, char* first,
                                              const char* second) {
  if (second != nullptr) std::memcpy(first, second, bytes);
  apply(reinterpret_cast<float*>(first), bytes / sizeof(float), static_cast<std::uint32_t>(values[fma_option_]));
  return std::nullopt;
}

void FmaChains::apply(float* data, std::uint64_t count, std::uint32_t fma) {
  in_slices(count, [&](std::size_t worker, std::uint64_t begin, std::uint64_t end) {
    memos_[worker]->apply(data + begin, end - begin, fma);
  });
}

}  // namespace streamscope::kernels
