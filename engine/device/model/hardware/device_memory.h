// How much of the device's memory is taken. What cudaFreeAsync frees is there again when its stream comes to it: the
// pool then gives it to any stream. Where no other is left, an allocation gets memory that is still to be freed, and
// waits for that (docs/cuda-rules.md 18).
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "engine/base/id.h"

namespace streamscope::model {

class DeviceMemory {
 public:
  explicit DeviceMemory(std::uint64_t bytes) : left_(static_cast<std::int64_t>(bytes)) {}

  void take(std::uint64_t bytes) { left_ -= static_cast<std::int64_t>(bytes); }
  void give_back(std::uint64_t bytes) { left_ += static_cast<std::int64_t>(bytes); }
  // When `free` has ended.
  void give_back_after(OperationIndex free, std::uint64_t bytes) { to_come_.push_back({free, bytes}); }
  // Takes it for an allocation in a stream. Returns what that must come behind: as many as it takes of those to come,
  // as they were issued.
  template <class Ended>
  std::vector<OperationIndex> take_in_stream(std::uint64_t bytes, const Ended& ended) {
    std::erase_if(to_come_, [&](const ToCome& one) {
      if (!ended(one.free)) return false;
      give_back(one.bytes);
      return true;
    });
    take(bytes);
    std::vector<OperationIndex> behind;
    while (left_ < 0 && !to_come_.empty()) {
      behind.push_back(to_come_.front().free);
      give_back(to_come_.front().bytes);
      to_come_.pop_front();
    }
    return behind;
  }

 private:
  struct ToCome {
    OperationIndex free;
    std::uint64_t bytes;
  };
  std::int64_t left_;
  std::deque<ToCome> to_come_;
};

}  // namespace streamscope::model
