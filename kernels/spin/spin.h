// spin: blocks that each return once %globaltimer has moved on by a set time.
#pragma once

#include "engine/base/time.h"
#include "kernels/parts.h"

namespace streamscope::kernels {

struct SpinOptions {
  Nanoseconds duration;
  std::uint32_t blocks, threads, shared_bytes;
};
SpinOptions spin_options(const Values& values);

const Kernel& spin_kernel();
CudaCode spin_code(std::string_view name);
std::unique_ptr<Launcher> spin_launcher(const SpinOptions& options);

}  // namespace streamscope::kernels
