// Edits of a program's text, by way of its syntax tree. Internal to this room.
#pragma once

#include <cstdint>
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

// What orders the statement of one line before that of another: an event, or a wait of the host. Empty where there is
// no such statement, or no stream to record the event in.
std::vector<TextEdit> ordering_edits(const program::Syntax& syntax, std::uint32_t first_line,
                                     std::uint32_t second_line);

}  // namespace streamscope::remedy
