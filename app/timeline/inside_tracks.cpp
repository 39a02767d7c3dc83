// The rows of an opened kernel.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "app/timeline/span_text.h"
#include "app/timeline/tracks.h"
#include "engine/analysis/kernel_figures.h"
#include "engine/base/translate.h"

namespace streamscope::timeline {
namespace {

// Blocks that ran one after the other, so that their pieces never overlap: indices into Stages::blocks.
using Slot = std::vector<std::uint32_t>;

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
    Track track = row(id, tr("SM {}", id), open ? InsideRow::open : InsideRow::closed);
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
        whose = slots[i].size() == 1 ? tr("block {} ", all_[slots[i].front()].block) : fmt::format("{}: ", i);
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
    Nanoseconds before = recorded_every_tile(block) ? block.begin : block.stages.front().wait_begun;
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

std::string blocks_text(std::size_t blocks) { return tr_n("{} block", "{} blocks", blocks, blocks); }

std::string detail_of(const trace::Trace& trace, const trace::Span& span, std::size_t blocks,
                      std::size_t multiprocessors) {
  const trace::KernelFacts* facts = analysis::find_kernel(trace, span.operation);
  const bool total = facts != nullptr && facts->blocks > 0;
  return tr("operation {}{}: {} recorded, on {}", span.operation, span.line > 0 ? tr(", line {}", span.line) : "",
            total ? tr("{} of {}", blocks, blocks_text(facts->blocks)) : blocks_text(blocks),
            tr_n("{} multiprocessor", "{} multiprocessors", multiprocessors, multiprocessors));
}

}  // namespace

void add_inside(Tracks& tracks, const trace::Trace& trace, const OpenKernel& opening) {
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
                   tr("INSIDE {}", span_name(trace, *span)),
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
