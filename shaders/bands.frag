// The colour of the pixel's column in the band of its row. Both textures are as wide or high as the picture, and a
// pixel's centre falls on a texel's.
in vec2 at;

uniform sampler1D band_of_row;  // where in `bands` its row's band is: 0 to 1
uniform sampler2D bands;

out vec4 colour;

void main() {
  colour = textureLod(bands, vec2(at.x, textureLod(band_of_row, at.y, 0.0).r), 0.0);
}
