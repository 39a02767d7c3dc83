#include "app/timeline/shared_ring.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::timeline {
Ring ring(const trace::StageBlock& block, Nanoseconds at) {
  Ring out;
  const std::uint32_t slots = std::max(block.places, 1U);
  out.slots.resize(slots);
  if (!recorded_every_tile(block) && (!known(block.end) || at < block.end))
    for (RingSlot& slot : out.slots) slot.state = SlotState::unrecorded;
  for (const trace::Stage& stage : block.stages) {
    RingSlot& slot = out.slots[stage.tile % slots];
    if (!known(stage.load_issued) || at < stage.load_issued) continue;
    if (at >= stage.compute_over) {
      slot = {};
    } else if (at >= stage.wait_over) {
      slot = {SlotState::working, stage.tile, 1};
    } else {
      const auto since = static_cast<double>(at - stage.load_issued);
      slot = {SlotState::filling, stage.tile, since / static_cast<double>(stage.wait_over - stage.load_issued)};
    }
  }
  return out;
}

std::string ring_caption(const trace::StageBlock& block, const Ring& ring, Nanoseconds at) {
  std::string text = tr("block {} on SM {}", block.block, block.multiprocessor);
  if (known(block.begin) && at < block.begin) return text + tr(": it has not begun");
  if (known(block.end) && at >= block.end) return text + tr(": it is over");
  // Counted from its begin, for a run's time would hide the nanoseconds.
  if (known(block.begin)) text += tr(", {} after it began", display_duration(at - block.begin));
  const auto working = std::find_if(ring.slots.begin(), ring.slots.end(),
                                    [](const RingSlot& slot) { return slot.state == SlotState::working; });
  const auto under_way = std::count_if(ring.slots.begin(), ring.slots.end(),
                                       [](const RingSlot& slot) { return slot.state == SlotState::filling; });
  const bool unrecorded = std::any_of(ring.slots.begin(), ring.slots.end(),
                                      [](const RingSlot& slot) { return slot.state == SlotState::unrecorded; });
  if (working != ring.slots.end())
    text += tr(": works on tile {}", working->tile);
  else
    text += unrecorded ? tr(": not recorded") : tr(": works on none");
  if (under_way > 0)
    text += tr_n(", {} copy under way", ", {} copies under way", static_cast<unsigned long>(under_way), under_way);
  return text;
}

}  // namespace streamscope::timeline
