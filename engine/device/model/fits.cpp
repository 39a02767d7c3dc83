#include "engine/device/model/fits.h"

#include <fmt/format.h>

#include <unordered_map>
#include <vector>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "engine/device/check_devices.h"
#include "engine/device/kernel_facts.h"
#include "engine/device/model/hardware/kernel_time.h"
#include "engine/device/model/host/host_call.h"
#include "engine/device/model/profile/profile_numbers.h"
#include "engine/program/diagnostic.h"

namespace streamscope::model {
namespace {

// Three years of simulated time: far from where nanoseconds in 64 bits would overflow, even slowed down a lot.
constexpr __int128 kLongestRun = 100'000'000'000'000'000;

// A bound for the time on a host that is slower than the profile's.
__int128 on_slow_host(const Profile& profile, __int128 time) {
  return time * std::max<std::uint32_t>(profile.host.pace, 1'000'000) / 1'000'000;
}

// The sum of all tables of the profile at one size. Programs have few sizes, so results are kept.
class AllTables {
 public:
  explicit AllTables(const Profile& profile) : profile_(profile) {}
  __int128 at(std::uint64_t bytes) {
    const auto [entry, is_new] = known_.try_emplace(bytes, 0);
    if (!is_new) return entry->second;
    for (const ProfileNumber& number : profile_numbers()) {
      if (number.kind == NumberKind::times) entry->second += number.table(profile_).at(bytes);
    }
    entry->second = on_slow_host(profile_, entry->second);
    return entry->second;
  }

 private:
  const Profile& profile_;
  std::unordered_map<std::uint64_t, __int128> known_;
};

// A bound for an operation that is no kernel on an otherwise idle device, and for what a kernel takes besides its
// blocks: all tables at its size, plus every single time of the profile.
__int128 longest_time(const program::Program& program, const program::Operation& operation, __int128 single_times,
                      AllTables& tables) {
  const program::Work& work = operation.work;
  __int128 time = single_times;
  std::visit(
      [&](const auto& one) {
        if constexpr (requires { one.duration; }) time += one.duration;
        if constexpr (requires { one.every; }) time += one.every;
      },
      work);
  std::uint64_t size = program::bytes(work);
  const auto allocation = program::allocation_of(work);
  if (allocation && !operation.stream) size = program.buffers[allocation->value].bytes;
  if (const auto pinned = program::host_allocation_of(work))
    time += host_memory_time(program.buffers[pinned->value].bytes);
  return size == 0 ? time : time + tables.at(size);
}

__int128 single_times(const Profile& profile) {
  __int128 sum = 0;
  for (const ProfileNumber& number : profile_numbers()) {
    if (number.kind == NumberKind::time) sum += static_cast<Nanoseconds>(number.get(profile));
  }
  return on_slow_host(profile, sum);
}

Result<void> check_kernel(const Profile& profile, const program::Operation& operation, const Grid& grid) {
  const device::BlockLimits limits{tr("this device"), profile.compute_capability, profile.compute.block_shared};
  if (auto lacks = device::lacking(*grid.kernel, operation.line, limits)) {
    return fail(ErrorKind::bad_input, std::move(*lacks));
  }
  if (grid.threads > profile.compute.block_threads) {
    return fail(
        ErrorKind::bad_input,
        program::at_line(operation.line, tr("a block of {} threads is more than this device takes; use {} at most.",
                                            grid.threads, profile.compute.block_threads)));
  }
  if (grid.registers > profile.compute.registers) {
    return fail(ErrorKind::bad_input,
                program::at_line(operation.line,
                                 tr("a block of {} threads takes {} registers and a multiprocessor has {}; use fewer "
                                    "threads.",
                                    grid.threads, grid.registers, profile.compute.registers)));
  }
  return {};
}

// "the model h200 is one device; model:h200x2 is two of them"
std::string what_there_is(const Profile& profile, std::size_t named) {
  if (profile.devices > 1) return tr("the model {} is {} devices, counted from 0", profile.id, profile.devices);
  return tr("the model {} is one device; model:{}x{} is {} of them", profile.id, profile.id, named, named);
}

Result<void> check_memory(const Profile& profile, const program::Program& program) {
  std::vector<std::uint64_t> used_of(program::device_count(program), 0);
  const auto too_much = [&](std::uint32_t line, const program::Buffer& buffer, std::uint64_t used) {
    return fail(
        ErrorKind::bad_input,
        program::at_line(
            line, tr("buffer {} of {} does not fit: the device has {} and {} of it are taken. Use less.", buffer.name,
                     exact_bytes(buffer.bytes), exact_bytes(profile.device.memory), exact_bytes(used))));
  };
  for (const program::Buffer& buffer : program.buffers) {
    if (buffer.made_in_run || buffer.host == program::HostMemory::mapped) continue;
    for (std::size_t device = 0; device < used_of.size(); ++device) {
      if (!program::has_side(buffer, DeviceId{static_cast<std::uint32_t>(device)})) continue;
      std::uint64_t& used = used_of[device];
      if (buffer.bytes > profile.device.memory - used) return too_much(buffer.line, buffer, used);
      used += buffer.bytes;
    }
  }
  for (const program::Operation& operation : program.operations) {
    const auto allocation = program::allocation_of(operation.work);
    if (!allocation) continue;
    const program::Buffer& buffer = program.buffers[allocation->value];
    std::uint64_t& used = used_of[buffer.device.value];
    if (program::kind(operation.work) == OperationKind::free) {
      used -= buffer.bytes;
      continue;
    }
    if (buffer.bytes > profile.device.memory - used) return too_much(operation.line, buffer, used);
    used += buffer.bytes;
  }
  return {};
}

}  // namespace

Result<void> check_fits(const Profile& profile, const program::Program& program) {
  TRY(device::check_devices(program, static_cast<std::size_t>(profile.devices),
                            what_there_is(profile, program::device_count(program))));
  TRY(check_memory(profile, program));
  const __int128 single = single_times(profile);
  AllTables tables(profile);
  const kernels::Hardware hardware = hardware_of(profile);
  GridCache<Nanoseconds> alone;
  __int128 total = 0;
  for (const program::Operation& operation : program.operations) {
    if (program::kind(operation.work) == OperationKind::kernel) {
      const Grid grid = grid_of(profile, program, operation.work);
      TRY(check_kernel(profile, operation, grid));
      total += alone.at(grid, [&](const Grid& one) { return time_alone(profile, hardware, one); });
    }
    total += longest_time(program, operation, single, tables);
    if (total > kLongestRun) {
      return fail(ErrorKind::bad_input,
                  program::at_line(operation.line,
                                   tr("up to here the program would take more than three years, which is as far as the "
                                      "model's clock goes. Use shorter or fewer operations.")));
    }
  }
  return {};
}

}  // namespace streamscope::model
