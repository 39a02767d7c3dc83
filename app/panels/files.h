// Opening experiments and programs. These read and write files: not for the window's thread,
// but for the one small file it opens with.
#pragma once

#include <filesystem>
#include <vector>

#include "app/panels/command.h"

namespace streamscope {

// A .toml is an experiment; all else is the text of a stream program.
Result<OpenedFile> open_file(const std::filesystem::path& path);
// assets/experiments/four-streams.toml, else the defaults of the Experiment struct.
OpenedFile default_file();
// The experiments and programs that travel with the program, sorted by name, the default one first.
std::vector<Listed> shipped_files();

}  // namespace streamscope
