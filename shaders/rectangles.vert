// One rectangle an instance, four corners of a strip. All in whole pixels; the edges fall between pixel centres, so
// which pixels are covered does not depend on rounding.
layout(location = 0) in uvec4 edges;   // x0, x1, y, height
layout(location = 1) in uvec4 colour;  // red, green, blue, alpha and fill (fills.h)

uniform ivec2 origin;       // of the picture in the framebuffer, from the top left
uniform ivec2 framebuffer;  // its size

flat out vec4 ink;
flat out int fill;

void main() {
  ivec2 at = origin + ivec2((gl_VertexID & 1) == 0 ? edges.x : edges.y,
                            (gl_VertexID & 2) == 0 ? edges.z : edges.z + edges.w);
  vec2 unit = vec2(at) / vec2(framebuffer);
  gl_Position = vec4(unit.x * 2.0 - 1.0, 1.0 - unit.y * 2.0, 0.0, 1.0);
  bool patterned = colour.a >= 128u;
  ink = vec4(vec3(colour.rgb) / 255.0, patterned ? float(colour.a & 7u) / 7.0 : float(colour.a) / 127.0);
  fill = patterned ? int(colour.a - 128u) / 8 + 1 : 0;
}
