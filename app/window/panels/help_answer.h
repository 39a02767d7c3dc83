// Who answers where F1 asks what is under the mouse, or at the cursor of the editor (state/help.h).
#pragma once

#include <optional>
#include <string_view>

#include "app/window/panels/panel.h"

namespace streamscope::window {

// Behind the widget that is called so. What has no help does not answer.
void help_here(const Panel& panel, std::string_view word, std::optional<help::Kind> kind = {});
// Behind the control of a row whose label stands at its left: that answers, too.
void help_in_row(const Panel& panel, std::string_view word, std::optional<help::Kind> kind = {});
// The same of a place of which the caller knows that the mouse is over it.
void answer_help(const Panel& panel, std::string_view word, std::optional<help::Kind> kind = {});

// Of the program's language: the word at this place of the text, else the statement of its line; nothing: neither has
// help. `cursor`: bytes.
std::optional<Topic> topic_at(std::string_view program, std::size_t cursor);

}  // namespace streamscope::window
