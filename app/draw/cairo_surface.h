// The owner of a Cairo surface.
#pragma once

#include <cairo.h>

#include <memory>

namespace streamscope::draw {

struct SurfaceDelete {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
using OwnSurface = std::unique_ptr<cairo_surface_t, SurfaceDelete>;

}  // namespace streamscope::draw
