// What our painters change of GL's state, put back when this goes: others draw with the same context.
#pragma once

#include <glad/gl.h>

#include <array>
#include <cstddef>

namespace streamscope::screen {

class SavedState {
 public:
  SavedState() {
    glGetIntegerv(GL_CURRENT_PROGRAM, &program_);
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &vertex_array_);
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &buffer_);
    glGetIntegerv(GL_ACTIVE_TEXTURE, &unit_);
    glActiveTexture(GL_TEXTURE0);
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &texture_);
    glGetIntegerv(GL_VIEWPORT, viewport_.data());
    glGetIntegerv(GL_SCISSOR_BOX, scissor_.data());
    for (std::size_t i = 0; i < kBlendNames.size(); ++i) glGetIntegerv(kBlendNames[i], &blend_[i]);
    for (std::size_t i = 0; i < kSwitches.size(); ++i) on_[i] = glIsEnabled(kSwitches[i]);
  }
  ~SavedState() {
    glUseProgram(static_cast<GLuint>(program_));
    glBindVertexArray(static_cast<GLuint>(vertex_array_));
    glBindBuffer(GL_ARRAY_BUFFER, static_cast<GLuint>(buffer_));
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(texture_));
    glActiveTexture(static_cast<GLenum>(unit_));
    glViewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
    glScissor(scissor_[0], scissor_[1], scissor_[2], scissor_[3]);
    const auto blend = [&](std::size_t i) { return static_cast<GLenum>(blend_[i]); };
    glBlendFuncSeparate(blend(0), blend(1), blend(2), blend(3));
    glBlendEquationSeparate(blend(4), blend(5));
    for (std::size_t i = 0; i < kSwitches.size(); ++i) (on_[i] ? glEnable : glDisable)(kSwitches[i]);
  }
  SavedState(const SavedState&) = delete;
  SavedState& operator=(const SavedState&) = delete;

 private:
  static constexpr std::array<GLenum, 6> kBlendNames{GL_BLEND_SRC_RGB,      GL_BLEND_DST_RGB,
                                                     GL_BLEND_SRC_ALPHA,    GL_BLEND_DST_ALPHA,
                                                     GL_BLEND_EQUATION_RGB, GL_BLEND_EQUATION_ALPHA};
  static constexpr std::array<GLenum, 5> kSwitches{GL_BLEND, GL_SCISSOR_TEST, GL_DEPTH_TEST, GL_CULL_FACE,
                                                   GL_STENCIL_TEST};
  GLint program_ = 0, vertex_array_ = 0, buffer_ = 0, unit_ = 0;
  GLint texture_ = 0;  // of the first unit, the only one our painters use
  std::array<GLint, 4> viewport_{}, scissor_{};
  std::array<GLint, kBlendNames.size()> blend_{};
  std::array<GLboolean, kSwitches.size()> on_{};
};

}  // namespace streamscope::screen
