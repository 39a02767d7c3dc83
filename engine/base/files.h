// Where the files are that travel with the program: device profiles, experiments, programs, shaders.
#pragma once

#include <filesystem>
#include <string>

#include "engine/base/result.h"

namespace streamscope {

// $STREAMSCOPE_ASSETS, else assets/ beside or above the executable, else the source tree it was built from.
std::filesystem::path assets_folder();

// A whole file as text; at most `limit` bytes, so that a wrong name cannot eat the memory.
Result<std::string> read_text(const std::filesystem::path& path, std::uintmax_t limit = 256u << 20);
// Writes to a temporary name beside it, then renames, so that a failure leaves no half a file. "-" is stdout.
Result<void> write_text(const std::filesystem::path& path, std::string_view text);

}  // namespace streamscope
