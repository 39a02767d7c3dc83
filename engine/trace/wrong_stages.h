// The times inside kernels, as a trace from elsewhere has them.
#pragma once

#include <optional>
#include <string>

#include "engine/trace/trace.h"

namespace streamscope::trace {

// Whether all of them are there and within 36 years. If not, why.
std::optional<std::string> wrong_stages(const Trace& trace);

}  // namespace streamscope::trace
