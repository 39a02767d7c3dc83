// An OpenGL 3.3 core context that needs neither a display nor a window, with a framebuffer of its own. By EGL, on
// Mesa's surfaceless platform.
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glad/gl.h>

#include <string>
#include <vector>

#include "app/draw/screen/rectangles.h"
#include "app/timeline/picture.h"

namespace streamscope::testing {

class OffscreenContext {
 public:
  OffscreenContext(int width, int height) : width_(width), height_(height) { why_not_ = open(); }
  ~OffscreenContext() {
    if (display_ == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context_ != EGL_NO_CONTEXT) eglDestroyContext(display_, context_);
    eglTerminate(display_);
  }
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;

  // Empty where all is well.
  const std::string& why_not() const { return why_not_; }
  int width() const { return width_; }
  int height() const { return height_; }

  void clear(Colour colour) {
    glDisable(GL_SCISSOR_TEST);
    glClearColor(static_cast<float>(colour.r) / 255, static_cast<float>(colour.g) / 255,
                 static_cast<float>(colour.b) / 255, 1);
    glClear(GL_COLOR_BUFFER_BIT);
  }

  // Row by row from the top, as in a picture.
  std::vector<Colour> pixels() const {
    const auto w = static_cast<std::size_t>(width_), h = static_cast<std::size_t>(height_);
    std::vector<Colour> upside_down(w * h), out;
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, upside_down.data());
    out.reserve(w * h);
    for (std::size_t y = h; y-- > 0;) {
      const auto row = upside_down.begin() + static_cast<std::ptrdiff_t>(y * w);
      out.insert(out.end(), row, row + width_);
    }
    return out;
  }

 private:
  std::string open() {
    const auto get_display =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (get_display == nullptr) return "EGL has no eglGetPlatformDisplayEXT";
    display_ = get_display(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    if (display_ == EGL_NO_DISPLAY) return "EGL has no surfaceless platform: is Mesa (libegl-mesa0) installed?";
    if (eglInitialize(display_, nullptr, nullptr) != EGL_TRUE) return "eglInitialize failed: is libgl1-mesa-dri there?";
    if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) return "EGL has no OpenGL";
    const EGLint attributes[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    context_ = eglCreateContext(display_, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    if (context_ == EGL_NO_CONTEXT) return "no OpenGL 3.3 core context";
    if (eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) != EGL_TRUE) return "eglMakeCurrent failed";
    if (!load_gl(eglGetProcAddress)) return "the OpenGL functions could not be loaded";
    GLuint colour = 0, framebuffer = 0;
    glGenRenderbuffers(1, &colour);
    glBindRenderbuffer(GL_RENDERBUFFER, colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width_, height_);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) return "the framebuffer is not complete";
    return {};
  }

  int width_, height_;
  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
  std::string why_not_;
};

}  // namespace streamscope::testing
