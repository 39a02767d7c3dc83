// Where a picture goes.
#pragma once

namespace streamscope::screen {

// All in framebuffer pixels, counted from the top left as in the picture.
struct Placement {
  int framebuffer_width = 0, framebuffer_height = 0;
  int x = 0, y = 0;                                        // of the picture's pixel (0, 0)
  int clip_x0 = 0, clip_y0 = 0, clip_x1 = 0, clip_y1 = 0;  // nothing outside is touched
};

}  // namespace streamscope::screen
