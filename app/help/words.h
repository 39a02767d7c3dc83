// Small helps for those who make entries. Internal to this room.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/kernel.h"

namespace streamscope::help {

// "a, b" as words.
std::vector<std::string> separated(std::string_view list);
// With a capital in front and a full stop behind.
std::string as_sentence(std::string_view clause);

// Of an option of a statement or of a kernel.
std::string sentence(const kernels::Option& option);
// In the language; `least`: where it begins, if not there.
std::string range_of(const kernels::Option& option);
std::string range_of(const kernels::Option& option, std::int64_t least);
// "kernel.per_sm", as experiments write it.
std::string key_of(const kernels::Option& option);
// An option's value, with its unit where it has one.
std::string value_text(const kernels::Option& option, std::int64_t value);

}  // namespace streamscope::help
