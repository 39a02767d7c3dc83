// What a GPU is asked and cannot do: told by line, before anything is made.
#pragma once

#include <optional>
#include <string>

#include "engine/device/cuda/runtime/context.h"
#include "engine/device/device.h"

namespace streamscope::cuda {

// What the device cannot do, by line; nothing where it can. `free_bytes` of memory are to be had, and
// `host_free_bytes` on the host: Linux hands out more than there is, and then ends the process that uses it.
std::optional<std::string> beyond_device(const program::Program& program, const device::DeviceInfo& info,
                                         std::uint64_t free_bytes, Nanoseconds cycle_picoseconds,
                                         const device::LoadOptions& options, std::uint64_t host_free_bytes = ~0ull);

// What the GPU or its driver does not have at all: managed memory that both sides may touch, pools for cudaMallocAsync.
std::optional<std::string> lacking(const program::Program& program, const CudaContext& context);
// Why an instrument cannot see such a program; nothing where it can.
std::optional<std::string> not_to_be_seen(const program::Program& program, device::Instrument instrument);
bool allocates_in_streams(const program::Program& program);

}  // namespace streamscope::cuda
