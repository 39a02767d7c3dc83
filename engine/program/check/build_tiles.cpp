// `tiles`: its options, and which of them exclude each other.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "engine/program/check/operation_builder.h"
#include "engine/program/syntax/grammar.h"
#include "engine/program/tile_memory.h"

namespace streamscope::program {
namespace {

constexpr std::int64_t kWarp = 32;

}  // namespace

const syntax::Option* OperationBuilder::given(std::string_view key) const {
  const auto at = std::find_if(statement_.options.begin(), statement_.options.end(),
                               [&](const syntax::Option& one) { return one.key == key; });
  return at == statement_.options.end() ? nullptr : &*at;
}

bool OperationBuilder::wrong_option(std::string_view key, const std::string& message) {
  const syntax::Option* option = given(key);
  expansion_.diagnostics.error(option != nullptr ? option->location : statement_.location,
                               message + expansion_.scope.values());
  return false;
}

bool OperationBuilder::options_agree(const op::Tiles& tiles) {
  const std::string_view copy = program::name(tiles.copy);
  if (tiles.copy == TileCopy::sync && tiles.stages != 1) {
    return wrong_option(
        "stages",
        "copy=sync has one stage: a copy through registers is over before the work begins; write stages=1, "
        "or another copy such as cp.async");
  }
  if (tiles.align != 4 && tiles.align != 16 && tiles.align != 128) {
    return wrong_option("align", fmt::format("'align' is 4, 16 or 128 bytes, not {}", tiles.align));
  }
  if (given("bytes") != nullptr && !has_copy_bytes(tiles.copy)) {
    return wrong_option("bytes",
                        fmt::format("copy={} chooses the width of its copies by 'align'; leave 'bytes' out", copy));
  }
  if (tiles.copy_bytes != 4 && tiles.copy_bytes != 8 && tiles.copy_bytes != 16) {
    return wrong_option("bytes", fmt::format("one thread copies 4, 8 or 16 bytes at a time, not {}", tiles.copy_bytes));
  }
  if (has_copy_bytes(tiles.copy) && tiles.copy_bytes > tiles.align) {
    return wrong_option(given("bytes") != nullptr ? "bytes" : "align",
                        fmt::format("copies of {} bytes need data aligned to as much; write bytes={} or align=16",
                                    tiles.copy_bytes, tiles.align));
  }
  if (tiles.copy == TileCopy::bulk && tiles.align < 16) {
    return wrong_option("align", "copy=bulk needs data aligned to 16 bytes; write align=16");
  }
  if (tiles.through_l1 && (tiles.copy != TileCopy::cp_async || tiles.copy_bytes != 16)) {
    return wrong_option("l1",
                        "'l1' is a choice for copy=cp.async with bytes=16: smaller copies always go through the L1 "
                        "cache, and other ways have no say in it; leave it out");
  }
  if (given("diverge") != nullptr && !can_diverge(tiles.copy)) {
    return wrong_option("diverge",
                        fmt::format("with copy={} no thread commits for itself, so there is nothing to diverge "
                                    "at; leave it out",
                                    copy));
  }
  if (tiles.copy == TileCopy::specialised) {
    if (tiles.threads % kWarp != 0 || tiles.threads < 2 * kWarp) {
      return wrong_option("threads",
                          fmt::format("copy={} needs two whole warps or more: a multiple of 32 threads, 64 at "
                                      "least, not {}",
                                      copy, tiles.threads));
    }
    if (tiles.producers >= tiles.threads / kWarp) {
      return wrong_option("producers", fmt::format("a block of {} threads has {} warps, and one at least must work: "
                                                   "'producers' is {} at most",
                                                   tiles.threads, tiles.threads / kWarp, tiles.threads / kWarp - 1));
    }
  } else if (given("producers") != nullptr) {
    return wrong_option("producers", "'producers' is for copy=warp-specialised only; leave it out");
  }
  if (given("per-sm") != nullptr && given("blocks") != nullptr) {
    return wrong_option("blocks", "'per-sm' and 'blocks' both say how many blocks there are; keep one");
  }
  const std::uint32_t unit = std::max<std::uint32_t>(16, tiles.align);
  if (tiles.tile_bytes % unit != 0) {
    const std::uint32_t less = tiles.tile_bytes / unit * unit, more = less + unit;
    return wrong_option(
        "tile", fmt::format("a tile is a multiple of {} bytes, found {}; write {}", unit, tiles.tile_bytes,
                            less == 0                                       ? fmt::format("{}", more)
                            : tile_shared_bytes(1, more) > kMostSharedBytes ? fmt::format("{}", less)
                                                                            : fmt::format("{} or {}", less, more)));
  }
  const std::uint64_t needed = tile_shared_bytes(tiles.stages, tiles.tile_bytes);
  if (needed > kMostSharedBytes) {
    const std::uint32_t fit = stages_that_fit(tiles.stages, tiles.tile_bytes, kMostSharedBytes);
    return wrong_option(
        given("stages") != nullptr && fit > 0 ? "stages" : "tile",
        fmt::format("{} stages of {} bytes take {} bytes of shared memory, and no device has more than {} for "
                    "a block: {}",
                    tiles.stages, tiles.tile_bytes, needed, kMostSharedBytes,
                    fit > 0 ? fmt::format("{} fit; write stages={}", fit, fit) : "not one fits; write a smaller tile"));
  }
  return true;
}

OperationBuilder::Built OperationBuilder::tiles() {
  const auto range = this->range(range_text(0), Side::device);
  op::Tiles tiles;
  if (const syntax::Option* copy = given("copy")) {
    const std::string& word = std::get<syntax::Word>(*copy->value).text;
    const auto at = std::find(std::begin(grammar::kTileCopy), std::end(grammar::kTileCopy), word);
    tiles.copy = static_cast<TileCopy>(at - std::begin(grammar::kTileCopy));
  }
  const auto fma = option("fma", 1, std::numeric_limits<std::int32_t>::max(), 1, "'fma' (multiply-adds per element)");
  const auto stages = option("stages", 1, kMostTileStages, tiles.copy == TileCopy::sync ? 1 : 2,
                             "'stages' (tiles in shared memory at once)");
  const auto tile = option("tile", 16, static_cast<std::int64_t>(kMostSharedBytes), 16 << 10, "'tile' (bytes)");
  const auto align = option("align", 4, 128, 16, "'align' (bytes that the data is aligned to: 4, 16 or 128)");
  const auto bytes =
      option("bytes", 4, 16, align && *align == 4 ? 4 : 16, "'bytes' (of one thread's copy: 4, 8 or 16)");
  const auto diverge = option("diverge", 1, kWarp, 1, "'diverge' (parts in which a warp commits)");
  const auto threads = this->threads(256);
  const auto producers = option("producers", 1, 31, threads ? std::max<std::int64_t>(1, *threads / kWarp / 4) : 1,
                                "'producers' (warps that copy)");
  const auto blocks_per_sm = option("per-sm", 1, 32, 1, "'per-sm' (blocks of each multiprocessor)");
  const auto blocks = this->blocks(0);
  if (!range || !fma || !stages || !tile || !align || !bytes || !diverge || !threads || !producers || !blocks_per_sm ||
      !blocks) {
    return std::nullopt;
  }
  tiles.range = *range;
  tiles.fma = *fma;
  tiles.blocks = *blocks;
  tiles.tile_bytes = *tile;
  tiles.threads = static_cast<std::uint16_t>(*threads);
  tiles.stages = static_cast<std::uint8_t>(*stages);
  tiles.blocks_per_sm = static_cast<std::uint8_t>(*blocks_per_sm);
  tiles.copy_bytes = static_cast<std::uint8_t>(*bytes);
  tiles.align = static_cast<std::uint8_t>(*align);
  tiles.diverge = static_cast<std::uint8_t>(*diverge);
  tiles.producers = static_cast<std::uint8_t>(*producers);
  tiles.through_l1 = given("l1") != nullptr;
  if (!options_agree(tiles)) return std::nullopt;
  if (!whole_floats("tiles", *range)) return std::nullopt;
  if (tiles.range.offset % tiles.align != 0) {
    const std::uint64_t less = tiles.range.offset / tiles.align * tiles.align;
    expansion_.scope.error(
        range_text(0).buffer,
        fmt::format("align={} takes data for granted that begin at a multiple of so many bytes, and the offset is {}; "
                    "write {} or {}{}",
                    tiles.align, tiles.range.offset, less, less + tiles.align,
                    tiles.copy == TileCopy::bulk ? "" : ", or align=4"));
    return std::nullopt;
  }
  return tiles;
}

}  // namespace streamscope::program
