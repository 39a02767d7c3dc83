// A corner of a rectangle. All in whole pixels; the edges fall between pixel centres, so which pixels are covered does
// not depend on rounding.
layout(location = 0) in vec2 corner;
layout(location = 1) in vec4 colour;
layout(location = 2) in uint pattern;  // kPatterns (app/timeline/pattern.h)

uniform ivec2 origin;       // of the picture in the framebuffer, from the top left
uniform ivec2 framebuffer;  // its size

out vec4 ink;  // the same at all corners; batch_painter.cpp says why it is not flat
flat out int fill;

void main() {
  vec2 unit = (corner + vec2(origin)) / vec2(framebuffer);
  gl_Position = vec4(unit.x * 2.0 - 1.0, 1.0 - unit.y * 2.0, 0.0, 1.0);
  ink = colour;
  fill = int(pattern);
}
