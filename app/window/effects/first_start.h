// Whether the window was opened before, by this person: remembered as an empty file in the folder of their settings,
// $XDG_CONFIG_HOME/streamscope, else ~/.config/streamscope.
#pragma once

namespace streamscope::window {

bool first_start();
// From now on first_start() says no, unless nothing can be remembered.
void remember_start();

}  // namespace streamscope::window
