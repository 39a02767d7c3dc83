// Messages as bytes and back. Bounded: a frame larger than kMaximumFrame is refused before anything is allocated for it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/remote/message.h"

namespace streamscope {

inline constexpr std::uint32_t kMaximumFrame = 64u << 20;
inline constexpr std::size_t kSpansPerMessage = 8192;

// The whole frame, length included.
std::vector<std::uint8_t> encode(const Message& message);
// One frame's CBOR, without the length. Errors: not CBOR, truncated, an unknown or malformed message.
Result<Message> decode(std::span<const std::uint8_t> body);

// Takes bytes as they come and gives whole messages. After an error it stays in error: the stream cannot be trusted.
class FrameReader {
 public:
  void feed(std::span<const std::uint8_t> bytes);
  // A message, nothing yet, or the error.
  Result<std::optional<Message>> next();

 private:
  std::vector<std::uint8_t> pending_;
  std::size_t read_ = 0;
  std::optional<Error> broken_;
};

}  // namespace streamscope
