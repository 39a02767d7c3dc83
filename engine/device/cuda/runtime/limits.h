// Refuses programs that the GPU cannot run, naming lines, before anything is allocated.
#pragma once

#include <optional>
#include <string>

#include "engine/device/cuda/runtime/context.h"
#include "engine/device/device.h"

namespace streamscope::cuda {

// What exceeds the device, naming lines; nullopt if nothing does. `free_bytes` of memory are available on the device
// and `host_free_bytes` on the host: Linux hands out more than there is, and then kills the process that uses it.
// `device`: which of the program's it is; only what is of that one counts.
std::optional<Error> beyond_device(const program::Program& program, const device::DeviceInfo& info,
                                   std::uint64_t free_bytes, Nanoseconds cycle_picoseconds,
                                   const device::LoadOptions& options, std::uint64_t host_free_bytes = ~0ull,
                                   DeviceId device = {});

// Features that the GPU or its driver lacks: concurrent managed access, memory pools, what its kernels need.
std::optional<std::string> lacking(const program::Program& program, const CudaContext& context, DeviceId device = {});
// Why it cannot run in a process that other runs are made in, too; nullopt if it can.
std::optional<std::string> why_process_is_shared(const program::Program& program);
// Why an instrument cannot observe such a program; nullopt if it can.
std::optional<std::string> why_not_observable(const program::Program& program, device::Instrument instrument);
bool allocates_in_streams(const program::Program& program);

}  // namespace streamscope::cuda
