#include "app/draw/screen/batch_painter.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "app/draw/screen/program.h"
#include "app/draw/screen/shaders.h"

namespace streamscope::screen {
namespace {

// Rectangles in one call. Mesa's software renderer knows rectangles again, and fills them several times as fast as two
// triangles, where both triangles of each come in one portion of its own, of 1024 indices, and nothing is flat.
constexpr std::size_t kInACall = 1024 / 6;

// Two triangles for each four corners, both from the same one on.
std::vector<std::uint32_t> triangles(std::size_t rectangles) {
  std::vector<std::uint32_t> out;
  out.reserve(6 * rectangles);
  for (std::uint32_t at = 0; at < 4 * rectangles; at += 4)
    for (const std::uint32_t corner : {0U, 1U, 3U, 0U, 3U, 2U}) out.push_back(at + corner);
  return out;
}

std::size_t program_of(Painting painting) {
  return painting == Painting::image ? 2 : painting == Painting::patterned ? 1 : 0;
}

// GL takes offsets as pointers.
const void* offset(std::size_t bytes) { return reinterpret_cast<const void*>(bytes); }

}  // namespace

Result<BatchPainter> BatchPainter::create() {
  BatchPainter made;
  const ShaderText vertex{"rectangles.vert", shaders::kRectanglesVertex};
  const ShaderText fragments[] = {{"plain.frag", shaders::kPlainFragment},
                                  {"patterned.frag", shaders::kPatternedFragment},
                                  {"image.frag", shaders::kImageFragment}};
  for (std::size_t i = 0; i < made.programs_.size(); ++i) {
    GlObject program = TRY(link_program(vertex, fragments[i]));
    const GLint origin = glGetUniformLocation(program, "origin");
    const GLint framebuffer = glGetUniformLocation(program, "framebuffer");
    const GLint grain = glGetUniformLocation(program, "grain");
    made.programs_[i] = {std::move(program), origin, framebuffer, grain};
  }
  made.image_ = new_texture();
  glBindTexture(GL_TEXTURE_2D, made.image_);
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTexParameteri(GL_TEXTURE_2D, filter, GL_NEAREST);
  made.vertex_array_ = new_vertex_array();
  made.corners_ = new_buffer();
  made.indices_ = new_buffer();
  glBindVertexArray(made.vertex_array_);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, made.indices_);
  glBindBuffer(GL_ARRAY_BUFFER, made.corners_);
  glVertexAttribPointer(0, 2, GL_UNSIGNED_SHORT, GL_FALSE, sizeof(Corner), offset(offsetof(Corner, x)));
  glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Corner), offset(offsetof(Corner, colour)));
  glVertexAttribIPointer(2, 1, GL_UNSIGNED_BYTE, sizeof(Corner), offset(offsetof(Corner, fill)));
  for (const GLuint attribute : {0U, 1U, 2U}) glEnableVertexAttribArray(attribute);
  return made;
}

void BatchPainter::upload(const Batches& batches) {
  batches_ = batches.batches;
  grain_ = batches.grain;
  glBindVertexArray(vertex_array_);
  glBindBuffer(GL_ARRAY_BUFFER, corners_);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(batches.corners.size() * sizeof(Corner)),
               batches.corners.data(), GL_DYNAMIC_DRAW);
  if (!batches.image.empty()) {
    glBindTexture(GL_TEXTURE_2D, image_);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, batches.image_width,
                 static_cast<GLsizei>(batches.image.size() / static_cast<std::size_t>(batches.image_width)), 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, batches.image.data());
  }
  if (batches.size() <= indexed_) return;
  indexed_ = std::max(batches.size(), 2 * indexed_);
  const std::vector<std::uint32_t> indices = triangles(indexed_);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(indices.size() * sizeof(std::uint32_t)), indices.data(),
               GL_STATIC_DRAW);
}

void BatchPainter::draw(const Placement& placement) const {
  for (const Program& program : programs_) {
    glUseProgram(program.id);
    glUniform2i(program.origin, placement.x, placement.y);
    glUniform2i(program.framebuffer, placement.framebuffer_width, placement.framebuffer_height);
    glUniform1f(program.grain, static_cast<float>(grain_));
  }
  glBindVertexArray(vertex_array_);
  glBindTexture(GL_TEXTURE_2D, image_);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  for (const Batch& batch : batches_) {
    (batch.painting == Painting::opaque ? glDisable : glEnable)(GL_BLEND);
    glUseProgram(programs_[program_of(batch.painting)].id);
    for (std::size_t done = 0; done < batch.count; done += kInACall) {
      const std::size_t count = std::min(kInACall, batch.count - done);
      glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(6 * count), GL_UNSIGNED_INT,
                     offset(6 * (batch.first + done) * sizeof(std::uint32_t)));
    }
  }
}

}  // namespace streamscope::screen
