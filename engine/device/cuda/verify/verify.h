// Compares the results of a run, both sides of every buffer, with what the CPU computes.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "engine/base/result.h"
#include "engine/device/cuda/runtime/buffers.h"
#include "engine/program/program.h"

namespace streamscope::cuda {

struct Verdict {
  std::optional<bool> right;  // nullopt: not compared, and the note says why
  std::string note;           // otherwise where the first wrong value is
};

// After a run, with the devices idle. Changes the device sides of buffers.
Result<Verdict> verify_data(const program::Program& program, const ProgramBuffers& buffers);

}  // namespace streamscope::cuda
