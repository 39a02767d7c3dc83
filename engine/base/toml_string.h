#pragma once

#include <string>
#include <string_view>

namespace streamscope {

// The text in quotes, as TOML writes it.
std::string toml_string(std::string_view text);

}  // namespace streamscope
