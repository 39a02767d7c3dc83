// What is set and typed: the experiment, the text of the program, and what is wrong with either.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/window/state/files.h"
#include "engine/base/time.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/shipped.h"
#include "engine/predict/own_times.h"
#include "engine/program/diagnostic.h"
#include "engine/remedy/edit.h"
#include "kernels/own/wrap.h"

namespace streamscope::window {

// What a file held: a pipeline experiment, or a stream program of its own.
struct OpenedFile {
  std::string name;  // "four-streams"
  experiment::Experiment content;
  std::filesystem::path path = {};  // empty: it is in no file
  bool is_program() const { return !content.program.empty(); }
  friend bool operator==(const OpenedFile&, const OpenedFile&) = default;
};

// A program the engine refused because a kernel of it would freeze a display, or is code that it brings along.
struct LongKernel {
  std::string why;                          // as the engine said it
  Nanoseconds longest = 0;                  // how long the longest takes
  std::vector<std::string> own_files = {};  // with that code; empty: it is about long ones
};

// The code that a program brings along did not compile: what the compiler said, and of which text.
struct Uncompiled {
  std::uint32_t line = 0;  // of the program: the kernel's declaration
  std::vector<kernels::SourceError> errors;
  std::vector<kernels::OwnSource> sources;
  std::size_t looked_at = 0;  // the error whose place stands where the program does, counted from 1; 0: none
};
// The text in whose line an error is; nullptr: it is in a file that the compiler found by itself.
const kernels::OwnSource* source_of(const Uncompiled& uncompiled, const kernels::SourceError& error);

struct Editing {
  experiment::Experiment experiment;
  // As they were last set, of kernels that were chosen before.
  std::map<const kernels::Kernel*, kernels::Values> kernel_values;
  std::string experiment_name;   // of the file: "four-streams"
  std::filesystem::path path;    // of that file; empty: what is set is in none
  std::string experiment_error;  // why these settings cannot be built; empty: they can
  bool own_program = false;      // the file held a stream program of its own: the controls do not apply
  OpenedFile own;                // that file
  std::vector<experiment::Shipped> shipped;
  std::string program;        // the text that Run runs
  std::uint64_t version = 0;  // counts its changes
  bool edited = false;        // typed: it is no longer what the controls build
  std::string replaced;       // typed text in whose place came another
  std::uint64_t checked = 0;  // the version that the diagnostics and `devices` are of
  std::size_t devices = 1;    // how many the text named then
  bool ends_process = false;  // whether it would (program::ends_its_process()), of a GPU
  std::vector<program::Diagnostic> diagnostics;
  std::optional<LongKernel> refused;         // the person is asked whether it shall run all the same
  std::vector<kernels::OwnSource> own_code;  // of the program, as it was read when the person let it run
  std::optional<Uncompiled> uncompiled;      // in the run that was asked for last
  std::vector<predict::OwnTime> own_times;   // of the program's own kernels, as measured before
};

namespace command {
struct SetExperiment {
  experiment::Experiment experiment;
};
struct EditProgram {
  std::string text;
};
struct ResetProgram {};      // back to what the controls build; the typed text is kept
struct RestoreTyped {};      // and this brings it back
struct BackToPipeline {};    // from a program of its own to the last pipeline experiment
struct LeaveLongKernels {};  // the refused program does not run
struct LookAtError {         // of Uncompiled: its place in the source
  std::size_t error;         // counted from 1; 0: back to the program
};
struct FilesListed {
  std::vector<experiment::Shipped> files;
};
// These may lead to a run or end the view that there is.
struct OpenFile {
  std::filesystem::path path;
};
struct FileOpened {
  OpenedFile file;
};
struct ProgramChecked {
  std::uint64_t version;
  std::vector<program::Diagnostic> diagnostics;
  std::size_t devices = 1;
  bool ends_process = false;
  std::vector<predict::OwnTime> own_times = {};
};
struct OwnTimesMeasured {
  std::string program;  // text
  std::vector<predict::OwnTime> times;
};
}  // namespace command

using EditingCommand =
    std::variant<command::SetExperiment, command::EditProgram, command::ResetProgram, command::RestoreTyped,
                 command::BackToPipeline, command::LeaveLongKernels, command::LookAtError, command::FilesListed>;
[[nodiscard]] bool update(Editing& editing, const EditingCommand& command);  // whether a run is to follow
// Experiment or program as the file has it.
void take(Editing& editing, OpenedFile file);
// What a verdict offers in its place: the controls are set, or else the text is typed.
void apply(Editing& editing, const remedy::Source& changed);
void bring_back(Editing& editing, Editing before);
// What a person saves: the text of a program, typed or of its own, else the experiment.
SavedText to_save(const Editing& editing, std::filesystem::path path);
SavedText to_save_as_cuda(const Editing& editing, std::filesystem::path path);
void saved(Editing& editing, const SavedText& what);  // it stands in the file now
bool in_shipped_file(const Editing& editing);         // which nobody writes over

// Typed, and in no file: what is in the editor, or what RestoreTyped would bring back.
bool unsaved(const Editing& editing);
// Why these settings build no program; empty: they do.
std::string why_not_built(const experiment::Experiment& experiment);

bool has_error(const std::vector<program::Diagnostic>& diagnostics);
// A text that did not come from the controls must be found good before it runs.
bool must_be_checked(const Editing& editing);
// How many devices the text that runs names; what was typed, once it is checked.
std::size_t devices_named(const Editing& editing);
// Whether a run of it on a GPU takes its process along: there is one pass of it, and no other to compare it with.
bool ends_its_process(const Editing& editing);
// What the text is called in lists: "4 streams · 16 MiB", "default-stream-trap", "typed program".
std::string label(const Editing& editing);
// Files that a text names kernels of its own in, each once.
std::vector<std::string> own_files(const std::string& program);
// Why the text cannot run; empty: it can.
std::string why_not_run(const Editing& editing);

}  // namespace streamscope::window
