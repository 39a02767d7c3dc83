// The least program that still does what a larger one does.
#pragma once

#include <functional>

#include "tests/generated/case.h"

namespace streamscope::generated {

// Leaves out statements, many at once first, then opens blocks, then leaves out options and changes of the device, and
// makes numbers small, as long as `still` is true of what is left; until nothing more can go, or `still` was asked
// `most` times. It is not asked of the case itself, of which it must be true.
Case shrink(Case one, const std::function<bool(const Case&)>& still, int most = 3'000);

}  // namespace streamscope::generated
