#pragma once

#include <compare>
#include <cstdint>

namespace streamscope::program {

struct SourceLocation {
  std::uint32_t line = 0;    // from 1
  std::uint32_t column = 0;  // from 1, in UTF-8 code points
  friend auto operator<=>(const SourceLocation&, const SourceLocation&) = default;
};

}  // namespace streamscope::program
