// An experiment or a stream program from a file or standard input, with the settings of --set.
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
  // The program was built from an experiment's keys; the location of each key that was given (ExperimentFile).
  bool built = false;
  std::map<std::string, std::string, std::less<>> locations;
};

// `.toml` is an experiment and `.streams` a program. Standard input and other names are recognised by their first line
// that is neither blank nor a comment: `key = value` or `[table]` begins an experiment, all else is a program.
bool holds_experiment(const std::filesystem::path& path, std::string_view text);

// Error bad_input: the text of a file is neither, and what it is: a picture, other bytes, or words of which no line is
// a statement. A file called `.streams` or `.toml` may hold any text, with errors to be mended. `file`: what it is
// called in errors, else its path.
Result<void> check_is_input(const std::filesystem::path& path, std::string_view text, std::string_view file = {});

// A file's text, so that it can be read with many settings although standard input can be read only once.
struct InputText {
  std::string file;            // as in Input
  std::filesystem::path path;  // empty for standard input
  std::string text;
};

// "KEY=VALUE" each; all errors in one.
Result<std::vector<Setting>> parse_settings(const std::vector<std::string>& texts);

// All errors in one. Settings are for experiments only.
Result<Input> read_input(const InputText& source, const std::vector<std::string>& settings);

// A device's error "line 7: ..." as "file:7:1: error: ...", where the file has such a line; for a program built from an
// experiment, with the location of the key that decides that line.
Error placed(Error error, const Input& input);

// The text with a line end where there is text and none at its end.
std::string with_line_end(std::string text);

}  // namespace streamscope::experiment
