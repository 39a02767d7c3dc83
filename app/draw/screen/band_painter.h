// Bands as textures, drawn in one go.
#pragma once

#include "app/draw/screen/bands.h"
#include "app/draw/screen/gl_object.h"
#include "app/draw/screen/placement.h"
#include "engine/base/result.h"

namespace streamscope {

class BandPainter {
 public:
  static Result<BandPainter> create();
  std::int32_t most() const { return most_; }  // pixels along an edge that the driver has textures for
  void upload(const Bands& bands);             // changes the bindings of units 0 and 1
  // As far as the scissor lets. Changes those, program, vertex array and blending.
  void draw(const Placement& placement) const;
  std::int32_t width() const { return width_; }

 private:
  GlObject program_, vertex_array_, of_row_, colours_;
  GLint origin_ = -1, framebuffer_ = -1, size_ = -1;  // uniforms
  std::int32_t most_ = 0;
  std::int32_t width_ = 0, height_ = 0;
  std::size_t count_ = 0;  // bands
};

}  // namespace streamscope
