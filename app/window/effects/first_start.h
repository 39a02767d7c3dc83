// Whether the window was opened before, by this person: remembered as an empty file in the folder of his settings,
// $XDG_CONFIG_HOME/streamscope, else ~/.config/streamscope.
#pragma once

namespace streamscope::window {

// True once: asking is remembered. Where nothing can be remembered, each time.
bool first_start();

}  // namespace streamscope::window
