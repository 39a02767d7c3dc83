// Nsight Systems' export to SQLite. Format: the "SQLite Export Schema Reference" in its documentation.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/input/read_control.h"
#include "engine/trace/trace.h"

namespace streamscope::input {

Result<trace::Run> read_nsys(const std::filesystem::path& path, const ReadControl& control);
// From the bytes of a whole file.
Result<trace::Run> read_nsys(std::string_view bytes, const std::string& file, const ReadControl& control);

}  // namespace streamscope::input
