#include "kernels/tiles/tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "kernels/axpb/chains_reference.h"
#include "kernels/option_values.h"
#include "kernels/textbook.h"
#include "kernels/tiles/pipeline_time.h"

namespace streamscope::kernels {
namespace {

constexpr std::array<std::string_view, kTileCopies> kCopies{"sync",    "cp.async", "primitives",       "cg",
                                                            "barrier", "pipeline", "warp-specialised", "bulk"};
constexpr std::array<std::string_view, kTileCopies> kCopiesShown{tr_later("through registers"),
                                                                 "cp.async",
                                                                 tr_later("pipeline primitives"),
                                                                 tr_later("cooperative groups"),
                                                                 "cuda::barrier",
                                                                 "cuda::pipeline",
                                                                 "warp-specialised",
                                                                 "cp.async.bulk"};
constexpr std::array<std::int64_t, 12> kOfferedTiles{1 << 10,  2 << 10,  4 << 10,  8 << 10,  12 << 10, 16 << 10,
                                                     24 << 10, 32 << 10, 48 << 10, 64 << 10, 96 << 10, 112 << 10};
constexpr std::array<std::int64_t, 3> kWidths{4, 8, 16}, kAligns{4, 16, 128};
constexpr std::array<std::int64_t, 6> kOfferedParts{1, 2, 4, 8, 16, 32};
constexpr std::array<std::int64_t, 8> kOfferedPerSm{1, 2, 3, 4, 5, 6, 7, 8};

constexpr std::array<Option, 12> kOptions{{
    fma_option(),
    {.key = "copy",
     .kind = OptionKind::choice,
     .most = kTileCopies - 1,
     .standard = 1,
     .example = "cp.async",
     .meaning = tr_later("how a tile gets into shared memory"),
     .label = tr_later("Tile copy"),
     .help =
         tr_later("How a tile gets from global into shared memory: through registers, or by one of CUDA's asynchronous "
                  "copies."),
     .words = kCopies,
     .shown = kCopiesShown,
     .always = true},
    {.key = "stages",
     .least = 1,
     .most = kMostStages,
     .standard = 2,
     .example = "3",
     .meaning = tr_later("tiles in shared memory at once"),
     .label = tr_later("Stages"),
     .help = tr_later("Tiles in shared memory at once. While a block works on one, the others are being copied."),
     .always = true},
    {.key = "tile",
     .kind = OptionKind::bytes,
     .least = 16,
     .most = kMostSharedBytes,
     .standard = 16 << 10,
     .example = "16KiB",
     .meaning = tr_later("bytes"),
     .label = tr_later("Tile"),
     .help = tr_later("The size of a tile. All stages must fit into the shared memory of a block."),
     .offered = kOfferedTiles,
     .always = true},
    {.key = "bytes",
     .least = 4,
     .most = 16,
     .standard = 16,
     .example = "16",
     .meaning = tr_later("of one thread's copy: 4, 8 or 16"),
     .label = tr_later("Copy size"),
     .help = tr_later("What one thread copies at a time: 4, 8 or 16 bytes, no more than the alignment."),
     .unit = "B",
     .few = kWidths},
    {.key = "l1",
     .kind = OptionKind::flag,
     .most = 1,
     .meaning = tr_later("copies go through the L1 cache"),
     .label = tr_later("L1 cache"),
     .help = tr_later("Whether asynchronous copies of 16 bytes go through the L1 cache (cp.async.ca) or past it "
                      "(cp.async.cg). Smaller "
                      "ones always go through."),
     .priced_as = PricedAs{1, "l1", tr_later("copies past the L1 cache")}},
    {.key = "align",
     .least = 4,
     .most = 128,
     .standard = 16,
     .example = "128",
     .meaning = tr_later("bytes that the data is aligned to: 4, 16 or 128"),
     .label = tr_later("Alignment"),
     .help = tr_later(
         "Bytes to which the kernel may assume that the data is aligned. With 4 copies are small and none of them is a "
         "bulk copy, which is what the CUDA C++ Programming Guide warns of."),
     .unit = "B",
     .few = kAligns,
     .priced_as = PricedAs{128, "align=128", "align=16"}},
    {.key = "diverge",
     .least = 1,
     .most = kWarp,
     .standard = 1,
     .example = "2",
     .meaning = tr_later("parts in which a warp commits"),
     .label = tr_later("Divergence"),
     .help = tr_later("In so many parts a warp commits its asynchronous copies, as one does that has diverged: its "
                      "groups of copies are "
                      "then entangled."),
     .unit = tr_later("parts"),
     .offered = kOfferedParts},
    {.key = "producers",
     .least = 1,
     .most = kWarp - 1,
     .standard = 1,
     .experiment = 0,
     .example = "2",
     .meaning = tr_later("warps that copy"),
     .label = tr_later("Producers"),
     .help = tr_later("Warps that only copy; the others only work. Left out, a quarter of the warps."),
     .unit = tr_later("warps"),
     .automatic = tr_later("a quarter")},
    {.key = "per-sm",
     .least = 1,
     .most = 32,
     .standard = 1,
     .example = "1",
     .meaning = tr_later("blocks of each multiprocessor"),
     .label = tr_later("Per SM"),
     .help = tr_later("Blocks for each multiprocessor: one block can work while another waits."),
     .unit = tr_later("blocks"),
     .offered = kOfferedPerSm},
    blocks_option(0, tr_later("as Per SM says")),
    threads_option(256),
}};
enum : std::size_t {
  kFma,
  kCopy,
  kStages,
  kTile,
  kBytes,
  kL1,
  kAlign,
  kDiverge,
  kProducers,
  kPerSm,
  kBlocks,
  kThreads
};
constexpr std::int64_t kNotPossible = 0;  // of options that the others rule out, so that writing them is an error

TileCopy copy_of(const Values& values) { return static_cast<TileCopy>(values[kCopy]); }
// The bytes that each thread copies at a time can be chosen.
bool has_copy_bytes(TileCopy copy) { return can_diverge(copy) || copy == TileCopy::specialised; }

std::int64_t stages_that_fit(std::int64_t stages, std::int64_t tile_bytes, std::uint64_t shared_bytes) {
  const auto tile = static_cast<std::uint32_t>(tile_bytes);
  while (stages > 0 && tiles_shared_bytes(static_cast<std::uint32_t>(stages), tile) > shared_bytes) --stages;
  return stages;
}

struct TilesKernel final : Kernel {
  TilesKernel() {
    word = "tiles";
    meaning = tr_later("the work of axpb, tile by tile through shared memory, with a copy pipeline inside the kernel");
    usage = "tiles x[0:64MiB] fma=32 copy=cp.async stages=3 tile=16KiB";
    operands = Operands::in_place;
    options = kOptions;
  }

  std::int64_t standard(const Values& values, std::size_t option) const override {
    const TileCopy copy = copy_of(values);
    switch (option) {
      case kStages: return copy == TileCopy::sync ? 1 : kOptions[kStages].standard;
      case kBytes: return !has_copy_bytes(copy) ? kNotPossible : values[kAlign] == 4 ? 4 : 16;
      case kDiverge: return can_diverge(copy) ? 1 : kNotPossible;
      case kProducers:
        return copy == TileCopy::specialised ? std::max<std::int64_t>(1, values[kThreads] / kWarp / 4) : kNotPossible;
      case kPerSm: return values[kBlocks] == 0 ? 1 : kNotPossible;
      default: return kOptions[option].standard;
    }
  }

  std::string no_effect(const Values& values, std::size_t option) const override {
    const TileCopy copy = copy_of(values);
    const std::string_view word_of_copy = kCopies[static_cast<std::size_t>(copy)];
    switch (option) {
      case kStages:
        if (copy != TileCopy::sync) return {};
        return tr(
            "copy=sync has one stage: a copy through registers is over before the work begins; write another copy, "
            "such as cp.async");
      case kBytes:
        if (has_copy_bytes(copy)) return {};
        return tr("copy={} chooses the width of its copies by 'align'; write copy=cp.async", word_of_copy);
      case kL1:
        if (copy == TileCopy::cp_async && values[kBytes] == 16 && values[kAlign] >= 16) return {};
        return tr(
            "only copy=cp.async with bytes=16 has the choice: smaller copies always go through the L1 cache, and "
            "other ways have no say in it");
      case kDiverge:
        if (can_diverge(copy)) return {};
        return tr(
            "with copy={} no thread commits for itself, so there is nothing to diverge at; write "
            "copy=cp.async",
            word_of_copy);
      case kProducers:
        if (copy == TileCopy::specialised) return {};
        return tr("only copy=warp-specialised has warps that only copy");
      case kPerSm:
        if (values[kBlocks] == 0) return {};
        return tr("'blocks' says how many blocks there are");
      default: return {};
    }
  }

  // Copies are no wider than the alignment.
  void settle(Values& values) const override {
    if (copy_of(values) == TileCopy::sync) values[kStages] = 1;
    values[kBytes] = std::min(values[kBytes], std::max<std::int64_t>(4, std::min<std::int64_t>(16, values[kAlign])));
  }

  std::optional<Problem> check(const Values& values) const override {
    const TileCopy copy = copy_of(values);
    if (copy == TileCopy::sync && values[kStages] != 1) {
      return Problem{kStages,
                     tr("copy=sync has one stage: a copy through registers is over before the work begins; write "
                        "stages=1, or another copy such as cp.async")};
    }
    if (has_copy_bytes(copy) && values[kBytes] > values[kAlign]) {
      return Problem{kBytes, tr("copies of {} bytes need data aligned to as much; write bytes={} or align=16",
                                values[kBytes], values[kAlign])};
    }
    if (copy == TileCopy::bulk && values[kAlign] < 16) {
      return Problem{kAlign, tr("copy=bulk needs data aligned to 16 bytes; write align=16")};
    }
    if (copy == TileCopy::specialised) {
      if (values[kThreads] % kWarp != 0 || values[kThreads] < 2 * kWarp) {
        return Problem{kThreads, tr("copy=warp-specialised needs two whole warps or more: a multiple of 32 threads, 64 "
                                    "at least, not {}",
                                    values[kThreads])};
      }
      if (values[kProducers] >= values[kThreads] / kWarp) {
        return Problem{kProducers, tr("a block of {} threads has {} warps, and one at least must work: "
                                      "'producers' is {} at most",
                                      values[kThreads], values[kThreads] / kWarp, values[kThreads] / kWarp - 1)};
      }
    }
    const std::int64_t unit = std::max<std::int64_t>(16, values[kAlign]);
    if (values[kTile] % unit != 0 || values[kTile] < unit) {
      const std::int64_t less = values[kTile] / unit * unit, more = less + unit;
      const bool too_much = tiles_shared_bytes(1, static_cast<std::uint32_t>(more)) > kMostSharedBytes;
      return Problem{kTile, tr("a tile is a multiple of {} bytes, found {}; write {}", unit, values[kTile],
                               less == 0  ? fmt::format("{}", more)
                               : too_much ? fmt::format("{}", less)
                                          : tr("{} or {}", less, more))};
    }
    const std::uint64_t needed =
        tiles_shared_bytes(static_cast<std::uint32_t>(values[kStages]), static_cast<std::uint32_t>(values[kTile]));
    if (needed <= kMostSharedBytes) return {};
    const std::int64_t fit = stages_that_fit(values[kStages], values[kTile], kMostSharedBytes);
    return Problem{fit > 0 ? kStages : kTile,
                   tr("{} stages of {} take {} bytes of shared memory, and no device has more than {} for a "
                      "block: {}",
                      values[kStages], exact_bytes(static_cast<std::uint64_t>(values[kTile])), needed,
                      exact_bytes(kMostSharedBytes),
                      fit > 0 ? tr("{} fit; write stages={}", fit, fit) : tr("not one fits; write a smaller tile"))};
  }

  Granularity granularity(const Values& values) const override {
    const auto align = static_cast<std::uint64_t>(values[kAlign]);
    return {align,
            4,
            ~0ull,
            align == 4 ? tr("the kernel tiles works on float32")
                       : tr("the kernel tiles takes data aligned to {} bytes (align={})", align, align),
            {},
            align == 4 || copy_of(values) == TileCopy::bulk ? "" : tr(", or align=4")};
  }

  Needs needs(const Values& values) const override {
    const TileCopy copy = copy_of(values);
    if (copy == TileCopy::bulk) return {9.0, "copy=bulk", tr("write another copy, such as copy=pipeline")};
    if (copy == TileCopy::cp_async) return {8.0, "copy=cp.async", tr("write another copy, such as copy=pipeline")};
    return {};
  }

  std::string otherwise(const Values& values, double capability) const override {
    const TileCopy copy = copy_of(values);
    if (copy == TileCopy::sync) return {};
    if (capability < 8.0)
      return tr(
          "Asynchronous copies are synchronous on this GPU ({:.1f}): with copy={} each thread loads and stores, and "
          "no copy overlaps the work.",
          capability, kCopies[static_cast<std::size_t>(copy)]);
    if (capability >= 9.0 && copy == TileCopy::barrier && values[kAlign] >= 16)
      return tr("On this GPU ({:.1f}) copy=barrier becomes bulk copies, cp.async.bulk, for data aligned to 16 bytes.",
                capability);
    return {};
  }

  std::string smaller(const Values& values, std::uint64_t limit) const override {
    const std::int64_t fit = stages_that_fit(values[kStages], values[kTile], limit);
    return fit > 0 ? tr("{} stages fit", fit) : tr("not one stage fits; write a smaller tile");
  }

  Shape shape(const Values& values, std::uint64_t bytes, std::uint32_t multiprocessors) const override {
    const TilesOptions chosen = tiles_options(values, multiprocessors);
    const std::uint64_t tiles = (bytes + chosen.tile_bytes - 1) / chosen.tile_bytes;
    return {.blocks = chosen.blocks,
            .threads = chosen.threads,
            .shared_bytes = tiles_shared_bytes(chosen.stages, chosen.tile_bytes),
            .registers = tile_copy_cost(chosen.copy).registers,
            .bytes = 2 * bytes,
            .flops = 2.0 * chosen.fma * static_cast<double>(bytes / 4),
            .tiles = (tiles + chosen.blocks - 1) / std::max(1u, chosen.blocks),
            .places = chosen.stages,
            .warp = chosen.copy == TileCopy::specialised ? chosen.producers : 0};
  }

  // Tile by tile; one chain per thread where data is aligned to floats only.
  AtLeast at_least(const Values& values, std::uint64_t bytes, std::uint32_t multiprocessors,
                   double cycle) const override {
    const TilesOptions chosen = tiles_options(values, std::max(1u, multiprocessors));
    const auto elements = static_cast<double>(bytes / 4);
    const double tile = chosen.tile_bytes / 4.0;
    const double workers =
        chosen.copy == TileCopy::specialised ? chosen.threads - 32.0 * chosen.producers : chosen.threads;
    const double at_once = workers * (chosen.align >= 16 ? kChains : 1);
    const double per_block = std::ceil(std::ceil(elements / tile) / chosen.blocks);
    return {chains_take(elements, chosen.fma, chosen.blocks, per_block * std::ceil(tile / at_once), multiprocessors,
                        cycle)};
  }

  Costs costs(const Hardware& hardware, const Values& values, std::uint64_t bytes) const override {
    const TilesOptions chosen = tiles_options(values, hardware.multiprocessors);
    return elementwise_costs(hardware, {.elements = bytes / 4,
                                        .blocks = chosen.blocks,
                                        .threads = whole_warps(chosen.threads),
                                        .fma = chosen.fma,
                                        .tile = elements_of_tile(chosen, bytes)});
  }
  BlockPipeline pipeline(const Hardware& hardware, const Values& values, std::uint64_t bytes, const Costs& costs,
                         Int128 resident) const override {
    return tiles_pipeline(hardware, tiles_options(values, hardware.multiprocessors), bytes, costs, resident);
  }

  CudaCode cuda_code(const Values& values, std::string_view name) const override {
    return tiles_code(tiles_options(values, 1), name);
  }
  CudaLaunch cuda_launch(const Values& values, const CudaOperands& on) const override {
    return {values[kBlocks] != 0 ? fmt::format("{}", values[kBlocks])
            : values[kPerSm] > 1 ? fmt::format("{} * multiprocessors", values[kPerSm])
                                 : "multiprocessors",
            fmt::format("{}, {}, {}", cast_to("float*", on.first), divided_by(on.bytes, "4"), on.values[kFma]),
            static_cast<std::uint64_t>(values[kStages] * values[kTile])};
  }

  std::unique_ptr<Reference> reference() const override { return std::make_unique<FmaChains>(kFma); }
};

}  // namespace

const Kernel& tiles_kernel() {
  static const TilesKernel kKernel;
  return kKernel;
}

TilesOptions tiles_options(const Values& values, std::uint32_t multiprocessors) {
  const auto of = [&](std::size_t option) { return static_cast<std::uint32_t>(values[option]); };
  const std::uint32_t quarter = std::max(1u, of(kThreads) / 32 / 4);
  return {.fma = of(kFma),
          .blocks = of(kBlocks) != 0 ? of(kBlocks) : of(kPerSm) * multiprocessors,
          .threads = of(kThreads),
          .copy = copy_of(values),
          .stages = of(kStages),
          .tile_bytes = of(kTile),
          .copy_bytes = of(kBytes) != 0   ? of(kBytes)
                        : of(kAlign) == 4 ? 4
                                          : 16,
          .through_l1 = values[kL1] != 0,
          .align = of(kAlign),
          .diverge = std::max(1u, of(kDiverge)),
          .producers = of(kProducers) != 0 ? of(kProducers) : quarter};
}

}  // namespace streamscope::kernels
