#include "app/timeline/kernel_inside.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "app/timeline/span_text.h"
#include "engine/base/translate.h"

namespace streamscope::timeline {
namespace {

constexpr std::int64_t kNarrowestTile = 8;  // pixels
constexpr std::size_t kTilesInView = 12;

bool has_stages(std::string_view kernel) { return kernel == "tiles" || kernel == "attention"; }

View view_of_tiles(const trace::StageBlock& block, std::size_t first, std::size_t count, int width) {
  const trace::Stage& last = block.stages[std::min(first + count, block.stages.size()) - 1];
  const trace::Stage& at = block.stages[first];
  const Nanoseconds from =
      first == 0 && recorded_every_tile(block) ? begin_of(block) : std::min(at.load_issued, at.wait_begun);
  return fit(from, last.compute_over, width);
}

// Nanoseconds from the block's run to that time; 0 while it ran, and where no time is asked for.
Nanoseconds distance(const trace::StageBlock& block, Nanoseconds time) {
  if (!known(time)) return 0;
  if (known(block.begin) && time < block.begin) return block.begin - time;
  if (known(block.end) && time > block.end) return time - block.end;
  return 0;
}

}  // namespace

Nanoseconds begin_of(const trace::StageBlock& block) {
  if (known(block.begin)) return block.begin;
  return block.stages.empty() ? kAbsent : block.stages.front().load_issued;
}

Nanoseconds end_of(const trace::StageBlock& block) {
  if (known(block.end)) return block.end;
  return block.stages.empty() ? kAbsent : block.stages.back().compute_over;
}

bool recorded_every_tile(const trace::StageBlock& block) { return block.stages.size() >= block.tiles; }

bool can_record_stages(const trace::Trace& trace, const trace::Span& span) {
  return span.kind == OperationKind::kernel && has_stages(span_name(trace, span));
}

bool any_can_record_stages(const trace::Trace& trace) {
  return std::any_of(trace.names.begin(), trace.names.end(), [](const std::string& each) { return has_stages(each); });
}

bool recorded_stages(const trace::Trace& trace, OperationIndex operation) {
  return first_multiprocessor(trace, operation).has_value();
}

std::optional<std::uint32_t> first_multiprocessor(const trace::Trace& trace, OperationIndex operation) {
  std::optional<std::uint32_t> first;
  for (const trace::StageBlock& each : trace.stages.blocks) {
    if (each.operation != operation || each.stages.empty()) continue;
    first = std::min(first.value_or(each.multiprocessor), each.multiprocessor);
  }
  return first;
}

OpenKernel opened(const trace::Trace& trace, OperationIndex operation) {
  const auto first = first_multiprocessor(trace, operation);
  return first ? OpenKernel{operation, {*first}} : OpenKernel{};
}

View view_of_inside(const trace::Trace& trace, const OpenKernel& opening, const View& now, int width) {
  const std::optional<trace::Span> kernel = trace::find_span(trace, opening.operation);
  if (!kernel || !known(kernel->start) || !known(kernel->end)) return now;
  const Pixels columns = pixels(now, kernel->start, kernel->end);
  const std::int64_t in_sight = std::min<std::int64_t>(columns.x1, width) - std::max<std::int64_t>(columns.x0, 0);
  const View view = in_sight >= width / 3 ? now : fit(kernel->start, kernel->end, width);
  const std::uint32_t which = block_at(trace, opening, kernel->start);
  if (which == kNoBlock) return view;
  const trace::StageBlock& block = trace.stages.blocks[which];
  const auto tiles = static_cast<Nanoseconds>(block.stages.size());
  const Nanoseconds each = (block.stages.back().compute_over - block.stages.front().wait_over) / tiles;
  if (each * kFine >= kNarrowestTile * view.scale) return view;
  return view_of_tiles(block, 0, std::max<std::size_t>(kTilesInView, 3 * std::size_t{block.places}), width);
}

View view_of_piece(const trace::Trace& trace, const StagePiece& piece, int width) {
  const std::size_t before = std::min<std::size_t>(piece.stage, kTilesInView / 2);
  return view_of_tiles(trace.stages.blocks[piece.block], piece.stage - before, kTilesInView, width);
}

bool takes_keys_and_values(const trace::Trace& trace, OperationIndex operation) {
  const std::optional<trace::Span> span = trace::find_span(trace, operation);
  return span && span_name(trace, *span) == "attention";
}

std::string tile_name(std::uint32_t tile, bool keys_and_values) {
  if (!keys_and_values) return tr("tile {}", tile);
  return tr("tile {}, {} of step {}", tile, tile % 2 == 0 ? 'K' : 'V', tile / 2);
}

std::string place_name(std::uint32_t place, bool keys_and_values) {
  if (!keys_and_values) return tr("stage {}", place);
  return fmt::format("{} {}", place % 2 == 0 ? 'K' : 'V', place / 2);
}

std::string_view meaning(Phase phase) {
  switch (phase) {
    case Phase::copying: return tr("its copy is under way");
    case Phase::waiting: return tr("the block waits for its copy");
    case Phase::working: return tr("the block works on it");
  }
  return "";
}

std::vector<std::string> calls_of(const trace::KernelFacts& kernel, Phase phase) {
  std::string full, brief;
  const auto add = [&](const std::string& call, std::string_view role) {
    if (call.empty()) return;
    full += (full.empty() ? "" : ", ") + call;
    brief += (brief.empty() ? "" : ", ") + std::string(role);
  };
  switch (phase) {
    case Phase::copying:
      add(kernel.acquire, tr("acquire"));
      add(kernel.commit, kernel.commit.find("arrive") != std::string::npos ? tr("arrive") : tr("commit"));
      break;
    case Phase::waiting:
      add(kernel.wait, tr("wait"));
      add(kernel.barrier, tr("barrier"));
      break;
    case Phase::working: add(kernel.release, tr("release"));
  }
  return full.empty() ? std::vector<std::string>() : std::vector{full, brief};
}

std::uint32_t block_at(const trace::Trace& trace, const OpenKernel& opening, Nanoseconds time) {
  const std::vector<trace::StageBlock>& all = trace.stages.blocks;
  const auto key = [&](std::uint32_t at) {
    return std::tuple(!opening.multiprocessors.contains(all[at].multiprocessor), distance(all[at], time),
                      all[at].multiprocessor, all[at].block);
  };
  std::uint32_t best = kNoBlock;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (all[i].operation != opening.operation || all[i].stages.empty()) continue;
    if (best == kNoBlock || key(i) < key(best)) best = i;
  }
  return best;
}

}  // namespace streamscope::timeline
