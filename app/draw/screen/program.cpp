#include "app/draw/screen/program.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "app/draw/screen/batches.h"
#include "app/timeline/pattern.h"
#include "engine/base/translate.h"

namespace streamscope::screen {
namespace {

// For the head of a shader: ROW_BASE of batches.h, and PATTERNS, by fill: period, width and the families of its
// stripes.
std::string fill_definitions() {
  std::string out = fmt::format("#define {} {}\n", "ROW_BASE", kRowBase);
  for (const auto& [name, which] : {std::pair{"RISING", timeline::Stripes::rising},
                                    {"FALLING", timeline::Stripes::falling},
                                    {"VERTICAL", timeline::Stripes::vertical},
                                    {"LEVEL", timeline::Stripes::level},
                                    {"DOTS", timeline::Stripes::dots}})
    out += fmt::format("#define {} {}\n", name, static_cast<int>(which));
  std::string list;
  for (const timeline::Pattern& each : timeline::kPatterns)
    list += fmt::format("{}ivec3({}, {}, {})", list.empty() ? "" : ", ", each.period, each.width, each.stripes);
  return out + fmt::format("const ivec3 PATTERNS[{0}] = ivec3[{0}]({1});\n", timeline::kFills, list);
}

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

}  // namespace

Result<GlObject> link_program(const ShaderText& vertex_text, const ShaderText& fragment_text) {
  const Shader vertex(GL_VERTEX_SHADER, vertex_text.text);
  const Shader fragment(GL_FRAGMENT_SHADER, fragment_text.text);
  for (const auto& [shader, file] : {std::pair{&vertex, vertex_text.file}, std::pair{&fragment, fragment_text.file}}) {
    if (!shader->compiled()) {
      return fail(ErrorKind::device_failed,
                  tr("the OpenGL driver refused the shader {}: {}", file, log_of(shader->id(), true)));
    }
  }
  GlObject program(glCreateProgram(), [](GLuint each) { glDeleteProgram(each); });
  glAttachShader(program, vertex.id());
  glAttachShader(program, fragment.id());
  glLinkProgram(program);
  GLint linked = GL_FALSE;
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  if (linked == GL_TRUE) return program;
  return fail(ErrorKind::device_failed, tr("the OpenGL driver could not link the shaders {} and {}: {}",
                                           vertex_text.file, fragment_text.file, log_of(program, false)));
}

}  // namespace streamscope::screen
