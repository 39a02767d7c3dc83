// From one setup to another: undo and redo, and back to what the run in view was made with.
#pragma once

#include <string>
#include <string_view>

#include "app/window/state/state.h"

namespace streamscope::window {

Setup setup_of(const State& state);
void set_up(State& state, const Setup& setup);

// Bytes [begin, end) of a text have become `length` others there; what is alike before and behind them is left out.
struct TextChange {
  std::size_t begin = 0, end = 0, length = 0;
};
TextChange text_change(std::string_view before, std::string_view now);

// Text that is typed is taken back in steps, of which each begins where a person began something: at a word, after a
// pause, in another place, where typing gave way to deleting, with a text that was pasted. Keeps the change in `undo`.
bool begins_step(Undo& undo, const Setup& before, const Setup& now, Nanoseconds when);

// `before` has just given way to what is set now. Whether that is a step of its own, and not more of the last one.
bool remember(Undo& undo, Setup before, std::size_t kind);
bool step(State& state, const command::UndoChange&);  // whether there was one
bool step(State& state, const command::RedoChange&);
void use_settings_of_run(State& state);

// How what is set and typed differs from what the run in view was made with: "streams 4 → 8"; empty: it does not, or
// the two have nothing to do with each other.
std::string differs_from_run(const State& state);

}  // namespace streamscope::window
