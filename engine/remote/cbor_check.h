// The shape of a message's CBOR, looked over before anything is made of it.
//
// A general CBOR reader recurses into whatever nests and believes whatever count it reads. So the bytes are walked once
// without recursion and without allocation; what passes is small in depth and number, complete, and holds only what
// messages are made of: maps with text keys, arrays, text, integers, floats, true, false, null.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/base/result.h"

namespace streamscope::remote {

inline constexpr std::size_t kCborDepth = 10;
inline constexpr std::size_t kCborValues = 4u << 20;

Result<void> check_cbor(std::span<const std::uint8_t> body);

}  // namespace streamscope::remote
