// The words of a lesson, set line by line: bold, code and figures of the runs within a sentence.
#pragma once

#include "app/window/panels/panel.h"
#include "engine/lesson/words.h"

namespace streamscope::window {

// From the cursor on, as wide as there is room. A figure that is not known yet is "…".
void lesson_text(const Panel& panel, const lesson::Text& text, const lesson::Scope& scope);
void lesson_line(const Panel& panel, const lesson::Line& line, const lesson::Scope& scope, float indent = 0);

}  // namespace streamscope::window
