// An object of GL that goes with its holder. The context it was made in must be current then.
#pragma once

#include <glad/gl.h>

#include <utility>

namespace streamscope::screen {

class GlObject {
 public:
  using Delete = void (*)(GLuint);
  GlObject() = default;
  GlObject(GLuint id, Delete destroy) : id_(id), delete_(destroy) {}
  ~GlObject() {
    if (id_ != 0) delete_(id_);
  }
  GlObject(GlObject&& other) noexcept { *this = std::move(other); }
  GlObject& operator=(GlObject&& other) noexcept {
    std::swap(id_, other.id_);  // what this one held goes with the other
    std::swap(delete_, other.delete_);
    return *this;
  }
  operator GLuint() const { return id_; }  // as GL's functions take it

 private:
  GLuint id_ = 0;
  Delete delete_ = nullptr;
};

inline GlObject new_buffer() {
  GLuint id = 0;
  glGenBuffers(1, &id);
  return {id, [](GLuint each) { glDeleteBuffers(1, &each); }};
}
inline GlObject new_texture() {
  GLuint id = 0;
  glGenTextures(1, &id);
  return {id, [](GLuint each) { glDeleteTextures(1, &each); }};
}
inline GlObject new_vertex_array() {
  GLuint id = 0;
  glGenVertexArrays(1, &id);
  return {id, [](GLuint each) { glDeleteVertexArrays(1, &each); }};
}

}  // namespace streamscope::screen
