// What is known of the launches of tiles and attention before any device has seen them.
#pragma once

#include <vector>

#include "engine/program/program.h"
#include "engine/trace/stages.h"

namespace streamscope {

// Of each such operation, nodes of graphs too: blocks, threads, multiprocessors, bytes and flops; the rest is the
// device's to tell. No more than kMostKernelFacts.
std::vector<KernelFacts> kernel_facts(const Program& program, int multiprocessors);

}  // namespace streamscope
