#include <fmt/core.h>

#include <algorithm>

#include "engine/base/translate.h"
#include "engine/remote/wire.h"

namespace streamscope::remote {
namespace {

constexpr std::size_t kHead = 4;

// The usual stranger on the line is text: a greeting, an error of a shell. Then the text itself says most.
std::string seen(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes.first(std::min<std::size_t>(bytes.size(), 60))) {
    if (byte == '\n' || byte == '\r' || byte == '\t') {
      if (!text.empty()) text += ' ';
    } else if (byte >= 0x20 && byte < 0x7F) {
      text += static_cast<char>(byte);
    } else {
      return {};
    }
  }
  return text;
}

}  // namespace

void FrameReader::feed(std::span<const std::uint8_t> bytes) {
  if (broken_) return;
  if (read_ > 0) {
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(read_));
    read_ = 0;
  }
  pending_.insert(pending_.end(), bytes.begin(), bytes.end());
}

Result<std::optional<Message>> FrameReader::next() {
  if (broken_) return fail(*broken_);
  const auto left = std::span<const std::uint8_t>(pending_).subspan(read_);
  if (left.size() < kHead) return std::optional<Message>();
  std::uint32_t length = 0;
  for (std::size_t i = 0; i < kHead; ++i) length |= static_cast<std::uint32_t>(left[i]) << (8 * i);
  const auto end = [&](Error why) {
    broken_ = std::move(why);
    pending_ = {};
    return fail(*broken_);
  };
  if (length == 0 || length > kMaximumFrame) {
    const std::string text = seen(left);
    return end({ErrorKind::bad_input,
                text.empty() ? tr("A message of {} bytes is announced; 1 to {} are allowed.", length, kMaximumFrame)
                             : tr("Text came where a message should be: \"{}\".", text)});
  }
  if (left.size() - kHead < length) return std::optional<Message>();
  Result<Message> message = decode(left.subspan(kHead, length));
  if (!message) return end(std::move(message).error());
  read_ += kHead + length;
  return std::optional<Message>(std::move(*message));
}

Result<void> FrameReader::finish() const {
  if (broken_) return fail(*broken_);
  if (read_ == pending_.size()) return {};
  return fail(ErrorKind::bad_input,
              tr("The connection ended within a message, after {} bytes of it.", pending_.size() - read_));
}

}  // namespace streamscope::remote
