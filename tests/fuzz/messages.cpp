// The bytes as what comes through the pipe between a window and an engine, in pieces of any size. What can be decoded
// is encoded again, and that is the same message.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/remote/wire.h"
#include "tests/fuzz/insist.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace streamscope;
  remote::FrameReader reader;
  std::span<const std::uint8_t> left(data, size);
  while (!left.empty()) {
    const std::size_t piece = std::min<std::size_t>(left.size(), 1 + left.front() % 64u);
    reader.feed(left.first(piece));
    left = left.subspan(piece);
    for (;;) {
      const auto message = reader.next();
      if (!message) {
        fuzz::insist(!message.error().message.empty());
        return 0;
      }
      if (!*message) break;
      const std::vector<std::uint8_t> bytes = remote::encode(**message);
      const auto again = remote::decode(std::span(bytes).subspan(4));
      fuzz::insist(again.has_value() && remote::encode(*again) == bytes);
    }
  }
  static_cast<void>(reader.finish());
  return 0;
}
