// A JSON file: a saved run of ours, or Chrome's trace events.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/input/read_control.h"
#include "engine/trace/trace.h"

namespace streamscope::input {

Result<trace::Run> read_json(std::string_view text, const std::string& file, const ReadControl& control);

}  // namespace streamscope::input
