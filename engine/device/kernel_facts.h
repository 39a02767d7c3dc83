// What is known of the launches of kernels without a device.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/program/program.h"
#include "engine/trace/stages.h"

namespace streamscope::device {

// Of each operation whose kernel records stages, nodes of graphs too: blocks, threads, multiprocessors, bytes and
// flops; the rest is filled in by the device. At most kMostKernelFacts.
std::vector<trace::KernelFacts> kernel_facts(const program::Program& program, int multiprocessors);

// Of an operation that is no kernel an empty one.
kernels::Shape shape_of(const program::Program& program, const program::Work& work, std::uint32_t multiprocessors);

// What a block may take of a device.
struct BlockLimits {
  std::string name;                // of the device, for messages
  std::string compute_capability;  // empty: not known
  std::uint64_t shared_bytes = 0;
};
// Why the device cannot launch that kernel, which stands in this line of the program; none where it can.
std::optional<std::string> lacking(const kernels::Choice& choice, std::uint32_t line, const BlockLimits& limits);

}  // namespace streamscope::device
