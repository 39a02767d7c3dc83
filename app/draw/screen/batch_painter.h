// Batches of rectangles in one vertex buffer.
#pragma once

#include <array>
#include <vector>

#include "app/draw/screen/batches.h"
#include "app/draw/screen/gl_object.h"
#include "app/draw/screen/placement.h"
#include "engine/base/result.h"

namespace streamscope::screen {

class BatchPainter {
 public:
  static Result<BatchPainter> create();
  void upload(const Batches& batches);          // changes the bindings of vertex array and buffer
  void draw(const Placement& placement) const;  // changes vertex array, program and blending

 private:
  struct Program {
    GlObject id;
    GLint origin = -1, framebuffer = -1;  // uniforms
  };
  std::array<Program, 2> programs_;  // plain, patterned
  GlObject vertex_array_, corners_, indices_;
  std::size_t indexed_ = 0;  // rectangles that `indices_` is long enough for
  std::vector<Batch> batches_;
};

}  // namespace streamscope::screen
