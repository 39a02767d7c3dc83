// The runs kept, newest first: what each is called, what was changed for it, how long it took and where it ran.
#pragma once

#include <string>

#include "app/window/panels/panel.h"

namespace streamscope::window {

class CompareHistory {
 public:
  void draw(const Panel& panel, float width);

 private:
  void run_row(const Panel& panel, std::size_t index, float tall);
  void name_field(const Panel& panel, const ShownRun& run);

  std::uint64_t naming_ = kNoRun;  // whose name stands in the field
  std::string name_;
};

}  // namespace streamscope::window
