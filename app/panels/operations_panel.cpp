#include "app/panels/panel.h"

namespace streamscope {

void operations_panel(const Panel&, const Box& place) {
  begin_panel("operations", place);
  ImGui::End();
}

}  // namespace streamscope
