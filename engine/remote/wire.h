// Messages as bytes and back. Bounded: a frame larger than kMaximumFrame is refused before anything is allocated for
// it, and a body is walked over once (cbor_check.h) before a value is made of it. Nothing that comes in can crash or
// throw.
//
// A message is a map with its name under "type" and its members by name; those nobody knows are passed over. One of
// these ends each frame with a newline: what carries an engine's output from another machine may do so by whole lines,
// as srun does, and keep the rest until more comes. Spans are packed by column, one array for each member of Span. Text
// that is not UTF-8 comes out with U+FFFD in place of each wrong byte.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/remote/message.h"

namespace streamscope::remote {

inline constexpr std::uint32_t kMaximumFrame = 64u << 20;
inline constexpr std::size_t kSpansPerMessage = 8192;
inline constexpr std::size_t kMaximumText = 16u << 20;  // bytes of one text: a program, an error

// The whole frame, length included. A frame over 4 + kMaximumFrame bytes, or with a text over kMaximumText, will be
// refused at the other end: who sends unbounded things looks first.
std::vector<std::uint8_t> encode(const Message& message);
// One frame's CBOR, without the length. Errors: not CBOR, truncated, an unknown or malformed message.
Result<Message> decode(std::span<const std::uint8_t> body);

// Takes bytes as they come and gives whole messages. After an error it stays in error: the stream cannot be trusted.
class FrameReader {
 public:
  void feed(std::span<const std::uint8_t> bytes);
  // A message, nothing yet, or the error.
  Result<std::optional<Message>> next();
  // To be asked at the end of the stream: an error where it ended within a frame.
  Result<void> finish() const;

 private:
  std::vector<std::uint8_t> pending_;
  std::size_t read_ = 0;
  std::optional<Error> broken_;
};

}  // namespace streamscope::remote
