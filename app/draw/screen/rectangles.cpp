#include "app/draw/screen/rectangles.h"

#include <glad/gl.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "app/draw/screen/saved_state.h"
#include "engine/base/translate.h"

namespace streamscope::screen {

bool load_gl(GetGlFunction get) {
  const int version = gladLoadGL(get);
  return version != 0 &&
         (GLAD_VERSION_MAJOR(version) > 3 || (GLAD_VERSION_MAJOR(version) == 3 && GLAD_VERSION_MINOR(version) >= 3));
}

Result<RectangleRenderer> RectangleRenderer::create() {
  if (glad_glCreateShader == nullptr) {
    return fail(ErrorKind::device_failed, tr("the OpenGL functions are not loaded: is there an OpenGL 3.3 driver?"));
  }
  const SavedState saved;
  RectangleRenderer made;
  BatchPainter painter = TRY(BatchPainter::create());
  made.painter_ = std::make_unique<BatchPainter>(std::move(painter));
  const GLubyte* const renderer = glGetString(GL_RENDERER);
  made.on_processor_ =
      renderer != nullptr && std::strstr(reinterpret_cast<const char*>(renderer), "llvmpipe") != nullptr;
  return made;
}

void RectangleRenderer::upload(const timeline::Scene& scene) {
  if (!painter_) return;
  const SavedState saved;
  painter_->upload(batches(scene));
}

void RectangleRenderer::draw(const Placement& placement) const {
  const int x0 = std::max(placement.clip_x0, 0), x1 = std::min(placement.clip_x1, placement.framebuffer_width);
  const int y0 = std::max(placement.clip_y0, 0), y1 = std::min(placement.clip_y1, placement.framebuffer_height);
  if (!painter_ || x0 >= x1 || y0 >= y1) return;
  const SavedState saved;
  for (const GLenum off : {GL_DEPTH_TEST, GL_CULL_FACE, GL_STENCIL_TEST}) glDisable(off);
  glViewport(0, 0, placement.framebuffer_width, placement.framebuffer_height);
  glEnable(GL_SCISSOR_TEST);
  glScissor(x0, placement.framebuffer_height - y1, x1 - x0, y1 - y0);
  painter_->draw(placement);
  // It fills them meanwhile, and more quickly without the texts that come next.
  if (on_processor_) glFlush();
}

}  // namespace streamscope::screen
