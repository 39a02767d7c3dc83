// An OpenGL 3.3 core context that needs neither a display nor a window. By EGL, on Mesa's surfaceless platform. It
// draws into a pixel buffer such as windows have: into one that a framebuffer object of ours holds, Mesa's software
// renderer draws otherwise and slower.
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glad/gl.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/screen/rectangles.h"
#include "app/timeline/scene.h"

namespace streamscope::testing {

class OffscreenContext {
 public:
  OffscreenContext(int width, int height) : width_(width), height_(height) { why_not_ = open(); }
  ~OffscreenContext() {
    if (display_ == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context_ != EGL_NO_CONTEXT) eglDestroyContext(display_, context_);
    if (surface_ != EGL_NO_SURFACE) eglDestroySurface(display_, surface_);
    eglTerminate(display_);
  }
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;

  // Empty where all is well.
  const std::string& why_not() const { return why_not_; }
  int width() const { return width_; }
  int height() const { return height_; }

  void clear(timeline::Colour colour) {
    glDisable(GL_SCISSOR_TEST);
    glClearColor(static_cast<float>(colour.r) / 255, static_cast<float>(colour.g) / 255,
                 static_cast<float>(colour.b) / 255, 1);
    glClear(GL_COLOR_BUFFER_BIT);
  }

  // Row by row from the top, as in a picture.
  std::vector<timeline::Colour> pixels() const {
    const auto w = static_cast<std::size_t>(width_), h = static_cast<std::size_t>(height_);
    std::vector<timeline::Colour> upside_down(w * h), out;
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
    const std::optional<EGLConfig> config = as_a_window_has();
    if (!config) return "EGL has no pixel buffers of 8 bits a colour";
    const EGLint size[] = {EGL_WIDTH, width_, EGL_HEIGHT, height_, EGL_NONE};
    surface_ = eglCreatePbufferSurface(display_, *config, size);
    if (surface_ == EGL_NO_SURFACE) return "no pixel buffer";
    const EGLint attributes[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    context_ = eglCreateContext(display_, *config, EGL_NO_CONTEXT, attributes);
    if (context_ == EGL_NO_CONTEXT) return "no OpenGL 3.3 core context";
    if (eglMakeCurrent(display_, surface_, surface_, context_) != EGL_TRUE) return "eglMakeCurrent failed";
    if (!screen::load_gl(eglGetProcAddress)) return "the OpenGL functions could not be loaded";
    return {};
  }

  // 8 bits a colour and alpha, and nothing else, as our window asks for; EGL sorts deeper ones first.
  std::optional<EGLConfig> as_a_window_has() const {
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLint count = 0;
    if (eglChooseConfig(display_, wanted, nullptr, 0, &count) != EGL_TRUE) return std::nullopt;
    std::vector<EGLConfig> all(static_cast<std::size_t>(count));
    eglChooseConfig(display_, wanted, all.data(), count, &count);
    const auto has = [&](EGLConfig config, EGLint what, EGLint value) {
      EGLint found = -1;
      return eglGetConfigAttrib(display_, config, what, &found) == EGL_TRUE && found == value;
    };
    const auto found = std::find_if(all.begin(), all.end(), [&](EGLConfig config) {
      return has(config, EGL_RED_SIZE, 8) && has(config, EGL_ALPHA_SIZE, 8) && has(config, EGL_DEPTH_SIZE, 0) &&
             has(config, EGL_STENCIL_SIZE, 0) && has(config, EGL_SAMPLES, 0);
    });
    return found == all.end() ? std::nullopt : std::optional(*found);
  }

  int width_, height_;
  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLSurface surface_ = EGL_NO_SURFACE;
  EGLContext context_ = EGL_NO_CONTEXT;
  std::string why_not_;
};

}  // namespace streamscope::testing
