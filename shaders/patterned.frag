// A patterned rectangle shows only the pixels of its pattern, which lies under the whole picture, so that neighbouring
// rectangles go on with each other's lines. As drawn() of app/timeline/pattern.h has it; in whole numbers below 2^24,
// which floats hold exactly, for integers are divided one after the other where there is no GPU.
in vec4 ink;
flat in int fill;

uniform ivec2 origin;
uniform ivec2 framebuffer;
uniform float grain;  // the picture's pixels to one of a pattern

out vec4 colour;

// Whether the remainder of that division is below the width.
bool within(float value, float period, float width) {
  return value - period * floor((value + 0.5) / period) < width;
}

bool drawn(vec2 pixel) {
  ivec3 pattern = PATTERNS[fill];
  float period = float(pattern.x), width = float(pattern.y);
  int stripes = pattern.z;
  bool column = within(pixel.x, period, width), row = within(pixel.y, period, width);
  return ((stripes & RISING) != 0 && within(pixel.x + pixel.y, period, width)) ||
         ((stripes & FALLING) != 0 && within(pixel.x + pixel.y * (period - 1.0), period, width)) ||
         ((stripes & VERTICAL) != 0 && column) || ((stripes & LEVEL) != 0 && row) ||
         ((stripes & DOTS) != 0 && column && row);
}

void main() {
  if (fill != 0) {
    vec2 pixel = vec2(floor(gl_FragCoord.x), float(framebuffer.y) - 1.0 - floor(gl_FragCoord.y)) - vec2(origin);
    if (!drawn(floor((pixel + 0.5) / grain))) discard;
  }
  colour = ink;
}
