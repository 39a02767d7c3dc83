// A patterned rectangle shows only the pixels of its pattern, which lies under the whole picture, so that neighbouring
// rectangles go on with each other's lines. As drawn() of app/timeline/pattern.h has it.
flat in vec4 ink;
flat in int fill;

uniform ivec2 origin;
uniform ivec2 framebuffer;

out vec4 colour;

bool drawn(ivec2 pixel) {
  ivec3 pattern = PATTERNS[fill];
  int period = pattern.x, width = pattern.y, stripes = pattern.z;
  bool column = pixel.x % period < width, row = pixel.y % period < width;
  return ((stripes & RISING) != 0 && (pixel.x + pixel.y) % period < width) ||
         ((stripes & FALLING) != 0 && (pixel.x + pixel.y * (period - 1)) % period < width) ||
         ((stripes & VERTICAL) != 0 && column) || ((stripes & LEVEL) != 0 && row) ||
         ((stripes & DOTS) != 0 && column && row);
}

void main() {
  if (fill != 0) {
    ivec2 pixel = ivec2(int(gl_FragCoord.x), framebuffer.y - 1 - int(gl_FragCoord.y)) - origin;
    if (!drawn(pixel)) discard;
  }
  colour = ink;
}
