#include "app/reading/kernel_facts.h"

#include <fmt/format.h>

#include "engine/analysis/kernel_figures.h"
#include "engine/analysis/stage_times.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::reading {
namespace {

std::string per_cent(double share) { return fmt::format("{:.{}f} %", share * 100, share < 0.0995 ? 1 : 0); }

std::string length(Nanoseconds from, Nanoseconds to) {
  return known(from) && known(to) ? display_duration(to - from) : "–";
}

std::string grid_text(std::uint64_t blocks, std::uint64_t threads) {
  return tr_n("{} block of {} threads", "{} blocks of {} threads", blocks, blocks, threads);
}

}  // namespace

std::vector<Fact> kernel_rows(const trace::Trace& trace, const trace::Span& span) {
  std::vector<Fact> rows;
  const trace::KernelFacts* kernel = analysis::find_kernel(trace, span.operation);
  if (kernel == nullptr) return rows;
  const bool timed = known(span.start) && known(span.end) && span.end > span.start;
  const analysis::KernelFigures figures =
      analysis::kernel_figures(*kernel, timed ? span.end - span.start : kAbsent, trace.stages);
  const auto add = [&](std::string label, std::string value) { rows.push_back({std::move(label), std::move(value)}); };
  const auto with_share = [](std::string rate, double share, const char* of) {
    return share > 0 ? tr("{}, {} of {}", rate, per_cent(share), of) : rate;
  };
  if (figures.bytes_rate > 0)
    add(tr("Memory"),
        with_share(display_bandwidth(kernel->bytes, span.end - span.start), figures.of_copy_rate, tr("a copy")));
  if (figures.flops_rate > 0)
    add(tr("Arithmetic"), with_share(tr("{:.3g} TFLOP/s", figures.flops_rate * 1e-12), figures.of_peak, tr("peak")));
  if (figures.occupancy > 0) add(tr("Occupancy"), tr("{} of the threads", per_cent(figures.occupancy)));
  if (kernel->blocks > 0 && kernel->threads > 0) add(tr("Grid"), grid_text(kernel->blocks, kernel->threads));
  if (kernel->blocks_at_once > 0)  // of a small grid fewer than could be
    add(tr("Blocks an SM"), tr("{:.3g} of {} at once", figures.blocks, kernel->blocks_at_once));
  if (kernel->registers > 0) add(tr("Registers"), tr("{} a thread", kernel->registers));
  if (kernel->shared_bytes > 0) add(tr("Shared memory"), tr("{} a block", display_bytes(kernel->shared_bytes)));
  if (figures.waited) add(tr("Blocks waited"), tr("{} of their time", per_cent(*figures.waited)));
  return rows;
}

std::vector<Fact> launch_rows(const trace::LaunchShape& shape) {
  std::vector<Fact> rows;
  const auto add = [&](std::string label, std::string value) { rows.push_back({std::move(label), std::move(value)}); };
  if (shape.blocks > 0 && shape.threads > 0) add(tr("Grid"), grid_text(shape.blocks, shape.threads));
  if (shape.blocks_at_once > 0) add(tr("Blocks an SM"), tr("{} at once", shape.blocks_at_once));
  if (shape.registers > 0) add(tr("Registers"), tr("{} a thread", shape.registers));
  if (shape.shared_bytes > 0) add(tr("Shared memory"), tr("{} a block", display_bytes(shape.shared_bytes)));
  return rows;
}

std::string piece_title(const trace::Trace& trace, const timeline::StagePiece& piece) {
  const trace::StageBlock& block = trace.stages.blocks[piece.block];
  return fmt::format(
      "{}: {}",
      timeline::tile_name(block.stages[piece.stage].tile, timeline::takes_keys_and_values(trace, block.operation)),
      timeline::meaning(piece.phase));
}

std::vector<Fact> piece_rows(const trace::Trace& trace, const timeline::StagePiece& piece) {
  const trace::StageBlock& block = trace.stages.blocks[piece.block];
  const trace::Stage& stage = block.stages[piece.stage];
  std::vector<Fact> rows;
  const auto add = [&](std::string label, std::string value) { rows.push_back({std::move(label), std::move(value)}); };
  add(tr("Block"), tr("{} on SM {}", block.block, block.multiprocessor));
  add(tr("Recorded by"), block.copy_warp == block.warp ? tr("warp {}", block.warp)
                                                       : tr("warp {}, copies by warp {}", block.warp, block.copy_warp));
  const std::uint32_t places = std::max(block.places, 1U);
  add(tr("Place"),
      tr("{}, of {}",
         timeline::place_name(stage.tile % places, timeline::takes_keys_and_values(trace, block.operation)), places));
  // Counted from the block's begin, for a run's time would hide the nanoseconds.
  const auto since = [&](Nanoseconds time) {
    return known(block.begin) ? tr("{} after the block began", length(block.begin, time)) : display_duration(time);
  };
  const trace::KernelFacts* const kernel = analysis::find_kernel(trace, block.operation);
  const trace::KernelFacts calls = kernel != nullptr ? *kernel : trace::KernelFacts();
  // With what stands in the kernel there.
  const auto with = [](std::string text, std::initializer_list<std::string> all) {
    for (const std::string& call : all) {
      if (!call.empty()) text += "; " + call;
    }
    return text;
  };
  add(tr("Copy asked for"), with(since(stage.load_issued), {calls.acquire, calls.commit}));
  add(tr("Wait begins"),
      with(tr("{}, {} later", since(stage.wait_begun), length(stage.load_issued, stage.wait_begun)), {calls.wait}));
  add(tr("Copy is there"),
      with(tr("{}, waited {}", since(stage.wait_over), length(stage.wait_begun, stage.wait_over)), {calls.barrier}));
  add(tr("Work is over"),
      with(tr("{}, worked {}", since(stage.compute_over), length(stage.wait_over, stage.compute_over)),
           {calls.release}));
  if (block.rate_uncertainty > 0)
    add(tr("Durations"), tr("± {}, by the step of the GPU's timer", per_cent(block.rate_uncertainty)));
  const analysis::BlockTime time = analysis::block_time(block);
  if (const Nanoseconds all = time.working + time.waiting; all > 0)
    add(tr("Of the block"),
        tr("{} of {} waiting", per_cent(static_cast<double>(time.waiting) / static_cast<double>(all)),
           display_duration(all)));
  if (block.stages.size() < block.tiles)
    add(tr("Recorded"), tr("the newest {} of {} tiles", block.stages.size(), block.tiles));
  return rows;
}

}  // namespace streamscope::reading
