#include "engine/device/model/hardware/modelled_stages.h"

#include <algorithm>
#include <map>

#include "engine/device/stage_plan.h"

namespace streamscope::model {
namespace {

// Of a block with very many tiles so many before those that are kept are played, until each goes like the one before.
constexpr std::uint32_t kUntilSteady = 64;

Nanoseconds clamped(Wide time) { return static_cast<Nanoseconds>(std::clamp<Wide>(time, 0, kLongestTime)); }

std::uint32_t tiles_of(const Grid& grid, std::uint64_t block) {
  if (grid.pairs > 0) return static_cast<std::uint32_t>(2 * grid.pairs);
  const std::uint64_t all = (grid.elements + grid.tile - 1) / grid.tile;
  return static_cast<std::uint32_t>(all > block ? (all - block + grid.blocks - 1) / grid.blocks : 0);
}

// A kernel of the plan, block by block.
class ToldBlocks {
 public:
  ToldBlocks(const Profile& profile, const program::Program& program, const device::ToldKernel& kernel,
             const trace::Span& span)
      : kernel_(kernel),
        span_(span),
        grid_(grid_of(profile, program, program.operations[kernel.operation].work)),
        multiprocessors_(static_cast<std::uint64_t>(profile.compute.multiprocessors)),
        wave_(std::max(1u, blocks_that_fit(profile, grid_)) * multiprocessors_) {
    const Pace pace = pace_of(profile, grid_);
    const std::uint64_t at_once = std::min(wave_, grid_.blocks);
    pipeline_ = block_pipeline(profile, grid_, pace, (at_once + multiprocessors_ - 1) / multiprocessors_);
    waves_ = std::max<std::uint64_t>(1, (pace.working + wave_ - 1) / wave_);
  }

  trace::StageBlock block(std::uint64_t number) {
    trace::StageBlock told;
    told.operation = kernel_.operation;
    told.block = static_cast<std::uint32_t>(number);
    told.multiprocessor = static_cast<std::uint32_t>(number % wave_ % multiprocessors_);
    told.warp = kernel_.warp;
    told.copy_warp = kernel_.copy_warp;
    told.places = kernel_.places;
    told.tiles = tiles_of(grid_, number);
    const std::uint64_t wave = std::min(number / wave_, waves_ - 1);
    told.begin = at(wave);
    // The first of a wave has no fewer tiles than the others.
    const Wide longest = std::max<Wide>(1, pipeline_.time(tiles_of(grid_, wave * wave_)));
    told.end = told.begin + scaled(pipeline_.time(told.tiles), at(wave + 1) - told.begin, longest);
    // Few blocks differ in how many tiles they have.
    const auto [entry, is_new] = played_.try_emplace(told.tiles);
    if (is_new) entry->second = play(pipeline_, told.tiles, std::min(told.tiles, kernel_.ring));
    const Played& played = entry->second;
    told.stages = played.stages;
    const Nanoseconds length = told.end - told.begin;
    const auto fit = [&](Nanoseconds time) {
      return told.begin + scaled(time, length, std::max<Wide>(1, played.took));
    };
    for (trace::Stage& stage : told.stages) {
      for (Nanoseconds* time : {&stage.load_issued, &stage.wait_begun, &stage.wait_over, &stage.compute_over}) {
        *time = fit(*time);
      }
    }
    return told;
  }

 private:
  static Nanoseconds scaled(Wide time, Nanoseconds to, Wide from) {
    return static_cast<Nanoseconds>(std::min<Wide>(time * to / from, to));
  }
  // When such a wave begins, and the one before ends.
  Nanoseconds at(std::uint64_t wave) const {
    return span_.start + static_cast<Nanoseconds>(Wide{span_.end - span_.start} * static_cast<Wide>(wave) /
                                                  static_cast<Wide>(waves_));
  }

  const device::ToldKernel& kernel_;
  const trace::Span& span_;
  const Grid grid_;
  const std::uint64_t multiprocessors_, wave_;
  BlockPipeline pipeline_;
  std::uint64_t waves_ = 1;
  std::map<std::uint32_t, Played> played_;  // by tiles
};

}  // namespace

Played play(const BlockPipeline& pipeline, std::uint32_t tiles, std::uint32_t kept) {
  using Asks = BlockPipeline::Asks;
  Played played;
  if (tiles == 0) return played;
  const std::uint32_t count = std::min(tiles, kept + kUntilSteady), before = tiles - count;
  const Wide begin = before * pipeline.each;
  const std::size_t places = pipeline.places;
  const Nanoseconds arrival = clamped(pipeline.first - pipeline.work);
  // Barriers and flags are waits, whatever the data do.
  const Nanoseconds apart = clamped(std::min(divided(pipeline.barriers, 2), pipeline.work));
  const Nanoseconds work = clamped(pipeline.work) - apart;
  std::vector<trace::Stage> stages(count);
  for (std::size_t k = 0; k < count; ++k) {
    trace::Stage& stage = stages[k];
    stage.tile = before + static_cast<std::uint32_t>(k);
    stage.wait_begun = k == 0 ? clamped(begin) : stages[k - 1].compute_over;
    stage.load_issued = clamped(begin);
    if (pipeline.asks == Asks::in_pairs) {
      if (k >= 2) stage.load_issued = stages[k / 2 * 2 - 1].compute_over;
    } else if (k >= places) {
      stage.load_issued = pipeline.asks == Asks::ahead && places > 1 ? stages[k - places + 1].wait_over
                                                                     : stages[k - places].compute_over;
    } else if (k + 1 == places && k > 0 && pipeline.asks == Asks::ahead) {
      stage.load_issued = stages[0].wait_over;
    }
    // The first ones arrive one after the other.
    const Wide copy =
        k < places ? std::min(pipeline.copy, arrival + static_cast<Wide>(k) * pipeline.each) : pipeline.copy;
    stage.wait_over = std::max(stage.wait_begun + apart, clamped(stage.load_issued + copy));
    stage.compute_over = stage.wait_over + work;
  }
  played.took = stages.back().compute_over;
  stages.erase(stages.begin(), stages.end() - std::min<std::ptrdiff_t>(kept, count));
  played.stages = std::move(stages);
  return played;
}

trace::Stages modelled_stages(const Profile& profile, const program::Program& program,
                              std::span<const trace::Span> spans, std::uint32_t every) {
  trace::Stages all;
  all.every = every;
  const device::StagePlan plan =
      device::stage_plan(program, static_cast<std::uint32_t>(profile.compute.multiprocessors), every);
  for (const device::ToldKernel& kernel : plan.kernels) {
    const trace::Span& span = spans[kernel.operation];
    if (!known(span.start) || !known(span.end)) continue;
    ToldBlocks blocks(profile, program, kernel, span);
    for (std::uint32_t i = 0; i < kernel.blocks; ++i) {
      trace::StageBlock told = blocks.block(std::uint64_t{i} * kernel.every);
      if (told.tiles > 0) all.blocks.push_back(std::move(told));
    }
  }
  return all;
}

}  // namespace streamscope::model
