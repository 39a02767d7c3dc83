// The one way a picture is drawn with Cairo, whatever the surface: pixels now, vectors as well.
#pragma once

#include <cairo.h>

#include "app/timeline/scene.h"

namespace streamscope::draw {

// One pixel of the picture is one unit of the context's user space. What it draws is what the screen draws, pixel for
// pixel where the scale is a whole number; a surface without pixels has slanted patterns as even stripes.
void paint(cairo_t* context, const timeline::Scene& scene);

}  // namespace streamscope::draw
