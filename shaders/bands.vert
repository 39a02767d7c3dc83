// All of the picture, as one triangle that reaches over its edges; the scissor cuts it.
uniform ivec2 origin;       // of the picture in the framebuffer, from the top left
uniform ivec2 framebuffer;  // its size
uniform ivec2 size;         // of the picture

out vec2 at;  // in the picture: 0 to 1, from the top left

void main() {
  at = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0;
  vec2 unit = (at * vec2(size) + vec2(origin)) / vec2(framebuffer);
  gl_Position = vec4(unit.x * 2.0 - 1.0, 1.0 - unit.y * 2.0, 0.0, 1.0);
}
