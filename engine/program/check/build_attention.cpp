// `attention`: heads and rows must fill the range.
#include <fmt/format.h>

#include <algorithm>

#include "engine/program/check/operation_builder.h"
#include "engine/program/syntax/grammar.h"

namespace streamscope::program {
namespace {

constexpr std::int64_t kMostHeads = 65'535;
constexpr std::uint64_t kMostRows = 1 << 24;
constexpr std::uint64_t kMatrices = 4;  // Q, K, V and O
constexpr std::uint64_t kAlign = 16;    // bytes: of one thread's copy

}  // namespace

OperationBuilder::Built OperationBuilder::attention() {
  const auto range = this->range(range_text(0), Side::device);
  op::Attention one;
  if (const syntax::Option* type = given("type")) {
    one.bf16 = std::get<syntax::Word>(*type->value).text == grammar::kFloatType[1];
  }
  const auto heads = option("heads", 1, kMostHeads, 1, "'heads' (of the batch, all together)");
  const auto head = option("head", 64, 128, 64, "'head' (elements of a row: 64 or 128)");
  const auto buffers = option("buffers", 1, 2, 2, "'buffers' (places for a tile of K and of V: 2 is double buffering)");
  if (!range || !heads || !head || !buffers) return std::nullopt;
  if (*head != 64 && *head != 128) {
    wrong_option("head", fmt::format("'head' is 64 or 128 elements, not {}", *head));
    return std::nullopt;
  }
  one.range = *range;
  one.heads = *heads;
  one.head = static_cast<std::uint8_t>(*head);
  one.buffers = static_cast<std::uint8_t>(*buffers);
  const std::uint64_t row = kMatrices * one.heads * one.head * (one.bf16 ? 2 : 4);  // one of each matrix and head
  if (range->bytes % row != 0 || range->bytes / row > kMostRows) {
    const std::uint64_t less = std::min(range->bytes / row, kMostRows) * row;
    expansion_.scope.error(
        range_text(0).buffer,
        fmt::format("the range holds Q, K, V and O, and one row of each for every head is {} bytes: its "
                    "length must be a multiple of that, at most {} rows; found {}, write {}",
                    row, kMostRows, range->bytes,
                    less == 0                         ? fmt::format("{}", row)
                    : range->bytes / row >= kMostRows ? fmt::format("{}", less)
                                                      : fmt::format("{} or {}", less, less + row)));
    return std::nullopt;
  }
  if (range->offset % kAlign != 0) {
    const std::uint64_t less = range->offset / kAlign * kAlign;
    expansion_.scope.error(range_text(0).buffer,
                           fmt::format("attention copies 16 bytes at a time: the offset must be a "
                                       "multiple of 16, found {}; write {} or {}",
                                       range->offset, less, less + kAlign));
    return std::nullopt;
  }
  return one;
}

}  // namespace streamscope::program
