// Files are opened and saved: each step changes what is typed and set, the questions, the runs and what they carry.
#pragma once

#include <variant>

#include "app/window/state/carried.h"
#include "app/window/state/editing.h"
#include "app/window/state/files.h"
#include "app/window/state/runs.h"

namespace streamscope::window {

struct State;
struct Effects;

using OpenAndSaveCommand =
    std::variant<command::ListFolder, command::FileThere, command::Save, command::SaveAs, command::FileSaved,
                 command::ExportSaved, command::ExportFailed, command::OpenFile, command::FileOpened,
                 command::TraceOpened, command::ExtrasRead, command::ArgumentsRead>;
void update(State& state, Effects& effects, const OpenAndSaveCommand& command);

// What is proposed where a file is asked for: its folder, and a name to save under.
void begin_question(State& state, Effects& effects, FileQuestion which);

// Where it is written if nothing else is said: NAME-run-3.png, NAME-sweep.csv.
std::filesystem::path path_of(const State& state, const ExportedFile& exported);
// What the question at hand would write to: a name without the ending of its kind gets it.
std::filesystem::path path_to_save(const State& state, std::filesystem::path typed);
// Whether there is a file of the name that is typed, as far as that is known.
bool would_replace(const State& state);

// Asks for the arguments that an opened trace's file has of the selected operation.
void ask_arguments(const State& state, Effects& effects);

}  // namespace streamscope::window
