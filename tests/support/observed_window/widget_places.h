// Where Dear ImGui's widgets are, by what stands on them: "Toolbar/Run", "Experiment/controls/streams", and as a child
// window "Program/editor". A widget below a pushed ID has that before its own name: "Toolbar/instrument/sampled".
//
// The linker leads the functions that make IDs and place items through here (--wrap), in this program only.
#pragma once

#include <map>
#include <string>

namespace streamscope::tests {

struct WidgetPlace {
  float x = 0, y = 0, width = 0, height = 0;  // in window coordinates
};
// Of all that was drawn since the last call.
std::map<std::string, WidgetPlace> take_widget_places();

}  // namespace streamscope::tests
