// What changed from one run to the next, in a few words: for the list of runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/trace/trace.h"

namespace streamscope::analysis {

// One thing that was changed.
struct Change {
  std::string text;            // "streams 4 → 8"
  std::string what, from, to;  // "streams", "4", "8"; `what` empty: it is not of that form
};
std::vector<Change> all_changes(const trace::Run& from, const trace::Run& to);

// Their texts: "streams 4 → 8", "program line 3: A: h2d x → A: h2d y", "device NVIDIA H200 → model of NVIDIA H200
// (h200)", "instrument full → sampled 1/16", "what-if copies.engines 1 (was 3)". Empty: nothing was changed.
std::vector<std::string> changes(const trace::Run& from, const trace::Run& to);

// What a run is made of: the experiment as TOML, empty where a program was typed, and the program's text.
struct MadeOf {
  std::string_view experiment, program;
};
std::vector<std::string> changes(const MadeOf& from, const MadeOf& to);

// All of them in one line; "the same again" where there are none.
std::string changes_text(const std::vector<std::string>& changes);

}  // namespace streamscope::analysis
