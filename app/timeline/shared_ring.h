// The ring of shared memory that a block brings its tiles into, at one moment: what lies in each of its slots.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/timeline/kernel_inside.h"

namespace streamscope::timeline {

// Which block's, and when.
struct RingAt {
  std::uint32_t block = kNoBlock;  // index into Stages::blocks; kNoBlock: no ring is drawn
  Nanoseconds time = kAbsent;
  friend bool operator==(const RingAt&, const RingAt&) = default;
};

enum class SlotState : std::uint8_t { unrecorded, empty, filling, working };

struct RingSlot {
  SlotState state = SlotState::empty;
  std::uint32_t tile = 0;  // of a slot that is filling or worked on
  // When a copy arrives is known only where the block waits for it: this is the share of the time from its being asked
  // for to when the block sees it there, 0..1.
  double filled = 0;
  friend bool operator==(const RingSlot&, const RingSlot&) = default;
};

struct Ring {
  std::vector<RingSlot> slots;
};
Ring ring(const trace::StageBlock& block, Nanoseconds at);
// "block 128 on SM 17, 45.2 us after it began: works on tile 12, 2 copies under way"
std::string ring_caption(const trace::StageBlock& block, const Ring& ring, Nanoseconds at);

}  // namespace streamscope::timeline
