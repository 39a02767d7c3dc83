// An experiment or a stream program as a person hands it in, with settings laid over it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/experiment/experiment_file.h"
#include "engine/program/program.h"

namespace streamscope::experiment {

struct Input {
  std::string file;        // for messages: as typed, "<stdin>" for "-"
  std::string title;       // the experiment's name, else the file
  std::string experiment;  // its TOML with the settings in it; empty for a stream program
  std::string program;     // the text
  program::Program checked;
  std::string warnings;  // lines "file:line:column: warning: ..."; may be empty
  bool verify = true;
  // The program's line 1 is the file's line lines_before + 1; nothing where the file does not hold the program's text.
  std::optional<std::uint32_t> lines_before;
  // Of a program that was built from an experiment's keys: where each that was given stands (ExperimentFile).
  bool built = false;
  std::map<std::string, std::string, std::less<>> locations;
};

// `.toml` is an experiment and `.streams` a program. Standard input and other names are told by their first line that
// is neither blank nor a comment: `key = value` or `[table]` begins an experiment, all else is a program.
bool holds_experiment(const std::filesystem::path& path, std::string_view text);

// A file's text as it was found, so that it can be read with many settings though standard input comes once.
struct InputText {
  std::string file;            // as in Input
  std::filesystem::path path;  // empty for standard input
  std::string text;
};

// "KEY=VALUE" each; all that is wrong in one error.
Result<std::vector<Setting>> parse_settings(const std::vector<std::string>& texts);

// All that is wrong in one error. Settings are for experiments only.
Result<Input> read_input(const InputText& source, const std::vector<std::string>& settings);

// What a device says of "line 7: ..." as "file:7:1: error: ...", where the file has such a line; of a program built
// from an experiment, as the place of the key behind that line.
Error placed(Error error, const Input& input);

// The text with a line end where there is text and none at its end.
std::string with_line_end(std::string text);

}  // namespace streamscope::experiment
