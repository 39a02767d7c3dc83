// A picture's rectangles and stacks on screen: OpenGL 3.3 core, in batches (batches.h).
//
// The pixels are exactly those the rectangles name, in their order. Texts and lines are the caller's. One pixel of the
// picture is one pixel of the framebuffer, so lay out at the framebuffer's size, not at the window's.
// All it changes of GL's state is put back (saved_state.h). It relies on what GL begins with, as Dear ImGui's renderer
// leaves it, of primitive restart.
//
// Belongs to the GL context that was current at create(), which must be current wherever it is used or destroyed.
//
//   auto renderer = RectangleRenderer::create();          // once; the loader (load_gl) has been called
//   renderer->upload(picture);                            // when the picture changed
//   renderer->draw({...});                                // each frame, for example in a Dear ImGui draw callback
#pragma once

#include <memory>

#include "app/draw/screen/batch_painter.h"
#include "app/timeline/scene.h"
#include "engine/base/result.h"

namespace streamscope::screen {

// Loads the GL functions through the window system's own: glfwGetProcAddress, eglGetProcAddress. False: no GL 3.3.
using GlFunction = void (*)();
using GetGlFunction = GlFunction (*)(const char* name);
bool load_gl(GetGlFunction get);

class RectangleRenderer {
 public:
  static Result<RectangleRenderer> create();
  RectangleRenderer() = default;  // holds nothing, draws nothing; so does one that was moved from
  void upload(const timeline::Scene& scene);
  void draw(const Placement& placement) const;

 private:
  std::unique_ptr<BatchPainter> painter_;
  bool on_processor_ = false;  // Mesa's software renderer draws
};

}  // namespace streamscope::screen
