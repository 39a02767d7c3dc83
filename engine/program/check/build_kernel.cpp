#include <fmt/format.h>

#include <limits>

#include "engine/program/check/operation_builder.h"
#include "engine/program/tile_memory.h"

namespace streamscope::program {
namespace {

constexpr std::int64_t kMaximumThreads = 1024;
constexpr std::int64_t kMaximumBlocks = 2'147'483'647;
constexpr std::uint64_t kFloatBytes = 4;

}  // namespace

// The option's value, or its default where it is not given; nothing after an error.
std::optional<std::uint32_t> OperationBuilder::option(std::string_view key, std::int64_t least, std::int64_t most,
                                                      std::int64_t absent, std::string_view what) {
  for (const syntax::Option& one : statement_.options) {
    if (one.key != key) continue;
    const auto value = within(expansion_, std::get<syntax::Number>(*one.value), what, least, most);
    if (!value) return std::nullopt;
    return static_cast<std::uint32_t>(*value);
  }
  return static_cast<std::uint32_t>(absent);
}

std::optional<std::uint32_t> OperationBuilder::threads(std::int64_t absent) {
  return option("threads", 1, kMaximumThreads, absent, "'threads' (in a block)");
}
std::optional<std::uint32_t> OperationBuilder::blocks(std::int64_t absent) {
  return option("blocks", 1, kMaximumBlocks, absent, "'blocks' (in the grid)");
}

OperationBuilder::Built OperationBuilder::spin() {
  const auto duration = lasts(number(0));
  const auto blocks = this->blocks(1);
  const auto threads = this->threads(128);
  const auto shared =
      option("smem", 0, static_cast<std::int64_t>(kMostSharedBytes), 0,
             "'smem' (shared memory of a block in bytes; 227KiB is the most that any device has, many have less)");
  if (!duration || !blocks || !threads || !shared) return std::nullopt;
  return op::Spin{*duration, *blocks, *threads, *shared};
}

bool OperationBuilder::whole_floats(std::string_view kernel, const Range& range) {
  const bool offset = range.offset % kFloatBytes != 0;
  if (!offset && range.bytes % kFloatBytes == 0) return true;
  const std::uint64_t found = offset ? range.offset : range.bytes;
  expansion_.scope.error(
      range_text(0).buffer,
      fmt::format("{} works on float32: the {} must be a multiple of 4 bytes, found {}; write {} or {}", kernel,
                  offset ? "offset" : "length", found, found / kFloatBytes * kFloatBytes,
                  (found / kFloatBytes + 1) * kFloatBytes));
  return false;
}

OperationBuilder::Built OperationBuilder::axpb() {
  const auto range = this->range(range_text(0), Side::device);
  const auto fma = option("fma", 1, std::numeric_limits<std::int32_t>::max(), 1, "'fma' (multiply-adds per element)");
  const auto blocks = this->blocks(0);
  const auto threads = this->threads(256);
  if (!range || !fma || !blocks || !threads) return std::nullopt;
  if (!whole_floats("axpb", *range)) return std::nullopt;
  return op::Axpb{*range, *fma, *blocks, *threads};
}

}  // namespace streamscope::program
