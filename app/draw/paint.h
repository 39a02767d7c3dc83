// The one way a picture is drawn with Cairo, whatever the surface: pixels now, vectors as well. And who owns what Cairo
// and Pango give out.
#pragma once

#include <cairo.h>

#include <memory>

#include "app/timeline/scene.h"

namespace streamscope::draw {

template <auto destroy>
struct Destroy {
  void operator()(auto* owned) const { destroy(owned); }
};
using OwnSurface = std::unique_ptr<cairo_surface_t, Destroy<cairo_surface_destroy>>;
using OwnContext = std::unique_ptr<cairo_t, Destroy<cairo_destroy>>;

// One pixel of the picture is one unit of the context's user space. What it draws is what the screen draws, pixel for
// pixel where the scale is a whole number; a surface without pixels has slanted patterns as even stripes.
void paint(cairo_t* context, const timeline::Scene& scene);

}  // namespace streamscope::draw
