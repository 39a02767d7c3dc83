// The operations panel's table.
#pragma once

#include "app/window/panels/panel.h"
#include "app/window/state/state.h"

namespace streamscope::window {

// The table is scrolled by whole rows, counted in integers: Dear ImGui's own scrolling is in float32, whose pixels are
// not exact any more at a million rows.
class OperationsTable {
 public:
  // Gives back how wide it is: narrower than `size` where the next column would be cut.
  float draw(const Panel& panel, const TableReading& table, ImVec2 size, int plot_width);

 private:
  void reveal(const State& state, const TableReading& table, std::size_t in_sight);
  void rows(const Panel& panel, const TableReading& table, std::size_t in_sight, float height, int plot_width);
  void scroll_bar(const Panel& panel, std::size_t count, std::size_t in_sight, ImVec2 size);

  std::string of_;         // the run's name and program, as it was drawn last
  std::size_t first_ = 0;  // row in sight
  OperationIndex revealed_ = kNoOperation;
  std::shared_ptr<const reading::Rows> revealed_in_;
  float wheel_ = 0, gripped_at_ = 0;
};

}  // namespace streamscope::window
