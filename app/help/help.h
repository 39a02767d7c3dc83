// The entries there are, and finding one of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/help/entry.h"

namespace streamscope::help {

// Of all but the command line and the keyboard, which know theirs themselves (app/cli, app/window). Made at the first
// call, in the language that is spoken then; good for as long as the program runs.
const Entries& all();

// What all() is made of, in this order.
Entries language();      // statements, their options, what stands in them; kernels and theirs
Entries experiment();    // keys of an experiment
Entries instruments();   // how a run is watched
Entries wait_reasons();  // that a trace has
Entries causes();        // of a run's time, as the verdict has them, and what more it knows of waits
Entries figures();       // of the summary, of JSON and CSV
Entries profile();       // the numbers of a model
Entries terms();
Entries shipped();  // lessons, experiments and programs that come with it

std::string title_of_term(std::string_view english);  // in the language that is spoken; what is no term stays

struct Found {
  std::vector<const Entry*> called;    // by that word, whatever its case; those of the language first
  std::vector<const Entry*> shown_by;  // lessons, experiments and programs with that keyword
  std::vector<const Entry*> speak_of;  // where none is called so: that have the word in their texts
  std::vector<std::string> near;       // and words that are spelled nearly so
};
// The word as a person types it: "h2d", "--PNG", "png", "ctrl+e", "cudaStreamWaitEvent", "double buffering".
Found find(const Entries& entries, std::string_view word);

}  // namespace streamscope::help
