#include "engine/device/cuda/verify/tolerance_ranges.h"

#include <algorithm>
#include <cmath>

#include "engine/device/cuda/verify/pattern_data.h"
#include "kernels/attention/reference.h"

namespace streamscope::cuda {
namespace {

// All NaNs are equal.
bool close(float found, float expected, double tolerance) {
  if (std::isnan(expected)) return std::isnan(found);
  if (std::isinf(expected)) return found == expected;
  return std::abs(static_cast<double>(found) - expected) <= tolerance * std::abs(static_cast<double>(expected));
}

// A part may begin or end within an element; such fragments are compared of integers only.
std::optional<std::uint64_t> first_beyond(const char* found, const char* expected, std::uint64_t from, std::uint64_t to,
                                          const RoughPart& part) {
  if (part.precision.integers) {
    const auto wrong = static_cast<std::uint64_t>(std::mismatch(found, found + (to - from), expected).first - found);
    if (wrong == to - from) return std::nullopt;
    return std::max(from, from + wrong - (from + wrong - part.begin) % 4);
  }
  const bool bf16 = part.precision.bf16;
  const std::uint64_t size = bf16 ? 2 : 4;
  for (std::uint64_t i = (from + size - 1) / size * size; i + size <= to; i += size) {
    const auto value = [&](const char* data) { return kernels::element(data + (i - from), bf16, 0); };
    if (!close(value(found), value(expected), part.precision.tolerance)) return i;
  }
  return std::nullopt;
}

}  // namespace

void RoughData::add(Side side, const program::Range& range, const kernels::Precision& precision) {
  if (range.bytes == 0) return;
  clear(side, range);
  auto& all = parts_[{range.buffer.value, side}];
  const RoughPart part{range.offset, range.offset + range.bytes, precision};
  all.insert(std::lower_bound(all.begin(), all.end(), part,
                              [](const RoughPart& a, const RoughPart& b) { return a.begin < b.begin; }),
             part);
}

void RoughData::clear(Side side, const program::Range& range) {
  const auto found = parts_.find({range.buffer.value, side});
  if (found == parts_.end() || range.bytes == 0) return;
  const std::uint64_t begin = range.offset, end = range.offset + range.bytes;
  std::vector<RoughPart> left;
  for (const RoughPart& part : found->second) {
    if (part.begin < std::min(part.end, begin)) left.push_back({part.begin, std::min(part.end, begin), part.precision});
    if (std::max(part.begin, end) < part.end) left.push_back({std::max(part.begin, end), part.end, part.precision});
  }
  found->second = std::move(left);
}

void RoughData::copy(Side from_side, const program::Range& from, Side to_side, const program::Range& to) {
  std::vector<RoughPart> moved;
  for (const RoughPart& part : parts(from_side, from.buffer)) {
    const std::uint64_t begin = std::max(part.begin, from.offset), end = std::min(part.end, from.offset + from.bytes);
    if (begin < end) moved.push_back({begin - from.offset + to.offset, end - from.offset + to.offset, part.precision});
  }
  clear(to_side, to);
  for (const RoughPart& part : moved) add(to_side, {to.buffer, part.begin, part.end - part.begin}, part.precision);
}

bool RoughData::touches(Side side, const program::Range& range) const {
  const auto& all = parts(side, range.buffer);
  return std::any_of(all.begin(), all.end(), [&](const RoughPart& part) {
    return !part.precision.integers && part.begin < range.offset + range.bytes && range.offset < part.end;
  });
}

const std::vector<RoughPart>& RoughData::parts(Side side, BufferId buffer) const {
  static const std::vector<RoughPart> kNone;
  const auto found = parts_.find({buffer.value, side});
  return found == parts_.end() ? kNone : found->second;
}

std::optional<std::uint64_t> first_wrong(const char* found, const char* expected, std::uint64_t at, std::uint64_t bytes,
                                         const std::vector<RoughPart>& parts) {
  const std::uint64_t end = at + bytes;
  std::uint64_t from = at;
  const auto exact_up_to = [&](std::uint64_t to) -> std::optional<std::uint64_t> {
    if (to <= from) return std::nullopt;
    const auto wrong = first_difference(found + (from - at), expected + (from - at), to - from);
    return wrong ? std::optional(from + *wrong) : std::nullopt;
  };
  for (const RoughPart& part : parts) {
    const std::uint64_t begin = std::clamp(part.begin, from, end), stop = std::clamp(part.end, from, end);
    if (begin >= stop) continue;
    if (const auto wrong = exact_up_to(begin)) return wrong;
    if (const auto wrong = first_beyond(found + (begin - at), expected + (begin - at), begin, stop, part)) return wrong;
    from = stop;
  }
  return exact_up_to(end);
}

}  // namespace streamscope::cuda
