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
  const char* device(BufferId buffer, DeviceId device = {}) const { return memory(buffer, device); }

  // The parts that are known only within a tolerance.
  const std::vector<RoughPart>& rough_on_host(BufferId buffer) const {
    return rough_.parts(RoughData::Side::host, buffer);
  }
  const std::vector<RoughPart>& rough_on_device(BufferId buffer, DeviceId device = {}) const {
    return rough_.parts(side(buffer, device), buffer);
  }

  // Bytes that run() needs for this program.
  static std::uint64_t memory_needed(const program::Program& program);

 private:
  struct Side {
    std::unique_ptr<char[]> host;
    std::vector<std::unique_ptr<char[]>> device;  // by DeviceId
    RangeSet written;  // of a buffer that the run allocates: since then. Its initial contents are undefined
  };
  std::optional<std::string> apply(OperationIndex index);
  char* memory(BufferId buffer, DeviceId device) const {
    const Side& side = sides_[buffer.value];
    const bool shared = program::is_shared(program_.buffers[buffer.value].host);
    return shared ? side.host.get() : side.device[device.value].get();
  }
  RoughData::Side side(BufferId buffer, DeviceId device) const {
    const bool shared = program::is_shared(program_.buffers[buffer.value].host);
    return shared ? RoughData::Side::host : RoughData::on(device);
  }
  // What an operation's ranges lie on, on a device.
  struct Piece {
    const program::Range& range;
    RoughData::Side side;
    char* data;
  };
  Piece on_host(const program::Range& range) const { return {range, RoughData::Side::host, host(range)}; }
  Piece on_device(const program::Range& range, DeviceId device) const {
    return {range, side(range.buffer, device), this->device(range, device)};
  }
  std::optional<std::string> copy(OperationIndex index, const Piece& to, const Piece& from);
  bool splits_elements(RoughData::Side side, const program::Range& from, const program::Range& to) const;
  std::string said_of(OperationIndex index, std::string_view what) const;
  std::optional<std::string> compute(OperationIndex index, const program::op::Kernel& kernel, DeviceId device);
  // Whether a NaN of float32 is in a range that is known to the bit but for those.
  bool bits_may_differ(const program::Range& range, DeviceId device);
  char* host(const program::Range& range) const { return sides_[range.buffer.value].host.get() + range.offset; }
  char* device(const program::Range& range, DeviceId of) const { return memory(range.buffer, of) + range.offset; }
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
