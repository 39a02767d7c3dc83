// A run as text for other programs. Formats: interfaces.md; stable, because others script against them.
#pragma once

#include <string>

#include "engine/trace/trace.h"

namespace streamscope {

std::string to_json(const Run& run);          // schema 1
std::string to_csv(const Run& run);           // one row a span; the provenance in every row
std::string to_chrome_trace(const Run& run);  // for Perfetto and chrome://tracing

}  // namespace streamscope
