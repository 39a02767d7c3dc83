// Capture: rule 19. What it forbids is refused when the program is checked, at the line that breaks the rule.
#include "tests/conformance/conformance.h"

namespace streamscope::conformance {

namespace {

Case refused(const char* name, const char* program, const char* words) {
  return {19, name, program, nullptr, {}, {}, Refusal{Refusal::By::check, words}};
}

}  // namespace

std::vector<Case> capture_cases() {
  return {
      refused("the legacy stream cannot be captured", R"(
graph G on default {  # here
  default: spin 1ms
}
default: launch G
)",
              "legacy"),

      refused("no work may be given to the legacy stream while a blocking stream captures", R"(
stream A
graph G on A {
  A: spin 1ms
  default: spin 1ms  # here
}
A: launch G
)",
              "legacy"),

      refused("nor by a blocking copy", R"(
buffer x 1MiB
stream A
graph G on A {
  A: h2d x
  host: memcpy d2h x  # here
}
A: launch G
)",
              "captur"),

      refused("a capturing stream cannot be synchronised", R"(
stream A nonblocking
graph G on A {
  A: spin 1ms
  host: sync A  # here
}
A: launch G
)",
              "captur"),

      refused("nor asked whether it is done", R"(
stream A nonblocking
graph G on A {
  A: spin 1ms
  host: poll A  # here
}
A: launch G
)",
              "captur"),

      refused("nor can the device, of which it is a part", R"(
stream A nonblocking
graph G on A {
  A: spin 1ms
  host: sync device  # here
}
A: launch G
)",
              "captur"),

      refused("nor an event that was recorded under capture", R"(
stream A nonblocking
graph G on A {
  A: spin 1ms
  A: record e
  host: sync e  # here
}
A: launch G
)",
              "captur"),

      refused("every fork must rejoin before the capture ends", R"(
streams S 2 nonblocking
graph G on S0 {
  S0: spin 1ms
  S0: record e
  S1: wait e
  S1: spin 1ms  # here
}
S0: launch G
)",
              "join"),
  };
}

}  // namespace streamscope::conformance
