// What is known of the launches of kernels without a device.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/program/program.h"
#include "engine/trace/device_facts.h"
#include "engine/trace/stages.h"

namespace streamscope::device {

// Of each operation whose kernel records stages, nodes of graphs too: blocks, threads, multiprocessors, bytes and
// flops; the rest is filled in by the device. At most kMostKernelFacts.
std::vector<trace::KernelFacts> kernel_facts(const program::Program& program, int multiprocessors);

// Of an operation that is no kernel an empty one.
kernels::Shape shape_of(const program::Program& program, const program::Work& work, std::uint32_t multiprocessors);

// The sorts of launches that the program has, in their order: blocks, threads and shared memory as the kernel has them.
// `fill` adds what the device makes of the first launch of each. `names`: the trace's.
std::vector<trace::LaunchShape> launch_shapes(
    const program::Program& program, const std::vector<std::string>& names, int multiprocessors,
    const std::function<void(OperationIndex first, trace::LaunchShape& shape)>& fill);

// Of the first launch that leaves wrong data because that was asked for: where and why, in whole sentences.
std::optional<std::string> wrong_on_purpose(const program::Program& program);

// What a block may take of a device.
struct BlockLimits {
  std::string name;                // of the device, for messages
  std::string compute_capability;  // empty: not known
  std::uint64_t shared_bytes = 0;
};
// Why the device cannot launch that kernel, which stands in this line of the program; none where it can.
std::optional<std::string> lacking(const kernels::Choice& choice, std::uint32_t line, const BlockLimits& limits);

}  // namespace streamscope::device
