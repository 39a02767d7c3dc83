// The letters of the catalogue in use, for whoever has to load them from a font.
#pragma once

#include <string>
#include <string_view>

namespace streamscope {

// All its texts, one behind the other, as UTF-8. Called beside translate_by().
void set_catalogue_letters(std::string texts);
std::string_view catalogue_letters();  // empty: English

}  // namespace streamscope
