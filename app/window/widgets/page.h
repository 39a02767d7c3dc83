// A page that may be larger than the window that shows it: where text is large, the panels keep a size in which they
// can be read, and bars at the right and the lower edge scroll over them.
#pragma once

#include "app/window/widgets/box.h"
#include "app/window/widgets/style.h"

namespace streamscope::window {

class Page {
 public:
  // Where the whole page is: as large as the window, or as `least` where that is more.
  Box place(ImVec2 window, ImVec2 least, float bar);
  float in_sight() const { return seen_.x; }  // the width of what shows
  // Scrolled no further than needed, from the next frame on.
  void bring_into_sight(const Box& part);
  // After all else that stands on the page.
  void bars(const Look& look);

 private:
  ImVec2 seen_{0, 0}, size_{0, 0}, scroll_{0, 0};
  float bar_ = 0;
};

}  // namespace streamscope::window
