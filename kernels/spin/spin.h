// spin: blocks that each return once %globaltimer has moved on by a set time.
#pragma once

#include "kernels/kernel.h"

namespace streamscope::kernels {

const Kernel& spin_kernel();

struct SpinOptions {
  Nanoseconds duration;
  std::uint32_t blocks, threads, shared_bytes;
};
SpinOptions spin_options(const Values& values);

}  // namespace streamscope::kernels
