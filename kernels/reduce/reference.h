// The sums of reduce, computed by the CPU.
#pragma once

#include <memory>

#include "kernels/kernel.h"

namespace streamscope::kernels {

std::unique_ptr<Reference> reduce_reference();

}  // namespace streamscope::kernels
