// The bytes that an operation reads and writes. Internal to this room.
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "engine/program/program.h"

namespace streamscope::program {

enum class MemorySide : std::uint8_t { device, host };

struct Access {
  Range range;
  MemorySide side = MemorySide::device;
  DeviceId device{};  // of the side, if it is not the host's
  bool writes = false;
  bool pending = true;  // after the host call has returned; else nothing that its thread issues later can conflict
};

class Accesses {
 public:
  explicit Accesses(const Program& program) : program_(program) {}

  // Two, or of a kernel of the program's own one for each pointer. What is read and written counts as written.
  std::span<const Access> of(const Operation& operation) {
    size_ = 0;
    std::visit([&](const auto& one) { add(one); }, operation.work);
    if (std::holds_alternative<op::PeerCopy>(operation.work)) return {accesses_, size_};
    for (std::size_t i = 0; i < size_; ++i) accesses_[i].device = side_of(program_, operation);
    return {accesses_, size_};
  }

 private:
  void put(const Access& access) { accesses_[size_++] = access; }
  void add(const op::Copy& one) {
    const bool in = one.direction == Direction::h2d;
    put({one.host, MemorySide::host, {}, !in, true});
    put({one.device, MemorySide::device, {}, in, true});
  }
  void add(const op::CopyOnDevice& one) {
    put({one.from, MemorySide::device, {}, false, true});
    put({one.to, MemorySide::device, {}, true, true});
  }
  void add(const op::PeerCopy& one) {
    put({one.from, MemorySide::device, one.from_device, false, true});
    put({one.to, MemorySide::device, one.to_device, true, true});
  }
  void add(const op::Memset& one) { put({one.range, MemorySide::device, {}, true, true}); }
  void add(const op::Kernel& one) {
    const kernels::Choice& choice = program_.kernels[one.kernel];
    if (const LaunchArguments* arguments = arguments_of(program_, one)) {
      const auto& parameters = choice.kernel->own()->parameters;
      for (std::size_t i = 0; i < arguments->size(); ++i) {
        if (!kernels::is_pointer(parameters[i].kind)) continue;
        put({(*arguments)[i].range, MemorySide::device, {}, parameters[i].kind == kernels::Parameter::Kind::writes});
      }
      return;
    }
    for (const kernels::Access& access : choice.kernel->accesses(choice.values, data_of(one).bytes)) {
      const Range& whole = access.operand == 0 ? one.range : one.from;
      if (access.bytes == 0) continue;
      put({{whole.buffer, whole.offset + access.offset, access.bytes}, MemorySide::device, {}, access.writes, true});
    }
  }
  void add(const op::Touch& one) { put({one.range, MemorySide::host, {}, true, false}); }
  // The memory exists in the order of the stream only. A prefetch moves data and changes none.
  void add(const op::MallocAsync& one) { put({whole(one.buffer), MemorySide::device, {}, true, true}); }
  void add(const op::FreeAsync& one) { put({whole(one.buffer), MemorySide::device, {}, true, true}); }
  // cudaFree waits for all uses of what cudaMalloc made; memory of the pool it takes as no longer used.
  void add(const op::Free& one) {
    if (program_.buffers[one.buffer.value].stream_ordered)
      put({whole(one.buffer), MemorySide::device, {}, true, false});
  }
  // What is pageable again may not be in use; that cudaHostUnregister waits is no promise of CUDA's.
  void add(const op::Unregister& one) { put({whole(one.memory), MemorySide::host, {}, true, false}); }
  template <class Other>
  void add(const Other&) {}

  Range whole(BufferId buffer) const { return {buffer, 0, program_.buffers[buffer.value].bytes}; }

  const Program& program_;
  Access accesses_[kernels::kMostParameters];
  std::size_t size_ = 0;
};

}  // namespace streamscope::program
