#include "app/draw/screen/rectangles.h"

#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "app/draw/screen/fills.h"
#include "app/draw/screen/shaders.h"

namespace streamscope {
namespace {

// As rectangles.vert reads it.
struct Instance {
  std::uint16_t x0, x1, y, height;
  std::uint8_t red, green, blue;
  std::uint8_t alpha_and_fill;
};
static_assert(sizeof(Instance) == 12);

std::string log_of(GLuint object, bool shader) {
  std::array<char, 2048> text{};
  GLsizei length = 0;
  if (shader) {
    glGetShaderInfoLog(object, static_cast<GLsizei>(text.size()), &length, text.data());
  } else {
    glGetProgramInfoLog(object, static_cast<GLsizei>(text.size()), &length, text.data());
  }
  return {text.data(), static_cast<std::size_t>(length)};
}

// A shader only lives until its program is linked.
class Shader {
 public:
  Shader(GLenum stage, std::string_view text) : id_(glCreateShader(stage)) {
    const std::string source = fmt::format("#version 330 core\n{}#line 1\n{}", fill_definitions(), text);
    const char* pointer = source.c_str();
    glShaderSource(id_, 1, &pointer, nullptr);
    glCompileShader(id_);
    glGetShaderiv(id_, GL_COMPILE_STATUS, &compiled_);
  }
  ~Shader() { glDeleteShader(id_); }
  Shader(const Shader&) = delete;
  Shader& operator=(const Shader&) = delete;

  GLuint id() const { return id_; }
  bool compiled() const { return compiled_ == GL_TRUE; }

 private:
  GLuint id_;
  GLint compiled_ = GL_FALSE;
};

Result<GLuint> make_program() {
  const Shader vertex(GL_VERTEX_SHADER, shaders::kRectanglesVertex);
  const Shader fragment(GL_FRAGMENT_SHADER, shaders::kRectanglesFragment);
  for (const auto& [shader, file] : {std::pair{&vertex, "rectangles.vert"}, std::pair{&fragment, "rectangles.frag"}}) {
    if (!shader->compiled()) {
      return fail(ErrorKind::device_failed,
                  fmt::format("the OpenGL driver refused the shader {}: {}", file, log_of(shader->id(), true)));
    }
  }
  const GLuint program = glCreateProgram();
  glAttachShader(program, vertex.id());
  glAttachShader(program, fragment.id());
  glLinkProgram(program);
  GLint linked = GL_FALSE;
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  if (linked == GL_TRUE) return program;
  std::string message =
      fmt::format("the OpenGL driver could not link the shaders rectangles.*: {}", log_of(program, false));
  glDeleteProgram(program);
  return fail(ErrorKind::device_failed, std::move(message));
}

// What draw() changes, put back when it goes.
class SavedState {
 public:
  SavedState() {
    glGetIntegerv(GL_CURRENT_PROGRAM, &program_);
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &vertex_array_);
    glGetIntegerv(GL_VIEWPORT, viewport_.data());
    glGetIntegerv(GL_SCISSOR_BOX, scissor_.data());
    for (std::size_t i = 0; i < kBlendNames.size(); ++i) glGetIntegerv(kBlendNames[i], &blend_[i]);
    for (std::size_t i = 0; i < kSwitches.size(); ++i) on_[i] = glIsEnabled(kSwitches[i]);
  }
  ~SavedState() {
    glUseProgram(static_cast<GLuint>(program_));
    glBindVertexArray(static_cast<GLuint>(vertex_array_));
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
  GLint program_ = 0, vertex_array_ = 0;
  std::array<GLint, 4> viewport_{}, scissor_{};
  std::array<GLint, kBlendNames.size()> blend_{};
  std::array<GLboolean, kSwitches.size()> on_{};
};

std::vector<Instance> instances(std::span<const Rectangle> rectangles) {
  const std::int32_t kMost = std::numeric_limits<std::uint16_t>::max();
  const auto cut = [kMost](std::int32_t value) { return static_cast<std::uint16_t>(std::clamp(value, 0, kMost)); };
  std::vector<Instance> out;
  out.reserve(rectangles.size());
  for (const Rectangle& r : rectangles) {
    const std::uint16_t x0 = cut(r.x0), x1 = cut(r.x1), y0 = cut(r.y0), y1 = cut(r.y1);
    if (x0 >= x1 || y0 >= y1) continue;
    out.push_back({x0, x1, y0, static_cast<std::uint16_t>(y1 - y0), r.colour.r, r.colour.g, r.colour.b,
                   alpha_and_fill(r.colour.a, r.fill)});
  }
  return out;
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
  const Result<GLuint> program = make_program();
  if (!program) return fail(program.error());
  RectangleRenderer made;
  made.program_ = *program;
  made.origin_ = glGetUniformLocation(made.program_, "origin");
  made.framebuffer_ = glGetUniformLocation(made.program_, "framebuffer");

  GLint vertex_array = 0, buffer = 0;
  glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &vertex_array);
  glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &buffer);
  glGenVertexArrays(1, &made.vertex_array_);
  glGenBuffers(1, &made.buffer_);
  glBindVertexArray(made.vertex_array_);
  glBindBuffer(GL_ARRAY_BUFFER, made.buffer_);
  glVertexAttribIPointer(0, 4, GL_UNSIGNED_SHORT, sizeof(Instance), nullptr);
  // GL takes offsets as pointers.
  glVertexAttribIPointer(1, 4, GL_UNSIGNED_BYTE, sizeof(Instance),
                         reinterpret_cast<const void*>(offsetof(Instance, red)));
  for (const GLuint attribute : {0U, 1U}) {
    glEnableVertexAttribArray(attribute);
    glVertexAttribDivisor(attribute, 1);
  }
  glBindVertexArray(static_cast<GLuint>(vertex_array));
  glBindBuffer(GL_ARRAY_BUFFER, static_cast<GLuint>(buffer));
  return made;
}

RectangleRenderer::~RectangleRenderer() {
  if (program_ == 0) return;
  glDeleteBuffers(1, &buffer_);
  glDeleteVertexArrays(1, &vertex_array_);
  glDeleteProgram(program_);
}

RectangleRenderer::RectangleRenderer(RectangleRenderer&& other) noexcept { *this = std::move(other); }

RectangleRenderer& RectangleRenderer::operator=(RectangleRenderer&& other) noexcept {
  // What this one held goes with the other.
  std::swap(program_, other.program_);
  std::swap(vertex_array_, other.vertex_array_);
  std::swap(buffer_, other.buffer_);
  std::swap(origin_, other.origin_);
  std::swap(framebuffer_, other.framebuffer_);
  std::swap(count_, other.count_);
  return *this;
}

void RectangleRenderer::upload(std::span<const Rectangle> rectangles) {
  if (program_ == 0) return;
  const std::vector<Instance> packed = instances(rectangles);
  GLint buffer = 0;
  glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &buffer);
  glBindBuffer(GL_ARRAY_BUFFER, buffer_);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(packed.size() * sizeof(Instance)), packed.data(),
               GL_DYNAMIC_DRAW);
  glBindBuffer(GL_ARRAY_BUFFER, static_cast<GLuint>(buffer));
  count_ = packed.size();
}

void RectangleRenderer::draw(const Placement& placement) const {
  const int x0 = std::max(placement.clip_x0, 0), x1 = std::min(placement.clip_x1, placement.framebuffer_width);
  const int y0 = std::max(placement.clip_y0, 0), y1 = std::min(placement.clip_y1, placement.framebuffer_height);
  if (program_ == 0 || count_ == 0 || x0 >= x1 || y0 >= y1) return;
  const SavedState saved;
  for (const GLenum off : {GL_DEPTH_TEST, GL_CULL_FACE, GL_STENCIL_TEST}) glDisable(off);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glViewport(0, 0, placement.framebuffer_width, placement.framebuffer_height);
  glEnable(GL_SCISSOR_TEST);
  glScissor(x0, placement.framebuffer_height - y1, x1 - x0, y1 - y0);
  glUseProgram(program_);
  glUniform2i(origin_, placement.x, placement.y);
  glUniform2i(framebuffer_, placement.framebuffer_width, placement.framebuffer_height);
  glBindVertexArray(vertex_array_);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(count_));
}

}  // namespace streamscope
