#include "engine/device/model/plan.h"

#include <fmt/format.h>

#include "engine/base/quantity.h"

namespace streamscope {
namespace {

// Three years of simulated time: far from where nanoseconds in 64 bits would overflow, even slowed down a lot.
constexpr __int128 kLongestRun = 100'000'000'000'000'000;

// The longest an operation can take on a device with nothing else to do.
struct LongestTime {
  const Profile& profile;
  const Work& work;
  __int128 operator()(const op::Copy& copy) const { return slowest(copy.range.bytes); }
  __int128 operator()(const op::BlockingCopy& copy) const { return slowest(copy.range.bytes); }
  __int128 operator()(const op::CopyOnDevice& copy) const { return profile.copies.on_device.at(copy.to.bytes); }
  __int128 operator()(const op::Memset& memset) const { return profile.copies.memset.at(memset.range.bytes); }
  __int128 operator()(const op::Spin&) const { return time_alone(profile, grid_of(profile, work)); }
  __int128 operator()(const op::Axpb&) const { return time_alone(profile, grid_of(profile, work)); }
  __int128 operator()(const op::HostFunction& function) const { return function.duration; }
  __int128 operator()(const op::Work& busy) const { return busy.duration; }
  __int128 operator()(const op::PollStream& poll) const { return poll.every; }
  __int128 operator()(const op::PollEvent& poll) const { return poll.every; }
  __int128 operator()(const op::Touch& touch) const {
    return profile.host.touch_write_combined.at(touch.range.bytes) + profile.host.touch.at(touch.range.bytes);
  }
  template <class Other>
  __int128 operator()(const Other&) const {
    return 0;
  }
  __int128 slowest(std::uint64_t bytes) const {
    return static_cast<__int128>(profile.copies.h2d.at(bytes)) + profile.copies.d2h.at(bytes) +
           profile.copies.h2d_pageable.at(bytes) + profile.copies.d2h_pageable.at(bytes);
  }
};

Result<void> check_kernel(const Profile& profile, const Program& program, OperationIndex index) {
  const Operation& operation = program.operations[index];
  const Grid grid = grid_of(profile, operation.work);
  const std::uint32_t shared = grid.shared_bytes - profile.compute.block_shared_reserved;
  if (grid.threads > profile.compute.block_threads) {
    return fail(ErrorKind::bad_input,
                fmt::format("line {}: a block of {} threads is more than this device takes; use {} at most.",
                            operation.line, grid.threads, profile.compute.block_threads));
  }
  if (shared > profile.compute.block_shared) {
    return fail(ErrorKind::bad_input,
                fmt::format("line {}: {} of shared memory for a block is more than this device has; use {} at most.",
                            operation.line, exact_bytes(shared), exact_bytes(profile.compute.block_shared)));
  }
  return {};
}

Result<void> check_memory(const Profile& profile, const Program& program) {
  std::uint64_t used = 0;
  const auto too_much = [&](std::uint32_t line, const Buffer& buffer) {
    return fail(
        ErrorKind::bad_input,
        fmt::format("line {}: buffer {} of {} does not fit: the device has {} and {} of it are taken. Use less.", line,
                    buffer.name, exact_bytes(buffer.bytes), exact_bytes(profile.memory), exact_bytes(used)));
  };
  for (const Buffer& buffer : program.buffers) {
    if (buffer.made_in_run) continue;
    if (buffer.bytes > profile.memory - used) return too_much(buffer.line, buffer);
    used += buffer.bytes;
  }
  for (const Operation& operation : program.operations) {
    if (const auto* made = std::get_if<op::Malloc>(&operation.work)) {
      const Buffer& buffer = program.buffers[made->buffer.value];
      if (buffer.bytes > profile.memory - used) return too_much(operation.line, buffer);
      used += buffer.bytes;
    } else if (const auto* freed = std::get_if<op::Free>(&operation.work)) {
      used -= program.buffers[freed->buffer.value].bytes;
    }
  }
  return {};
}

}  // namespace

Plan::Plan(const Program& program) : dependencies_(program), first_(program.operations.size() + 1, 0) {
  const auto count = static_cast<OperationIndex>(program.operations.size());
  for (OperationIndex i = 0; i < count; ++i) {
    for (const Dependency& dependency : dependencies_.of(i)) ++first_[dependency.on + 1];
  }
  for (OperationIndex i = 0; i < count; ++i) first_[i + 1] += first_[i];
  dependents_.resize(first_[count]);
  std::vector<std::uint64_t> at(first_.begin(), first_.end() - 1);
  for (OperationIndex i = 0; i < count; ++i) {
    for (const Dependency& dependency : dependencies_.of(i)) dependents_[at[dependency.on]++] = {i, dependency.kind};
  }
}

Result<void> check_fits(const Profile& profile, const Program& program) {
  if (auto memory = check_memory(profile, program); !memory) return memory;
  __int128 total = 0;
  for (OperationIndex i = 0; i < program.operations.size(); ++i) {
    const Operation& operation = program.operations[i];
    if (kind(operation.work) == OperationKind::kernel) {
      if (auto kernel = check_kernel(profile, program, i); !kernel) return kernel;
    }
    total += std::visit(LongestTime{profile, operation.work}, operation.work);
    if (total > kLongestRun) {
      return fail(
          ErrorKind::bad_input,
          fmt::format("line {}: up to here the program would take more than three years, which is as far as the "
                      "model's clock goes. Use shorter or fewer operations.",
                      operation.line));
    }
  }
  return {};
}

}  // namespace streamscope
