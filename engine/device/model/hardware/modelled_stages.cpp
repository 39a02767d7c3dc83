#include "engine/device/model/hardware/modelled_stages.h"

#include <algorithm>
#include <map>

#include "engine/device/stage_plan.h"

namespace streamscope::model {
namespace {

// In a block with very many tiles, stepping begins this many tiles before those that are kept: enough to reach the
// steady state.
constexpr std::uint32_t kUntilSteady = 64;

Nanoseconds clamped(Int128 time) { return static_cast<Nanoseconds>(std::clamp<Int128>(time, 0, kLongestModelled)); }

// The stages of one kernel of the plan, block by block.
class ModelledBlocks {
 public:
  ModelledBlocks(const Profile& profile, const program::Program& program, const device::RecordedKernel& kernel,
                 const trace::Span& span)
      : kernel_(kernel),
        span_(span),
        grid_(grid_of(profile, program, program.operations[kernel.operation].work)),
        multiprocessors_(static_cast<std::uint64_t>(profile.compute.multiprocessors)),
        wave_(std::max(1u, blocks_that_fit(profile, grid_)) * multiprocessors_) {
    const kernels::Hardware hardware = hardware_of(profile);
    const Costs costs = costs_of(hardware, grid_);
    const kernels::Choice& choice = *grid_.kernel;
    const std::uint64_t at_once = std::min(wave_, grid_.blocks);
    const auto resident = static_cast<Int128>((at_once + multiprocessors_ - 1) / multiprocessors_);
    pipeline_ = choice.kernel->pipeline(hardware, choice.values, grid_.bytes, costs, resident);
    working_ = costs.working;
    most_tiles_ = static_cast<std::uint32_t>(costs.steps);
    with_most_ = costs.last_blocks > 0 ? static_cast<std::uint64_t>(costs.last_blocks) : working_;
    waves_ = std::max<std::uint64_t>(1, (costs.working + wave_ - 1) / wave_);
  }

  trace::StageBlock block(std::uint64_t number) {
    trace::StageBlock out;
    out.operation = kernel_.operation;
    out.block = static_cast<std::uint32_t>(number);
    out.multiprocessor = static_cast<std::uint32_t>(number % wave_ % multiprocessors_);
    out.warp = kernel_.warp;
    out.copy_warp = kernel_.copy_warp;
    out.places = kernel_.places;
    out.tiles = tiles_of(number);
    const std::uint64_t wave = std::min(number / wave_, waves_ - 1);
    out.begin = at(wave);
    // The first of a wave has no fewer tiles than the others.
    const Int128 longest = std::max<Int128>(1, pipeline_.time(tiles_of(wave * wave_)));
    out.end = out.begin + scaled(pipeline_.time(out.tiles), at(wave + 1) - out.begin, longest);
    // Few blocks differ in how many tiles they have.
    const auto [entry, is_new] = runs_.try_emplace(out.tiles);
    if (is_new) entry->second = run_pipeline(pipeline_, out.tiles, std::min(out.tiles, kernel_.ring));
    const PipelineRun& run = entry->second;
    out.stages = run.stages;
    const Nanoseconds length = out.end - out.begin;
    const auto fit = [&](Nanoseconds time) { return out.begin + scaled(time, length, std::max<Int128>(1, run.took)); };
    for (trace::Stage& stage : out.stages) {
      for (Nanoseconds* time : {&stage.load_issued, &stage.wait_begun, &stage.wait_over, &stage.compute_over}) {
        *time = fit(*time);
      }
    }
    return out;
  }

 private:
  // The first blocks have one more than the others, where tiles do not divide evenly.
  std::uint32_t tiles_of(std::uint64_t block) const {
    return block >= working_ ? 0 : block < with_most_ ? most_tiles_ : most_tiles_ - 1;
  }
  static Nanoseconds scaled(Int128 time, Nanoseconds to, Int128 from) {
    return static_cast<Nanoseconds>(std::min<Int128>(time * to / from, to));
  }
  // When that wave begins, and the one before it ends.
  Nanoseconds at(std::uint64_t wave) const {
    return span_.start + static_cast<Nanoseconds>(Int128{span_.end - span_.start} * static_cast<Int128>(wave) /
                                                  static_cast<Int128>(waves_));
  }

  const device::RecordedKernel& kernel_;
  const trace::Span& span_;
  const Grid grid_;
  const std::uint64_t multiprocessors_, wave_;
  BlockPipeline pipeline_;
  std::uint64_t waves_ = 1, working_ = 0, with_most_ = 0;
  std::uint32_t most_tiles_ = 0;
  std::map<std::uint32_t, PipelineRun> runs_;  // by tiles
};

}  // namespace

PipelineRun run_pipeline(const BlockPipeline& pipeline, std::uint32_t tiles, std::uint32_t kept) {
  using CopyBegins = BlockPipeline::CopyBegins;
  PipelineRun run;
  if (tiles == 0) return run;
  const std::uint32_t count = std::min(tiles, kept + kUntilSteady), before = tiles - count;
  const Int128 begin = before * pipeline.each;
  const std::size_t places = pipeline.places;
  const Nanoseconds arrival = clamped(pipeline.first - pipeline.work);
  // Barriers and flags are waits even when the data has arrived.
  const Nanoseconds apart = clamped(std::min(divided(pipeline.barriers, 2), pipeline.work));
  const Nanoseconds work = clamped(pipeline.work) - apart;
  std::vector<trace::Stage> stages(count);
  for (std::size_t k = 0; k < count; ++k) {
    trace::Stage& stage = stages[k];
    stage.tile = before + static_cast<std::uint32_t>(k);
    stage.wait_begun = k == 0 ? clamped(begin) : stages[k - 1].compute_over;
    stage.load_issued = clamped(begin);
    if (pipeline.begins == CopyBegins::in_pairs) {
      if (k >= 2) stage.load_issued = stages[k / 2 * 2 - 1].compute_over;
    } else if (k >= places) {
      stage.load_issued = pipeline.begins == CopyBegins::ahead && places > 1 ? stages[k - places + 1].wait_over
                                                                             : stages[k - places].compute_over;
    } else if (k + 1 == places && k > 0 && pipeline.begins == CopyBegins::ahead) {
      stage.load_issued = stages[0].wait_over;
    }
    // The first ones arrive one after the other.
    const Int128 copy =
        k < places ? std::min(pipeline.copy, arrival + static_cast<Int128>(k) * pipeline.each) : pipeline.copy;
    stage.wait_over = std::max(stage.wait_begun + apart, clamped(stage.load_issued + copy));
    stage.compute_over = stage.wait_over + work;
  }
  run.took = stages.back().compute_over;
  stages.erase(stages.begin(), stages.end() - std::min<std::ptrdiff_t>(kept, count));
  run.stages = std::move(stages);
  return run;
}

trace::Stages modelled_stages(const Profile& profile, const program::Program& program,
                              std::span<const trace::Span> spans, std::uint32_t every) {
  trace::Stages all;
  all.every = every;
  const device::StagePlan plan =
      device::stage_plan(program, static_cast<std::uint32_t>(profile.compute.multiprocessors), every);
  for (const device::RecordedKernel& kernel : plan.kernels) {
    const trace::Span& span = spans[kernel.operation];
    if (!known(span.start) || !known(span.end)) continue;
    ModelledBlocks blocks(profile, program, kernel, span);
    for (std::uint32_t i = 0; i < kernel.blocks; ++i) {
      trace::StageBlock block = blocks.block(std::uint64_t{i} * kernel.every);
      if (block.tiles > 0) all.blocks.push_back(std::move(block));
    }
  }
  return all;
}

}  // namespace streamscope::model
