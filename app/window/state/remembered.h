// What the window remembers from one start to the next: how it looks, the files that were open last, and the experiment
// as it was set. Text that was typed and not saved is not among it: closing asks about that.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/state/editing.h"
#include "app/window/state/workspace.h"

namespace streamscope::window {

struct State;

struct Remembered {
  timeline::ThemeName theme = timeline::ThemeName::dark;
  std::optional<lesson::Language> language;  // that was chosen; nothing: the system's
  float text_scale = 1;
  bool controls_open = true, summary_open = true, dock_open = true, cuda_open = false;
  command::Dock dock = command::Dock::program;
  PanelSizes sizes;
  std::vector<std::filesystem::path> recent;        // the newest first
  std::map<std::string, std::size_t> lessons;       // the step that each was left at
  std::optional<lesson::Language> lesson_language;  // that was chosen; nothing: the window's
  std::string name;                                 // of the experiment; empty: nothing was set
  std::filesystem::path file;                       // that it is in; empty: none
  std::string experiment;                           // its TOML; empty: a program of its own, which is in that file
  friend bool operator==(const Remembered&, const Remembered&) = default;
};
Remembered remembered(const State& state);
void bring_back(State& state, const Remembered& before);  // but for the experiment, which is opened as a file is

std::string text_of(const Remembered& remembered);
std::optional<Remembered> read_remembered(std::string_view text);  // nothing: it is broken
// The experiment as it was set. Nothing where there is none, or where it has to be read from the file.
std::optional<OpenedFile> experiment_of(const Remembered& remembered);

}  // namespace streamscope::window
