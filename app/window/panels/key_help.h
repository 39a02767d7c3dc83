// The keys and the mouse as entries of help, from the tables in actions.h.
#pragma once

#include <string_view>
#include <vector>

#include "app/help/help.h"

namespace streamscope::window {

// One for each action that a key does, and for each gesture of the mouse. What the palette alone does is called by its
// title.
help::Entries key_help();
// All that the window explains: these and all but the command line. Made at the first call.
const help::Entries& window_help();
// Those of them that have the words, the best first: what is called so, then what speaks of it (word_rank.h).
std::vector<const help::Entry*> found_help(std::string_view words);

}  // namespace streamscope::window
