// Text from elsewhere made safe to show and to write into files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace streamscope {

// How many bytes the well-formed UTF-8 character at the front takes (Unicode 15, table 3-7); 0 where there is none. The
// text must not be empty.
std::size_t utf8_length(std::string_view text);
// The same text where it is UTF-8; else with U+FFFD for each byte that is not.
std::string valid_utf8(std::string_view text);
// At most `limit` bytes of it, cut between characters; ends with a note where something was cut.
std::string cut_text(std::string text, std::size_t limit);

}  // namespace streamscope
