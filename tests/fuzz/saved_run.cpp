// The bytes as a run that was saved: the object itself, not the trace around it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/input/json.h"
#include "tests/fuzz/take_through.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace streamscope;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const input::OpenControl plain;
  const input::ReadControl control(plain);
  fuzz::take_through(input::read_saved_run(text, "f", 0, control));
  return 0;
}
