// Reading and writing files, and where the program's assets are: device profiles, experiments, programs, shaders.
#pragma once

#include <filesystem>
#include <string>

#include "engine/base/result.h"

namespace streamscope {

// $STREAMSCOPE_ASSETS, else assets/ beside the executable (in a build folder a link to the source tree's), else
// ../share/streamscope/assets from there, be it or not: an installed program has no other.
std::filesystem::path assets_folder();
// locale/ beside the executable, else share/locale beside its folder: catalogues as
// LANGUAGE/LC_MESSAGES/streamscope.mo.
std::filesystem::path catalogues_folder();

// Of the person: $XDG_CONFIG_HOME/streamscope, else ~/.config/streamscope, be it or not. Empty: there is no such place.
std::filesystem::path settings_folder();

// A whole file as text; at most `limit` bytes, so that a wrong name cannot use up the memory.
Result<std::string> read_text(const std::filesystem::path& path, std::uintmax_t limit = 256u << 20);
// The same of a regular file alone: a pipe under that name could be waited for without end.
Result<std::string> read_regular(const std::filesystem::path& path, std::uintmax_t limit);
// Writes to a temporary file in the same folder, then renames, so that a failure leaves no partial file. "-" is stdout.
Result<void> write_text(const std::filesystem::path& path, std::string_view text);

}  // namespace streamscope
