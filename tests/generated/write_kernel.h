// A launch of one of the registry's kernels with options at random, made from what the kernel says of them: a new
// kernel is generated without a line here.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tests/generated/memory.h"
#include "tests/generated/random.h"

namespace streamscope::generated {

// "axpb x[0:4096] fma=3", without its stream, for a device of that compute capability. There must be memory.
std::string write_kernel(Random& random, double capability, const std::vector<Memory>& memories,
                         const std::vector<Loop>& loops);

}  // namespace streamscope::generated
