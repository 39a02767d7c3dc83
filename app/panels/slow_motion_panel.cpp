#include "app/panels/panel.h"

namespace streamscope {

void slow_motion_panel(const Panel&, const Box& place) {
  begin_panel("slow_motion", place);
  ImGui::End();
}

}  // namespace streamscope
