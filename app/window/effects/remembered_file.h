// The file in which the window remembers (state/remembered.h), in the folder of a person's settings,
// $XDG_CONFIG_HOME/streamscope, else ~/.config/streamscope. It is written whole or not at all: of two
// windows the last that writes is the one that is remembered.
#pragma once

#include <optional>
#include <string>

#include "app/window/state/remembered.h"

namespace streamscope::window {

bool first_start();                           // there is no such file: it was never opened by this person
std::optional<Remembered> last_remembered();  // nothing: there is none, or it is broken
std::string chosen_language();                // "ko"; empty: none was
void write_remembered(const Remembered& remembered);
// What a window without a file opens on: what was set last, else the default experiment.
OpenedFile file_for(const std::optional<Remembered>& before);

}  // namespace streamscope::window
