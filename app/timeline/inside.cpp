#include "app/timeline/inside.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "app/timeline/ring.h"
#include "app/timeline/rows.h"
#include "engine/analysis/kernel_figures.h"

namespace streamscope::timeline {
namespace {

constexpr std::int64_t kNarrowestTile = 8;  // pixels
constexpr std::size_t kTilesInView = 12;

// Blocks that ran one after the other, so that their pieces never overlap: indices into Stages::blocks.
using Slot = std::vector<std::uint32_t>;

Nanoseconds begin_of(const trace::StageBlock& block) {
  if (known(block.begin)) return block.begin;
  return block.stages.empty() ? kAbsent : block.stages.front().load_issued;
}

Nanoseconds end_of(const trace::StageBlock& block) {
  if (known(block.end)) return block.end;
  return block.stages.empty() ? kAbsent : block.stages.back().compute_over;
}

// Of more tiles than it told only the newest are known: what was before the first of them is not.
bool whole(const trace::StageBlock& block) { return block.stages.size() >= block.tiles; }

// Each block goes to the uppermost slot that is free when it begins.
std::vector<Slot> slots(const std::vector<trace::StageBlock>& all, std::vector<std::uint32_t> blocks) {
  std::sort(blocks.begin(), blocks.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(begin_of(all[a]), all[a].block) < std::pair(begin_of(all[b]), all[b].block);
  });
  std::vector<Slot> out;
  for (const std::uint32_t each : blocks) {
    const auto free = std::find_if(out.begin(), out.end(),
                                   [&](const Slot& slot) { return end_of(all[slot.back()]) <= begin_of(all[each]); });
    if (free == out.end())
      out.push_back({each});
    else
      free->push_back(each);
  }
  return out;
}

class InsideRows {
 public:
  InsideRows(Tracks& tracks, const trace::Trace& trace) : tracks_(tracks), all_(trace.stages.blocks) {}

  void multiprocessor(std::uint32_t id, const std::vector<Slot>& slots, bool open) {
    Track track = row(id, fmt::format("SM {}", id), open ? InsideRow::open : InsideRow::closed);
    for (const Slot& slot : slots) {
      Lane& lane = track.executing.emplace_back();
      for (const std::uint32_t block : slot) add_block(lane, block);
      index(lane);
    }
    tracks_.tracks.push_back(std::move(track));
  }

  void stages(std::uint32_t id, const std::vector<Slot>& slots, bool keys_and_values) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      std::uint32_t places = 0;
      for (const std::uint32_t block : slots[i]) places = std::max(places, all_[block].places);
      // Of several the block is named; where blocks follow each other in a slot, the slot.
      std::string whose;
      if (slots.size() > 1)
        whose = slots[i].size() == 1 ? fmt::format("block {} ", all_[slots[i].front()].block) : fmt::format("{}: ", i);
      for (std::uint32_t place = 0; place < places; ++place) {
        Track track = row(id, whose + place_name(place, keys_and_values), InsideRow::stage);
        Lane& lane = track.executing.emplace_back();
        for (const std::uint32_t block : slots[i]) add_place(lane, block, place);
        index(lane);
        tracks_.tracks.push_back(std::move(track));
      }
    }
  }

 private:
  static Track row(std::uint32_t id, std::string name, InsideRow what) {
    Track track;
    track.kind = TrackKind::inside;
    track.name = std::move(name);
    track.id = id;
    track.inside = what;
    return track;
  }

  // Clocks have steps, so neighbours may touch the wrong way round: a lane's pieces stay disjoint all the same.
  void add(Lane& lane, std::uint32_t block, std::uint32_t stage, Phase phase, Nanoseconds start, Nanoseconds end) {
    if (!known(start) || !known(end)) return;
    if (!lane.empty()) start = std::max(start, lane.end(lane.size() - 1));
    if (start >= end) return;
    lane.add(start, end, static_cast<std::uint32_t>(tracks_.inside.pieces.size()));
    tracks_.inside.pieces.push_back({block, stage, phase, start, end});
  }

  void add_block(Lane& lane, std::uint32_t which) {
    const trace::StageBlock& block = all_[which];
    if (block.stages.empty()) return;
    Nanoseconds before = whole(block) ? block.begin : block.stages.front().wait_begun;
    for (std::uint32_t i = 0; i < block.stages.size(); ++i) {
      const trace::Stage& stage = block.stages[i];
      add(lane, which, i, Phase::waiting, before, stage.wait_over);
      add(lane, which, i, Phase::working, stage.wait_over, stage.compute_over);
      before = stage.compute_over;
    }
  }

  void add_place(Lane& lane, std::uint32_t which, std::uint32_t place) {
    const trace::StageBlock& block = all_[which];
    for (std::uint32_t i = 0; i < block.stages.size(); ++i) {
      const trace::Stage& stage = block.stages[i];
      if (stage.tile % std::max(block.places, 1U) != place) continue;
      add(lane, which, i, Phase::copying, stage.load_issued, std::min(stage.wait_begun, stage.wait_over));
      add(lane, which, i, Phase::waiting, stage.wait_begun, stage.wait_over);
      add(lane, which, i, Phase::working, stage.wait_over, stage.compute_over);
    }
  }

  Tracks& tracks_;
  const std::vector<trace::StageBlock>& all_;
};

bool has_stages(std::string_view kernel) { return kernel == "tiles" || kernel == "attention"; }

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

View view_of_tiles(const trace::StageBlock& block, std::size_t first, std::size_t count, int width) {
  const trace::Stage& last = block.stages[std::min(first + count, block.stages.size()) - 1];
  const trace::Stage& at = block.stages[first];
  const Nanoseconds from = first == 0 && whole(block) ? begin_of(block) : std::min(at.load_issued, at.wait_begun);
  return fit(from, last.compute_over, width);
}

std::string detail_of(const trace::Trace& trace, const trace::Span& span, std::size_t blocks,
                      std::size_t multiprocessors) {
  const trace::KernelFacts* facts = analysis::find_kernel(trace, span.operation);
  const bool total = facts != nullptr && facts->blocks > 0;
  return fmt::format(
      "operation {}{}: {} told, on {}", span.operation, span.line > 0 ? fmt::format(", line {}", span.line) : "",
      total ? fmt::format("{} of {}", blocks, counted(facts->blocks, "block")) : counted(blocks, "block"),
      counted(multiprocessors, "multiprocessor"));
}

}  // namespace

bool can_tell(const trace::Trace& trace, const trace::Span& span) {
  return span.kind == OperationKind::kernel && has_stages(span_name(trace, span));
}

bool any_can_tell(const trace::Trace& trace) {
  return std::any_of(trace.names.begin(), trace.names.end(), [](const std::string& each) { return has_stages(each); });
}

bool told(const trace::Trace& trace, OperationIndex operation) {
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

Opening opened(const trace::Trace& trace, OperationIndex operation) {
  const auto first = first_multiprocessor(trace, operation);
  return first ? Opening{operation, {*first}} : Opening{};
}

View view_of_inside(const trace::Trace& trace, const Opening& opening, const View& now, int width) {
  const std::optional<trace::Span> kernel = trace::find_span(trace, opening.operation);
  if (!kernel || !known(kernel->start) || !known(kernel->end)) return now;
  const Pixels columns = pixels(now, kernel->start, kernel->end);
  const std::int64_t in_sight = std::min<std::int64_t>(columns.x1, width) - std::max<std::int64_t>(columns.x0, 0);
  const View view = in_sight >= width / 3 ? now : fit(kernel->start, kernel->end, width);
  const std::uint32_t which = block_at(trace, opening, kernel->start);
  if (which == RingAt::kNoBlock) return view;
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
  if (!keys_and_values) return fmt::format("tile {}", tile);
  return fmt::format("tile {}, {} of step {}", tile, tile % 2 == 0 ? 'K' : 'V', tile / 2);
}

std::string place_name(std::uint32_t place, bool keys_and_values) {
  if (!keys_and_values) return fmt::format("stage {}", place);
  return fmt::format("{} {}", place % 2 == 0 ? 'K' : 'V', place / 2);
}

std::string_view meaning(Phase phase) {
  switch (phase) {
    case Phase::copying: return "its copy is under way";
    case Phase::waiting: return "the block waits for its copy";
    case Phase::working: return "the block works on it";
  }
  return "";
}

void add_inside(Tracks& tracks, const trace::Trace& trace, const Opening& opening) {
  const std::optional<trace::Span> span = trace::find_span(trace, opening.operation);
  if (!span) return;
  const std::vector<trace::StageBlock>& all = trace.stages.blocks;
  std::map<std::uint32_t, std::vector<std::uint32_t>> by_multiprocessor;
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (all[i].operation != opening.operation || all[i].stages.empty()) continue;
    by_multiprocessor[all[i].multiprocessor].push_back(i);
    ++count;
  }
  if (count == 0) return;
  tracks.inside = {opening.operation,
                   fmt::format("INSIDE {}", span_name(trace, *span)),
                   detail_of(trace, *span, count, by_multiprocessor.size()),
                   {}};
  const bool keys_and_values = takes_keys_and_values(trace, opening.operation);
  InsideRows rows(tracks, trace);
  for (const auto& [id, blocks] : by_multiprocessor) {
    const std::vector<Slot> in_slots = slots(all, blocks);
    const bool open = opening.multiprocessors.contains(id);
    rows.multiprocessor(id, in_slots, open);
    if (open) rows.stages(id, in_slots, keys_and_values);
  }
}

}  // namespace streamscope::timeline
