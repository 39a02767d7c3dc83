#include "engine/input/read_control.h"

#include <fmt/format.h>

namespace streamscope::input {

tl::unexpected<Error> cancelled(std::string_view file) {
  return fail(ErrorKind::cancelled, fmt::format("{}: reading was stopped", file));
}

}  // namespace streamscope::input
