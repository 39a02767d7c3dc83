// Counts as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace streamscope {

std::string with_commas(std::uint64_t number);  // "10,000"

}  // namespace streamscope
