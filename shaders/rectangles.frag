// A hatched rectangle shows only the diagonals of one pattern that lies under the whole picture, so that neighbouring
// rectangles go on with each other's lines.
flat in vec4 fill;
flat in int hatched;

uniform ivec2 origin;
uniform ivec2 framebuffer;

out vec4 colour;

void main() {
  if (hatched != 0) {
    ivec2 pixel = ivec2(int(gl_FragCoord.x), framebuffer.y - 1 - int(gl_FragCoord.y)) - origin;
    if ((pixel.x + pixel.y) % HATCH_PERIOD >= HATCH_WIDTH) discard;
  }
  colour = fill;
}
