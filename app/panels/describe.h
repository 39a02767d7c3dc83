// Everything known about one operation, as rows of a label and a value with its unit. For the tooltip and the summary.
#pragma once

#include <string>
#include <vector>

#include "engine/trace/trace.h"

namespace streamscope {

struct Fact {
  std::string label, value;
  bool aside = false;  // long, and to be wrapped: an explanation
};

std::string operation_title(const Trace& trace, const Span& span);  // "H2D  16 MiB  on S0"
std::vector<Fact> facts(const Run& run, const Span& span);

// "NVIDIA H200, driver 580, full instrument": one line under the badge.
std::string provenance_line(const Provenance& provenance);

}  // namespace streamscope
