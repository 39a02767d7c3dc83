// What is said with the place it is about in front: "file.toml:3:1: error: …", as compilers do and editors read it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace streamscope {

std::string error_at(std::string_view place, std::string_view what);
std::string warning_at(std::string_view place, std::string_view what);

// What either of them was given, within the text; nothing of another text.
struct PlaceAndWhat {
  std::string_view place, what;
};
std::optional<PlaceAndWhat> parts_of_error(std::string_view text);
std::optional<PlaceAndWhat> parts_of_warning(std::string_view text);

}  // namespace streamscope
