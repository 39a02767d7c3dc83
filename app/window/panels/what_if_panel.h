// "What if": the numbers of a model as sliders. Of the chosen model, or on a GPU of the model that predicts it.
#pragma once

#include "app/window/panels/panel.h"

namespace streamscope::window {

void what_if_controls(const Panel& panel);  // a group of the experiment panel; nothing where no model is known

}  // namespace streamscope::window
