// What a generated program may work on at one of its lines, and ranges of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/program/program.h"
#include "tests/generated/random.h"

namespace streamscope::generated {

struct Memory {
  std::string name;
  std::uint64_t bytes = 0;
  program::HostMemory host = program::HostMemory::pinned;
  bool made_in_run = false;
  bool on_host = false;       // of one made in the run: it has a host side only
  std::uint32_t devices = 1;  // that have a side of it: bit by bit, from the first
};
inline bool has_side(const Memory& one, int device) { return (one.devices >> static_cast<unsigned>(device) & 1U) != 0; }

// A repeat around the line.
struct Loop {
  std::string variable;
  std::int64_t passes;
};

// "x[4096:{i*512}KiB]": `bytes` of it, at a multiple of `unit`; in a repeat now and then another one in each pass.
std::string range(Random& random, const Memory& memory, std::uint64_t bytes, std::uint64_t unit,
                  const std::vector<Loop>& loops);

}  // namespace streamscope::generated
