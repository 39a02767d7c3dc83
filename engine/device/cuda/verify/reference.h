// The results of a program, computed by the CPU: the same initial data, the operations in the order of their issue, the
// same rounding. If no two operations conflict (hazards(), engine/program/order/order.h), every order that CUDA allows
// gives this result bit for bit, or within a tolerance for kernels that have one. Uses no CUDA.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/range_set.h"
#include "engine/device/cuda/verify/pattern_data.h"
#include "engine/device/cuda/verify/tolerance_ranges.h"
#include "engine/program/program.h"

namespace streamscope::cuda {

class Reference {
 public:
  explicit Reference(const program::Program& program) : program_(program) {}

  // nullopt if the result is determined, otherwise why it is not.
  std::optional<std::string> run();

  // The same memory for a shared allocation.
  const char* host(BufferId buffer) const { return sides_[buffer.value].host.get(); }
  const char* device(BufferId buffer) const { return device_of(buffer); }

  // The parts that are known only within a tolerance.
  const std::vector<RoughPart>& rough_on_host(BufferId buffer) const {
    return rough_.parts(RoughData::Side::host, buffer);
  }
  const std::vector<RoughPart>& rough_on_device(BufferId buffer) const { return rough_.parts(side_of(buffer), buffer); }

  // Bytes that run() needs for this program.
  static std::uint64_t memory_needed(const program::Program& program);

 private:
  struct Side {
    std::unique_ptr<char[]> host, device;
    RangeSet written;  // of a buffer that the run allocates: since then. Its initial contents are undefined
  };
  std::optional<std::string> apply(OperationIndex index);
  char* device_of(BufferId buffer) const {
    const Side& side = sides_[buffer.value];
    return program::is_shared(program_.buffers[buffer.value].host) ? side.host.get() : side.device.get();
  }
  RoughData::Side side_of(BufferId buffer) const {
    return program::is_shared(program_.buffers[buffer.value].host) ? RoughData::Side::host : RoughData::Side::device;
  }
  bool splits_elements(RoughData::Side side, const program::Range& from, const program::Range& to) const;
  std::string said_of(OperationIndex index, std::string_view what) const;
  std::optional<std::string> compute(OperationIndex index, const program::op::Kernel& kernel);
  // Whether a NaN of float32 is in a range that is known to the bit but for those.
  bool bits_may_differ(const program::Range& range);
  char* host(const program::Range& range) { return sides_[range.buffer.value].host.get() + range.offset; }
  char* device(const program::Range& range) { return device_of(range.buffer) + range.offset; }
  void make(BufferId buffer);
  bool is_known(const program::Range& range) const;
  void set_known(const program::Range& range, bool known);

  const program::Program& program_;
  std::vector<Side> sides_;
  RoughData rough_;
  double work_ = 0;  // multiply-adds so far that take the CPU long
  std::map<const kernels::Kernel*, std::unique_ptr<kernels::Reference>> kernels_;
};

}  // namespace streamscope::cuda
