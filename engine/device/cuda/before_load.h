// What a program asks of its GPUs before it is loaded: memory and features, times of its links, room.
#pragma once

#include "engine/base/result.h"
#include "engine/device/cuda/runtime/gpus.h"
#include "engine/device/device.h"
#include "engine/program/program.h"

namespace streamscope::cuda {

// Error bad_input or as the device says: what the program needs of a GPU that it cannot have, memory first.
Result<void> check_fits(const Gpus& gpus, const program::Program& program, const device::LoadOptions& options);

// How long its copies between GPUs take.
Result<void> measure_links(const Gpus& gpus, const program::Program& program);

// For a program that turns peer access on, which maps what the process has allocated: 1 ms, and 18 ms where one block
// of half a gigabyte is among it (two H100s, 2026), even if no program uses it.
Result<void> give_back_idle_memory(const Gpus& gpus, const program::Program& program);

}  // namespace streamscope::cuda
