// What is said with the place it is about in front: "file.toml:3:1: error: …", as compilers do and editors read it.
#pragma once

#include <string>
#include <string_view>

namespace streamscope {

std::string error_at(std::string_view place, std::string_view what);
std::string warning_at(std::string_view place, std::string_view what);

}  // namespace streamscope
