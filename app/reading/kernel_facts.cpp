#include "app/reading/kernel_facts.h"

#include <fmt/format.h>

#include "engine/analysis/kernel_figures.h"
#include "engine/analysis/stage_times.h"
#include "engine/base/quantity.h"

namespace streamscope::reading {
namespace {

std::string per_cent(double share) { return fmt::format("{:.{}f} %", share * 100, share < 0.0995 ? 1 : 0); }

std::string length(Nanoseconds from, Nanoseconds to) {
  return known(from) && known(to) ? display_duration(to - from) : "–";
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
    return share > 0 ? fmt::format("{}, {} of {}", rate, per_cent(share), of) : rate;
  };
  if (figures.bytes_rate > 0)
    add("Memory", with_share(display_bandwidth(kernel->bytes, span.end - span.start), figures.of_copy_rate, "a copy"));
  if (figures.flops_rate > 0)
    add("Arithmetic", with_share(fmt::format("{:.3g} TFLOP/s", figures.flops_rate * 1e-12), figures.of_peak, "peak"));
  if (figures.occupancy > 0) add("Occupancy", per_cent(figures.occupancy) + " of the threads");
  if (kernel->blocks > 0 && kernel->threads > 0)
    add("Grid", fmt::format("{} blocks of {} threads", kernel->blocks, kernel->threads));
  if (kernel->blocks_at_once > 0)  // of a small grid fewer than could be
    add("Blocks an SM", fmt::format("{:.3g} of {} at once", figures.blocks, kernel->blocks_at_once));
  if (kernel->registers > 0) add("Registers", fmt::format("{} a thread", kernel->registers));
  if (kernel->shared_bytes > 0) add("Shared memory", display_bytes(kernel->shared_bytes) + " a block");
  if (figures.waited) add("Blocks waited", per_cent(*figures.waited) + " of their time");
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
  add("Block", fmt::format("{} on SM {}", block.block, block.multiprocessor));
  add("Recorded by", block.copy_warp == block.warp
                         ? fmt::format("warp {}", block.warp)
                         : fmt::format("warp {}, copies by warp {}", block.warp, block.copy_warp));
  const std::uint32_t places = std::max(block.places, 1U);
  add("Place",
      fmt::format("{}, of {}",
                  timeline::place_name(stage.tile % places, timeline::takes_keys_and_values(trace, block.operation)),
                  places));
  // Counted from the block's begin, for a run's time would hide the nanoseconds.
  const auto since = [&](Nanoseconds time) {
    return known(block.begin) ? length(block.begin, time) + " after the block began" : display_duration(time);
  };
  add("Copy asked for", since(stage.load_issued));
  add("Wait begins", fmt::format("{}, {} later", since(stage.wait_begun), length(stage.load_issued, stage.wait_begun)));
  add("Copy is there", fmt::format("{}, waited {}", since(stage.wait_over), length(stage.wait_begun, stage.wait_over)));
  add("Work is over",
      fmt::format("{}, worked {}", since(stage.compute_over), length(stage.wait_over, stage.compute_over)));
  const analysis::BlockTime time = analysis::block_time(block);
  if (const Nanoseconds all = time.working + time.waiting; all > 0)
    add("Of the block",
        fmt::format("{} of {} waiting", per_cent(static_cast<double>(time.waiting) / static_cast<double>(all)),
                    display_duration(all)));
  if (block.stages.size() < block.tiles)
    add("Recorded", fmt::format("the newest {} of {} tiles", block.stages.size(), block.tiles));
  return rows;
}

}  // namespace streamscope::reading
