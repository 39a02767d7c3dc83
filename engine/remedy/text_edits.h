// Edits of a program's text, by way of its syntax tree. Internal to this room.
#pragma once

#include <string>
#include <vector>

#include "engine/program/syntax/tree.h"
#include "engine/remedy/edit.h"

namespace streamscope::remedy {

struct TextEdit {
  verdict::Cause cause = verdict::Cause::unexplained;
  std::string change;
  program::Syntax changed;
};

// For the causes named, whatever they would gain. Some may be no valid program.
std::vector<TextEdit> text_edits(const program::Syntax& syntax, const std::vector<verdict::Cause>& causes);

}  // namespace streamscope::remedy
