// All that a run is made with, as it is set and typed: each run keeps its own, and undo goes from one to the other.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/window/state/editing.h"
#include "app/window/state/run_settings.h"

namespace streamscope::window {

struct Setup {
  experiment::Experiment experiment;
  std::string experiment_name;
  std::filesystem::path path;
  bool own_program = false;
  OpenedFile own;
  std::string program;
  bool edited = false;
  std::string device;
  Measuring measuring;
  std::map<std::string, double> what_ifs;
  friend bool operator==(const Setup&, const Setup&) = default;
};

// The setups before the one of now, and those that undo has left.
struct Undo {
  std::vector<Setup> back, forward;
  std::size_t kind = 0;   // of command that changed it last
  bool going_on = false;  // its next change, such as a slider's that is being dragged, belongs to the same step
  // The last change of typed text: when it was, and where what was typed or taken away ends and begins.
  struct Typed {
    Nanoseconds when = kAbsent;
    std::size_t begin = 0, end = 0;
    bool adds = false;
  } typed;
};
inline constexpr Nanoseconds kPauseOfTyping = 1'000'000'000;                    // parts two steps
inline constexpr std::size_t kMostUndone = 5'000, kMostTextUndone = 64u << 20;  // steps, bytes of programs
// Longer programs are not kept for undo: each step has one.
inline constexpr std::size_t kLongestUndone = 1u << 20;

namespace command {
struct UndoChange {};
struct RedoChange {};
struct EndChange {};       // what is changed next is a step of its own
struct UseRunSettings {};  // of the run in view
}  // namespace command

}  // namespace streamscope::window
