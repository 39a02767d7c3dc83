#include "app/draw/screen/rectangles.h"

#include <glad/gl.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "app/draw/screen/saved_state.h"

namespace streamscope {
namespace {

// From where on a software renderer is quicker with a look-up (layers_of).
constexpr int kCrowd = 60;

// Within these columns and rows of the framebuffer, counted from the top left.
void set_scissor(const Placement& placement, int x0, int y0, int x1, int y1) {
  glScissor(x0, placement.framebuffer_height - y1, std::max(x1 - x0, 0), std::max(y1 - y0, 0));
}

}  // namespace

bool load_gl(GetGlFunction get) {
  const int version = gladLoadGL(get);
  return version != 0 &&
         (GLAD_VERSION_MAJOR(version) > 3 || (GLAD_VERSION_MAJOR(version) == 3 && GLAD_VERSION_MINOR(version) >= 3));
}

Result<RectangleRenderer> RectangleRenderer::create() {
  if (glad_glCreateShader == nullptr) {
    return fail(ErrorKind::device_failed, "the OpenGL functions are not loaded: is there an OpenGL 3.3 driver?");
  }
  const SavedState saved;
  Result<BatchPainter> batch_painter = BatchPainter::create();
  if (!batch_painter) return fail(batch_painter.error());
  Result<BandPainter> band_painter = BandPainter::create();
  if (!band_painter) return fail(band_painter.error());
  RectangleRenderer made;
  made.painters_ = std::make_unique<Painters>(Painters{std::move(*batch_painter), std::move(*band_painter)});
  return made;
}

void RectangleRenderer::upload(std::span<const Rectangle> rectangles) {
  if (!painters_) return;
  const SavedState saved;
  crowded_.clear();
  if (!has_ground(rectangles, painters_->bands.most())) {
    const Batches all = batches(rectangles);
    under_ = all.batches.size();
    return painters_->batches.upload(all);
  }
  const Layers layers = layers_of(rectangles, kCrowd);
  Batches all = batches(layers.under);
  under_ = all.batches.size();
  append(all, batches(layers.over));
  painters_->batches.upload(all);
  crowded_ = layers.bands.crowded;
  if (!crowded_.empty()) painters_->bands.upload(layers.bands);
}

void RectangleRenderer::draw(const Placement& placement) const {
  const int x0 = std::max(placement.clip_x0, 0), x1 = std::min(placement.clip_x1, placement.framebuffer_width);
  const int y0 = std::max(placement.clip_y0, 0), y1 = std::min(placement.clip_y1, placement.framebuffer_height);
  if (!painters_ || x0 >= x1 || y0 >= y1) return;
  const SavedState saved;
  for (const GLenum off : {GL_DEPTH_TEST, GL_CULL_FACE, GL_STENCIL_TEST}) glDisable(off);
  glViewport(0, 0, placement.framebuffer_width, placement.framebuffer_height);
  glEnable(GL_SCISSOR_TEST);
  set_scissor(placement, x0, y0, x1, y1);
  painters_->batches.draw(placement, 0, under_);
  for (const PixelRows& rows : crowded_) {
    set_scissor(placement, std::max(x0, placement.x), std::max(y0, placement.y + rows.y0),
                std::min(x1, placement.x + painters_->bands.width()), std::min(y1, placement.y + rows.y1));
    painters_->bands.draw(placement);
  }
  set_scissor(placement, x0, y0, x1, y1);
  painters_->batches.draw(placement, under_, painters_->batches.size());
}

}  // namespace streamscope
