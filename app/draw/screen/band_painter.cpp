#include "app/draw/screen/band_painter.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "app/draw/screen/program.h"
#include "app/draw/screen/shaders.h"

namespace streamscope {
namespace {

void bind(int unit, GLenum target, GLuint texture) {
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  glBindTexture(target, texture);
}

// A pixel is one texel's, never a mixture.
void bind_new(int unit, GLenum target, GLuint texture) {
  bind(unit, target, texture);
  glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

}  // namespace

Result<BandPainter> BandPainter::create() {
  BandPainter made;
  Result<GlObject> program =
      link_program({"bands.vert", shaders::kBandsVertex}, {"bands.frag", shaders::kBandsFragment});
  if (!program) return fail(program.error());
  made.program_ = std::move(*program);
  made.origin_ = glGetUniformLocation(made.program_, "origin");
  made.framebuffer_ = glGetUniformLocation(made.program_, "framebuffer");
  made.size_ = glGetUniformLocation(made.program_, "size");
  glUseProgram(made.program_);
  glUniform1i(glGetUniformLocation(made.program_, "band_of_row"), 0);
  glUniform1i(glGetUniformLocation(made.program_, "bands"), 1);
  made.vertex_array_ = new_vertex_array();
  made.of_row_ = new_texture();
  made.colours_ = new_texture();
  bind_new(0, GL_TEXTURE_1D, made.of_row_);
  bind_new(1, GL_TEXTURE_2D, made.colours_);
  GLint most = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  made.most_ = std::min<GLint>(most, std::numeric_limits<std::uint16_t>::max());
  return made;
}

void BandPainter::upload(const Bands& bands) {
  const bool same = bands.width == width_ && bands.height == height_ && bands.count() == count_;
  width_ = bands.width;
  height_ = bands.height;
  count_ = bands.count();
  std::vector<float> middles(bands.of_row.size());
  for (std::size_t y = 0; y < middles.size(); ++y)
    middles[y] = (static_cast<float>(bands.of_row[y]) + 0.5F) / static_cast<float>(count_);
  const auto rows = static_cast<GLsizei>(count_);
  bind(0, GL_TEXTURE_1D, of_row_);
  if (same)
    glTexSubImage1D(GL_TEXTURE_1D, 0, 0, height_, GL_RED, GL_FLOAT, middles.data());
  else
    glTexImage1D(GL_TEXTURE_1D, 0, GL_R32F, height_, 0, GL_RED, GL_FLOAT, middles.data());
  bind(1, GL_TEXTURE_2D, colours_);
  if (same)
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width_, rows, GL_RGBA, GL_UNSIGNED_BYTE, bands.colours.data());
  else
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width_, rows, 0, GL_RGBA, GL_UNSIGNED_BYTE, bands.colours.data());
}

void BandPainter::draw(const Placement& placement) const {
  glDisable(GL_BLEND);
  glUseProgram(program_);
  glUniform2i(origin_, placement.x, placement.y);
  glUniform2i(framebuffer_, placement.framebuffer_width, placement.framebuffer_height);
  glUniform2i(size_, width_, height_);
  bind(0, GL_TEXTURE_1D, of_row_);
  bind(1, GL_TEXTURE_2D, colours_);
  glBindVertexArray(vertex_array_);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace streamscope
