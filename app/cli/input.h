// What a person hands in: an experiment or a stream program, from a file, from standard input or by a shipped name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/experiment/read_input.h"
#include "engine/predict/own_times.h"
#include "engine/program/program.h"

namespace streamscope::cli {

// The file, or assets/experiments/NAME.toml or assets/programs/NAME.streams. Error: neither, and what there is.
Result<std::filesystem::path> find_input(const std::string& file);

// The text of that file, or of standard input for "-", with the name that messages give it.
Result<experiment::InputText> read_source(const std::string& file);

// All that is wrong in one error. Settings are for experiments only.
Result<experiment::Input> read_input(const std::string& file, const std::vector<std::string>& settings);

// The sources of the program's own kernels, whose files are named from its own folder: whoever asked for them to run
// lets them be read. Error: one cannot be read.
Result<std::vector<kernels::OwnSource>> own_sources(const experiment::Input& input);

// What launches of them took before, on a GPU, where the files are those that were run then.
Result<std::vector<predict::OwnTime>> remembered_times(const experiment::Input& input);

// "49 operations in 4 streams, 256 MiB of buffers"
std::string size_of(const program::Program& program);

}  // namespace streamscope::cli
