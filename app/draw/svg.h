// A picture as SVG text: what the screen and the PNG show, as shapes and as text that can be searched and edited.
#pragma once

#include <string>

#include "app/draw/caption.h"
#include "app/timeline/scene.h"

namespace streamscope::draw {

// The size it asks for is the picture's times `scale`; its coordinates are the picture's pixels.
std::string svg(const timeline::Scene& scene, double scale, const DocumentInfo& info);

}  // namespace streamscope::draw
