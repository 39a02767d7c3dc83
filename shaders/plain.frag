// Every pixel of a rectangle.
in vec4 ink;

out vec4 colour;

void main() {
  colour = ink;
}
