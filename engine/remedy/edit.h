// Changes of an experiment or of a program's text that could make it faster, each for a cause that a verdict names.
#pragma once

#include <string>
#include <vector>

#include "engine/experiment/experiment.h"
#include "engine/verdict/causes.h"

namespace streamscope::remedy {

// What was run: an experiment that has no program of its own, or else a program's text.
struct Source {
  std::string experiment;  // its TOML; empty: there is none
  std::string program;     // the text; of an experiment as build() writes it
  friend bool operator==(const Source&, const Source&) = default;
};
Source source_of(const experiment::Experiment& experiment);
// Of a run: its experiment's file, where it has one without a program of its own, else its text.
Source source_of(const trace::Run& run);

struct Edit {
  verdict::Cause cause = verdict::Cause::unexplained;  // that it is an answer to
  std::string change;                                  // in words, such as "pinned host memory"
  Source changed;
  std::uint32_t fits_at_once = 0;  // a line: only of use where all blocks of its kernels fit on the device; 0: always
};

// Those that answer what there is evidence for, without a look at what they gain: those of one cause together, in the
// order of causes. Each changed program is free of errors; what hazards it has is not looked at. `evidence` as
// verdict::evidence() gives it.
std::vector<Edit> edits(const Source& source, const std::vector<verdict::Evidence>& evidence);

// Those of a text that order the statements of two lines; see above.
std::vector<Edit> orderings(const Source& source, std::uint32_t first_line, std::uint32_t second_line);

// What an edit changes, for a person and for a patch: of experiments a line `key = value` for each key that differs, of
// programs the lines that differ and up to three between them; "-" before what goes, "+" before what comes.
std::string difference(const Source& before, const Source& after);

}  // namespace streamscope::remedy
