// Text from elsewhere made safe to show and to write into files.
#pragma once

#include <string>
#include <string_view>

namespace streamscope {

// The same text where it is UTF-8; else with U+FFFD for each byte that is not.
std::string valid_utf8(std::string_view text);
// At most `limit` bytes of it, cut between characters; what was cut is told at the end.
std::string cut_text(std::string text, std::size_t limit);

}  // namespace streamscope
