#include "engine/remote/cbor_check.h"

#include <fmt/core.h>

#include <array>
#include <string_view>

#include "engine/base/translate.h"
#include "engine/remote/wire.h"

namespace streamscope::remote {
namespace {

// Major types and simple values of RFC 8949, section 3.
enum Major : unsigned { kUnsigned, kNegative, kBytes, kText, kArray, kMap, kTag, kSimple };
constexpr unsigned kFalse = 20, kTrue = 21, kNull = 22, kFloat32 = 26, kFloat64 = 27;

struct Level {
  std::uint64_t left = 0;  // items to come; in a map a key and its value are two
  bool map = false;
};

class Walk {
 public:
  explicit Walk(std::span<const std::uint8_t> body) : body_(body) {}

  Result<void> all() {
    levels_[0] = Level{1, false};
    depth_ = 1;
    while (depth_ > 0) {
      if (levels_[depth_ - 1].left == 0) {
        --depth_;
        continue;
      }
      TRY(one());
    }
    if (at_ != body_.size()) return wrong(tr("bytes follow the message"));
    return {};
  }

 private:
  Result<void> one() {
    Level& level = levels_[depth_ - 1];
    const bool key = level.map && level.left % 2 == 0;
    --level.left;
    if (++values_ > kCborValues) return wrong(tr("too many values"));
    if (left() == 0) return wrong(tr("it ends too early"));
    const unsigned head = body_[at_++];
    const unsigned major = head >> 5, info = head & 31u;
    if (key && major != kText) return wrong(tr("a key is no text"));
    if (info > 27) return wrong(tr("a length is left open"));
    std::uint64_t argument = info;
    if (info >= 24) {
      const std::size_t bytes = std::size_t{1} << (info - 24);
      if (left() < bytes) return wrong(tr("it ends too early"));
      argument = 0;
      for (std::size_t i = 0; i < bytes; ++i) argument = argument << 8 | body_[at_++];
    }
    switch (major) {
      case kUnsigned:
      case kNegative: return {};
      case kText: return text(argument);
      case kArray: return enter(argument, 1);
      case kMap: return enter(argument, 2);
      case kSimple:
        if (info == kFalse || info == kTrue || info == kNull || info == kFloat32 || info == kFloat64) return {};
        break;
      default: break;
    }
    return wrong(tr("a kind of value that no message has"));
  }

  Result<void> text(std::uint64_t length) {
    if (length > left()) return wrong(tr("it ends too early"));
    if (length > kMaximumText) return wrong(tr("a text is too long"));
    at_ += static_cast<std::size_t>(length);
    return {};
  }

  // Each item takes a byte at least, so a count beyond the bytes left is a lie.
  Result<void> enter(std::uint64_t count, std::uint64_t items_each) {
    if (count > left() / items_each) return wrong(tr("it ends too early"));
    if (depth_ == levels_.size()) return wrong(tr("it nests too deep"));
    levels_[depth_++] = Level{count * items_each, items_each == 2};
    return {};
  }

  std::size_t left() const { return body_.size() - at_; }
  tl::unexpected<Error> wrong(std::string_view what) const {
    return fail(ErrorKind::bad_input,
                tr("A message of {} bytes is malformed at byte {}: {}.", body_.size(), at_, what));
  }

  std::span<const std::uint8_t> body_;
  std::size_t at_ = 0, values_ = 0, depth_ = 0;
  std::array<Level, kCborDepth> levels_;
};

}  // namespace

Result<void> check_cbor(std::span<const std::uint8_t> body) { return Walk(body).all(); }

}  // namespace streamscope::remote
