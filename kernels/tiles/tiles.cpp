#include "kernels/tiles/tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"
#include "kernels/axpb/chains_reference.h"
#include "kernels/textbook.h"
#include "kernels/tiles/options.h"
#include "kernels/tiles/pipeline_time.h"

namespace streamscope::kernels {
namespace {

using namespace tile_options;

constexpr std::int64_t kNotPossible = 0;  // of options that the others rule out, so that writing them is an error

// Of both sides of a copy.
std::int64_t alignment(const Values& values) { return std::min(values[kAlign], values[kSharedAlign]); }
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
      case kBytes: return !has_copy_bytes(copy) ? kNotPossible : alignment(values) == 4 ? 4 : 16;
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
        if (copy == TileCopy::cp_async && values[kBytes] == 16 && alignment(values) >= 16) return {};
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
      case kWait:
        if (!counts_groups(copy))
          return tr("with copy={} no thread counts groups of copies; write copy=cp.async", word_of_copy);
        if (values[kLeaveOut] == static_cast<std::int64_t>(LeaveOut::wait)) return tr("the wait is left out");
        return {};
      case kLeaveOut:
        if (counts_groups(copy)) return {};
        return tr("with copy={} the others would wait for ever for what is left out; write copy=cp.async",
                  word_of_copy);
      default: return {};
    }
  }

  // Copies are no wider than the alignment.
  void settle(Values& values) const override {
    if (copy_of(values) == TileCopy::sync) values[kStages] = 1;
    values[kBytes] = std::min(values[kBytes], std::max<std::int64_t>(4, std::min<std::int64_t>(16, alignment(values))));
  }

  std::optional<Problem> check(const Values& values) const override {
    const TileCopy copy = copy_of(values);
    if (copy == TileCopy::sync && values[kStages] != 1) {
      return Problem{kStages,
                     tr("copy=sync has one stage: a copy through registers is over before the work begins; write "
                        "stages=1, or another copy such as cp.async")};
    }
    if (has_copy_bytes(copy) && values[kBytes] > alignment(values)) {
      return Problem{kBytes,
                     values[kSharedAlign] < values[kAlign]
                         ? tr("copies of {} bytes need tiles in shared memory aligned to as much; write bytes={} or "
                              "smem-align=16",
                              values[kBytes], values[kSharedAlign])
                         : tr("copies of {} bytes need data aligned to as much; write bytes={} or align=16",
                              values[kBytes], values[kAlign])};
    }
    if (copy == TileCopy::bulk && values[kAlign] < 16) {
      return Problem{kAlign, tr("copy=bulk needs data aligned to 16 bytes; write align=16")};
    }
    if (copy == TileCopy::bulk && values[kSharedAlign] < 16) {
      return Problem{kSharedAlign, tr("copy=bulk needs tiles aligned to 16 bytes; write smem-align=16")};
    }
    if (counts_groups(copy) && values[kLeaveOut] == static_cast<std::int64_t>(LeaveOut::barrier) &&
        values[kThreads] < 2 * kWarp) {
      return Problem{kThreads, tr("a block of one warp needs no barrier, so that nothing is wrong without it; write 64 "
                                  "threads or more")};
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
        tiles_shared_bytes(static_cast<std::uint32_t>(values[kStages]), static_cast<std::uint32_t>(values[kTile]),
                           tiles_options(values, 1).shift);
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
    if (capability >= 9.0 && copy == TileCopy::barrier && alignment(values) >= 16)
      return tr("On this GPU ({:.1f}) copy=barrier becomes bulk copies, cp.async.bulk, for data aligned to 16 bytes.",
                capability);
    return {};
  }

  std::string wrong_on_purpose(const Values& values) const override {
    const TilesOptions chosen = tiles_options(values, 1);
    if (chosen.leave_out == LeaveOut::wait)
      return tr("leave-out=wait: without the wait a block would read data that has not come");
    if (chosen.leave_out == LeaveOut::barrier)
      return tr("leave-out=barrier: without the barrier threads would read data that has not come, as others copy it");
    if (!reads_too_early(chosen)) return {};
    return tr("wait={}: with {} a block would read data that has not come; {} is the most that it may leave under way",
              chosen.wait, tr_n("{} stage", "{} stages", chosen.stages, chosen.stages), needed_wait(chosen.stages));
  }

  StageCalls stage_calls(const Values& values) const override {
    const TilesOptions chosen = tiles_options(values, 1);
    const std::int32_t later = chosen.wait != kAsNeeded ? chosen.wait : needed_wait(chosen.stages);
    StageCalls calls{.barrier = "__syncthreads"};
    switch (chosen.copy) {
      case TileCopy::sync: break;
      case TileCopy::cp_async:
        calls.commit = "cp.async.commit_group";
        calls.wait = fmt::format("cp.async.wait_group {}", later);
        break;
      case TileCopy::primitives:
        calls.commit = "__pipeline_commit";
        calls.wait = fmt::format("__pipeline_wait_prior({})", later);
        break;
      case TileCopy::cg:
        calls.commit = "memcpy_async";
        calls.wait = fmt::format("wait_prior<{}>", later);
        break;
      case TileCopy::barrier:
        calls.commit = "barrier.arrive";
        calls.wait = "barrier.wait_parity";
        break;
      case TileCopy::pipeline:
      case TileCopy::specialised:
        calls = {"producer_acquire", "producer_commit", "consumer_wait", "__syncthreads", "consumer_release"};
        if (chosen.copy == TileCopy::specialised) calls.barrier.clear();
        break;
      case TileCopy::bulk: calls.commit = "mbarrier.arrive.expect_tx"; calls.wait = "mbarrier.try_wait";
    }
    if (chosen.leave_out == LeaveOut::wait) calls.wait.clear();
    if (chosen.leave_out == LeaveOut::barrier) calls.barrier.clear();
    return calls;
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
            .shared_bytes = tiles_shared_bytes(chosen.stages, chosen.tile_bytes, chosen.shift),
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
            static_cast<std::uint64_t>(values[kStages] * values[kTile] + tiles_options(values, 1).shift)};
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
          .copy_bytes = of(kBytes) != 0          ? of(kBytes)
                        : alignment(values) == 4 ? 4
                                                 : 16,
          .through_l1 = values[kL1] != 0,
          .align = static_cast<std::uint32_t>(alignment(values)),
          .diverge = std::max(1u, of(kDiverge)),
          .producers = of(kProducers) != 0 ? of(kProducers) : quarter,
          .wait = !counts_groups(copy_of(values)) || values[kWait] == 0 ? kAsNeeded
                  : values[kWait] == 1                                  ? 0
                                                                        : static_cast<std::int32_t>(values[kWait]) - 2,
          .leave_out = counts_groups(copy_of(values)) ? static_cast<LeaveOut>(values[kLeaveOut]) : LeaveOut::nothing,
          .shift = values[kSharedAlign] < 128 ? of(kSharedAlign) : 0};
}

}  // namespace streamscope::kernels
