// Pictures for the gallery: each experiment and program that comes with the program, once on the model of a GPU.
#pragma once

#include <filesystem>
#include <optional>

#include "app/window/state/command.h"

namespace streamscope::window {

// Nothing where it cannot be run so, or is too large for a picture. It reads a file and takes milliseconds: not for the
// window's thread.
std::optional<Command> gallery_picture(const std::filesystem::path& file);

}  // namespace streamscope::window
