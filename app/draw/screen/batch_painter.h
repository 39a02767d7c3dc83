// Batches of rectangles in one vertex buffer, the pixels of stacks in one texture.
#pragma once

#include <array>
#include <vector>

#include "app/draw/screen/batches.h"
#include "app/draw/screen/gl_object.h"
#include "engine/base/result.h"

namespace streamscope::screen {

// Where a picture goes. All in framebuffer pixels, counted from the top left as in the picture.
struct Placement {
  int framebuffer_width = 0, framebuffer_height = 0;
  int x = 0, y = 0;                                        // of the picture's pixel (0, 0)
  int clip_x0 = 0, clip_y0 = 0, clip_x1 = 0, clip_y1 = 0;  // nothing outside is touched
};

class BatchPainter {
 public:
  static Result<BatchPainter> create();
  void upload(const Batches& batches);          // changes the bindings of vertex array, buffer and texture
  void draw(const Placement& placement) const;  // changes vertex array, program, texture and blending

 private:
  struct Program {
    GlObject id;
    GLint origin = -1, framebuffer = -1, grain = -1;  // uniforms
  };
  std::array<Program, 3> programs_;  // plain, patterned, image
  GlObject vertex_array_, corners_, indices_, image_;
  std::size_t indexed_ = 0;  // rectangles that `indices_` is long enough for
  std::vector<Batch> batches_;
  std::int32_t grain_ = 1;
};

}  // namespace streamscope::screen
