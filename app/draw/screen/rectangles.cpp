#include "app/draw/screen/rectangles.h"

#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "app/draw/screen/fills.h"
#include "app/draw/screen/shaders.h"

namespace streamscope {
namespace {

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

Result<GLuint> make_program(std::string_view fragment_name, std::string_view fragment_text) {
  const Shader vertex(GL_VERTEX_SHADER, shaders::kRectanglesVertex);
  const Shader fragment(GL_FRAGMENT_SHADER, fragment_text);
  for (const auto& [shader, file] :
       {std::pair{&vertex, std::string_view("rectangles.vert")}, std::pair{&fragment, fragment_name}}) {
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
  std::string message = fmt::format("the OpenGL driver could not link the shaders rectangles.vert and {}: {}",
                                    fragment_name, log_of(program, false));
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

// Puts the bindings back that are changed while a buffer is filled.
class SavedBindings {
 public:
  SavedBindings() {
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &vertex_array_);
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &buffer_);
  }
  ~SavedBindings() {
    glBindVertexArray(static_cast<GLuint>(vertex_array_));
    glBindBuffer(GL_ARRAY_BUFFER, static_cast<GLuint>(buffer_));
  }
  SavedBindings(const SavedBindings&) = delete;
  SavedBindings& operator=(const SavedBindings&) = delete;

 private:
  GLint vertex_array_ = 0, buffer_ = 0;
};

// Two triangles for each four corners.
std::vector<std::uint32_t> triangles(std::size_t rectangles) {
  std::vector<std::uint32_t> out;
  out.reserve(6 * rectangles);
  for (std::uint32_t at = 0; at < 4 * rectangles; at += 4)
    for (const std::uint32_t corner : {0U, 1U, 2U, 2U, 1U, 3U}) out.push_back(at + corner);
  return out;
}

// GL takes offsets as pointers.
const void* offset(std::size_t bytes) { return reinterpret_cast<const void*>(bytes); }

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
  RectangleRenderer made;
  const std::pair<std::string_view, std::string_view> fragments[] = {{"plain.frag", shaders::kPlainFragment},
                                                                     {"patterned.frag", shaders::kPatternedFragment}};
  for (std::size_t i = 0; i < made.programs_.size(); ++i) {
    const Result<GLuint> program = make_program(fragments[i].first, fragments[i].second);
    if (!program) return fail(program.error());
    made.programs_[i] = {*program, glGetUniformLocation(*program, "origin"),
                         glGetUniformLocation(*program, "framebuffer")};
  }

  const SavedBindings saved;
  glGenVertexArrays(1, &made.vertex_array_);
  glGenBuffers(1, &made.corners_);
  glGenBuffers(1, &made.indices_);
  glBindVertexArray(made.vertex_array_);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, made.indices_);
  glBindBuffer(GL_ARRAY_BUFFER, made.corners_);
  glVertexAttribPointer(0, 2, GL_UNSIGNED_SHORT, GL_FALSE, sizeof(Corner), offset(offsetof(Corner, x)));
  glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Corner), offset(offsetof(Corner, colour)));
  glVertexAttribIPointer(2, 1, GL_UNSIGNED_BYTE, sizeof(Corner), offset(offsetof(Corner, fill)));
  for (const GLuint attribute : {0U, 1U, 2U}) glEnableVertexAttribArray(attribute);
  return made;
}

RectangleRenderer::~RectangleRenderer() {
  if (vertex_array_ != 0) {
    glDeleteBuffers(1, &corners_);
    glDeleteBuffers(1, &indices_);
    glDeleteVertexArrays(1, &vertex_array_);
  }
  for (const Program& program : programs_)
    if (program.id != 0) glDeleteProgram(program.id);
}

RectangleRenderer::RectangleRenderer(RectangleRenderer&& other) noexcept { *this = std::move(other); }

RectangleRenderer& RectangleRenderer::operator=(RectangleRenderer&& other) noexcept {
  // What this one held goes with the other.
  std::swap(programs_, other.programs_);
  std::swap(vertex_array_, other.vertex_array_);
  std::swap(corners_, other.corners_);
  std::swap(indices_, other.indices_);
  std::swap(indexed_, other.indexed_);
  std::swap(batches_, other.batches_);
  return *this;
}

void RectangleRenderer::upload(std::span<const Rectangle> rectangles) {
  if (vertex_array_ == 0) return;
  Batches made = batches(rectangles);
  batches_ = std::move(made.batches);
  const SavedBindings saved;
  glBindVertexArray(vertex_array_);
  glBindBuffer(GL_ARRAY_BUFFER, corners_);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(made.corners.size() * sizeof(Corner)), made.corners.data(),
               GL_DYNAMIC_DRAW);
  if (size() <= indexed_) return;
  indexed_ = std::max(size(), 2 * indexed_);
  const std::vector<std::uint32_t> indices = triangles(indexed_);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(indices.size() * sizeof(std::uint32_t)), indices.data(),
               GL_STATIC_DRAW);
}

void RectangleRenderer::draw(const Placement& placement) const {
  const int x0 = std::max(placement.clip_x0, 0), x1 = std::min(placement.clip_x1, placement.framebuffer_width);
  const int y0 = std::max(placement.clip_y0, 0), y1 = std::min(placement.clip_y1, placement.framebuffer_height);
  if (batches_.empty() || x0 >= x1 || y0 >= y1) return;
  const SavedState saved;
  for (const GLenum off : {GL_DEPTH_TEST, GL_CULL_FACE, GL_STENCIL_TEST}) glDisable(off);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glViewport(0, 0, placement.framebuffer_width, placement.framebuffer_height);
  glEnable(GL_SCISSOR_TEST);
  glScissor(x0, placement.framebuffer_height - y1, x1 - x0, y1 - y0);
  for (const Program& program : programs_) {
    glUseProgram(program.id);
    glUniform2i(program.origin, placement.x, placement.y);
    glUniform2i(program.framebuffer, placement.framebuffer_width, placement.framebuffer_height);
  }
  glBindVertexArray(vertex_array_);
  for (const Batch& batch : batches_) {
    (batch.painting == Painting::opaque ? glDisable : glEnable)(GL_BLEND);
    glUseProgram(programs_[batch.painting == Painting::patterned ? 1 : 0].id);
    glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(6 * batch.count), GL_UNSIGNED_INT,
                   offset(6 * batch.first * sizeof(std::uint32_t)));
  }
}

}  // namespace streamscope
