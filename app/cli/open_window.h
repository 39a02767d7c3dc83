#pragma once

#include <functional>
#include <string>

#include "engine/base/result.h"

namespace streamscope::cli {

// Opens the window on a file (empty: the default experiment) with an engine command (empty: this executable).
using OpenWindow = std::function<Result<void>(const std::string& file, const std::string& engine_command)>;

}  // namespace streamscope::cli
