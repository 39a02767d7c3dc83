// The help, beside the work: a word, what it means, how it is written, an example that goes into the editor with one
// click; a search over all of it at its top.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

bool help_awaits_cursor(const Help& help);  // it opens: keys would go elsewhere
void help_panel(const Panel& panel);        // where it is open; after all that may answer (help_answer.h)

}  // namespace streamscope::window
