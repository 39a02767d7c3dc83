// A picture's rectangles on screen: OpenGL 3.3 core, in as few draw calls as there are batches (batches.h).
//
// The pixels are exactly those the rectangles name, in their order. Texts and lines are the caller's. One pixel of the
// picture is one pixel of the framebuffer, so lay out at the framebuffer's size, not at the window's.
//
// Belongs to the GL context that was current at create(), which must be current wherever it is used or destroyed.
//
//   auto renderer = RectangleRenderer::create();          // once; the loader (load_gl) has been called
//   renderer->upload(picture.rectangles);                 // when the picture changed
//   renderer->draw({...});                                // each frame, for example in a Dear ImGui draw callback
#pragma once

#include <array>
#include <span>
#include <vector>

#include "app/draw/screen/batches.h"
#include "app/timeline/picture.h"
#include "engine/base/result.h"

namespace streamscope {

// Loads the GL functions through the window system's own: glfwGetProcAddress, eglGetProcAddress. False: no GL 3.3.
using GlFunction = void (*)();
using GetGlFunction = GlFunction (*)(const char* name);
bool load_gl(GetGlFunction get);

// Where the picture goes; all in framebuffer pixels, counted from the top left as in the picture.
struct Placement {
  int framebuffer_width = 0, framebuffer_height = 0;
  int x = 0, y = 0;                                        // of the picture's pixel (0, 0)
  int clip_x0 = 0, clip_y0 = 0, clip_x1 = 0, clip_y1 = 0;  // nothing outside is touched
};

class RectangleRenderer {
 public:
  static Result<RectangleRenderer> create();
  RectangleRenderer() = default;  // holds nothing, draws nothing
  ~RectangleRenderer();
  RectangleRenderer(RectangleRenderer&& other) noexcept;
  RectangleRenderer& operator=(RectangleRenderer&& other) noexcept;

  void upload(std::span<const Rectangle> rectangles);
  // Leaves program, vertex array, buffer, blending, scissor and viewport as they were found.
  void draw(const Placement& placement) const;
  std::size_t size() const { return batches_.empty() ? 0 : batches_.back().first + batches_.back().count; }

 private:
  struct Program {
    unsigned id = 0;
    int origin = -1, framebuffer = -1;  // uniforms
  };
  std::array<Program, 2> programs_;  // plain, patterned
  unsigned vertex_array_ = 0, corners_ = 0, indices_ = 0;
  std::size_t indexed_ = 0;  // rectangles that `indices_` is long enough for
  std::vector<Batch> batches_;
};

}  // namespace streamscope
