// Is the data that came back what the CPU computes? Both sides of every buffer are compared, whole.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "engine/base/result.h"
#include "engine/program/program.h"

namespace streamscope::cuda {

struct Verdict {
  std::optional<bool> right;  // nothing: it was not looked into, and the note says why
  std::string note;           // or where the first wrong value is
};

// After a run, with the device idle. Changes the device sides of buffers.
Result<Verdict> verify_data(const program::Program& program, std::span<char* const> host,
                            std::span<char* const> device);

}  // namespace streamscope::cuda
