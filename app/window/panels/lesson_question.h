// What a step of a lesson asks, and what is said to the answer.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

void lesson_question(const Panel& panel, const lesson::Step& step);  // of predict and vote
void lesson_change(const Panel& panel, const lesson::Step& step);
void lesson_relations(const Panel& panel, const lesson::Step& step);  // of check

}  // namespace streamscope::window
