// The program's readers, on bytes. Each calls the file "f".
#pragma once

#include <string_view>

#include "tests/damage/formats.h"

namespace streamscope::damage {

Seen json(std::string_view bytes);  // a saved run, or Chrome's trace events
Seen nsys(std::string_view bytes);
Seen stream_program(std::string_view bytes);
Seen experiment_file(std::string_view bytes);
Seen profile(std::string_view bytes);
Seen messages(std::string_view bytes);

}  // namespace streamscope::damage
