// Opening experiments and programs. These read and write files: not for the window's thread,
// but for the one small file it opens with.
#pragma once

#include <filesystem>
#include <vector>

#include "app/window/state/command.h"
#include "engine/input/open.h"

namespace streamscope::window {

// A .toml is an experiment; all else is the text of a stream program, about which the comments at its head speak.
Result<OpenedFile> open_file(const std::filesystem::path& path);
// A saved run, or a trace of another tool. What it ran goes into the controls, where the file has it.
Result<command::TraceOpened> open_run(const std::filesystem::path& path, const input::OpenControl& control);
// What is wrong with it, whatever there is at its path.
Result<void> check_export(const ExportedFile& exported);
// Gives back the whole path. A file that is there is replaced.
Result<std::filesystem::path> write_export(const ExportedFile& exported);
// What is in a folder; an empty path: the working folder.
Folder list_folder(const std::filesystem::path& path);
// assets/experiments/four-streams.toml, else the defaults of the Experiment struct.
OpenedFile default_file();
// The experiments and programs that travel with the program, sorted by name, the default one first.
std::vector<experiment::Shipped> shipped_files();

}  // namespace streamscope::window
