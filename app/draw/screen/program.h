// A program of GL from two of the shaders in shaders/.
#pragma once

#include <string_view>

#include "app/draw/screen/gl_object.h"
#include "engine/base/result.h"

namespace streamscope::screen {

struct ShaderText {
  std::string_view file, text;  // the file's name, for errors
};
Result<GlObject> link_program(const ShaderText& vertex, const ShaderText& fragment);

}  // namespace streamscope::screen
