// What is known of the launches of tiles and attention without a device.
#pragma once

#include <vector>

#include "engine/program/program.h"
#include "engine/trace/stages.h"

namespace streamscope::device {

// Of each such operation, nodes of graphs too: blocks, threads, multiprocessors, bytes and flops; the rest is
// filled in by the device. At most kMostKernelFacts.
std::vector<trace::KernelFacts> kernel_facts(const program::Program& program, int multiprocessors);

}  // namespace streamscope::device
