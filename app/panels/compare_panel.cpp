#include "app/panels/panel.h"

namespace streamscope {

void compare_panel(const Panel&, const Box& place) {
  begin_panel("compare", place);
  ImGui::End();
}

}  // namespace streamscope
