// What a program makes of its data, computed by the CPU: the same start, the operations in the order of their issue,
// the same rounding. Where no two operations are in each other's way (hazards(), engine/program/order/order.h) every
// order that CUDA allows gives this result, bit for bit; of `attention` within its tolerance. No CUDA in here.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/device/cuda/verify/fma_chains.h"
#include "engine/device/cuda/verify/pattern_data.h"
#include "engine/device/cuda/verify/tolerance_ranges.h"
#include "engine/program/program.h"

namespace streamscope::cuda {

class Reference {
 public:
  explicit Reference(const program::Program& program) : program_(program) {}

  // Nothing where the data is determined, else why it is not.
  std::optional<std::string> run();

  // Of a shared allocation both are the same.
  const char* host(BufferId buffer) const { return sides_[buffer.value].host.get(); }
  const char* device(BufferId buffer) const { return device_of(buffer); }

  // What of it is known only within a tolerance.
  const std::vector<RoughPart>& rough_on_host(BufferId buffer) const {
    return rough_.parts(RoughData::Side::host, buffer);
  }
  const std::vector<RoughPart>& rough_on_device(BufferId buffer) const { return rough_.parts(side_of(buffer), buffer); }

  // What run() takes for this program.
  static std::uint64_t memory_needed(const program::Program& program);

 private:
  struct Side {
    std::unique_ptr<char[]> host, device;
    // Of a buffer made in the run: the parts that were written since, begin to end. What it starts with is not known.
    std::map<std::uint64_t, std::uint64_t> written;
  };
  std::optional<std::string> apply(OperationIndex index);
  char* device_of(BufferId buffer) const {
    const Side& side = sides_[buffer.value];
    return program::is_shared(program_.buffers[buffer.value].host) ? side.host.get() : side.device.get();
  }
  RoughData::Side side_of(BufferId buffer) const {
    return program::is_shared(program_.buffers[buffer.value].host) ? RoughData::Side::host : RoughData::Side::device;
  }
  std::string on_rough_data(OperationIndex index) const;
  std::optional<std::string> attend(OperationIndex index, const program::op::Attention& attention);
  char* host(const program::Range& range) { return sides_[range.buffer.value].host.get() + range.offset; }
  char* device(const program::Range& range) { return device_of(range.buffer) + range.offset; }
  void make(BufferId buffer);
  bool is_known(const program::Range& range) const;
  void set_known(const program::Range& range, bool known);

  const program::Program& program_;
  std::vector<Side> sides_;
  RoughData rough_;
  double products_ = 0;  // of attention so far: multiply-adds
  FmaChains chains_;
};

}  // namespace streamscope::cuda
