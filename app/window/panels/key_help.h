// The keys and the mouse as entries of help, from the tables in actions.h.
#pragma once

#include "app/help/entry.h"

namespace streamscope::window {

// One for each action that a key does, and for each gesture of the mouse. What the palette alone does is called by its
// title.
help::Entries key_help();

}  // namespace streamscope::window
