// The text of shaders/, put into the program when it is built.
#pragma once

#include <string_view>

namespace streamscope::screen::shaders {

extern const std::string_view kRectanglesVertex;
extern const std::string_view kPlainFragment;
extern const std::string_view kPatternedFragment;
extern const std::string_view kImageFragment;

}  // namespace streamscope::screen::shaders
