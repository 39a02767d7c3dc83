// Pixels of stacks, from the image that holds the rows of all of them (batches.h): `ink` says how many rows further down
// in it they lie than in the picture.
in vec4 ink;

uniform ivec2 origin;
uniform ivec2 framebuffer;
uniform sampler2D image;

out vec4 colour;

void main() {
  ivec2 pixel = ivec2(floor(gl_FragCoord.x), float(framebuffer.y) - 1.0 - floor(gl_FragCoord.y)) - origin;
  int down = int(ink.r * 255.0 + 0.5) + 256 * int(ink.g * 255.0 + 0.5) - ROW_BASE;
  colour = texelFetch(image, pixel + ivec2(0, down), 0);
}
