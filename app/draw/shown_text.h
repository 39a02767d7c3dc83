// Text as every picture draws it, whatever bytes a name holds.
#pragma once

#include <string>
#include <string_view>

namespace streamscope::draw {

// Valid UTF-8 of characters that XML knows: bytes and characters that are neither become U+FFFD. Cairo draws nothing
// more after a text that is no UTF-8, and no program opens an SVG with a control character in it.
std::string shown_text(std::string_view text);

}  // namespace streamscope::draw
