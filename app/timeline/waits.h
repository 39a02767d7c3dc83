// The parts of an operation's life before it is carried out, each with its reason: queued, while something that CUDA
// puts before it is not done, and waiting, while it is ready and its engine is busy or has no room.
//
// They come from the verdict's slices (engine/verdict/slices.h) where there is one; else from what the trace itself
// says of each operation, and then nothing is known of the time in which it was queued.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/trace/packed_spans.h"
#include "engine/verdict/slices.h"

namespace streamscope::timeline {

struct WaitPiece {
  Nanoseconds from = 0, to = 0;
  std::uint32_t span = 0;      // that waits: index into the trace
  std::uint32_t by = kNobody;  // that holds it: index into the trace
  verdict::WaitCause cause = verdict::WaitCause::hand_over;
  bool queued = false;  // else ready, and waiting
  bool certain = true;

  static constexpr std::uint32_t kNobody = 0xFFFF'FFFFu;
  friend bool operator==(const WaitPiece&, const WaitPiece&) = default;
};
inline constexpr std::uint32_t kNoWait = 0xFFFF'FFFFu;

// By span, then by time, without overlap. `history`: null, or of this trace.
std::vector<WaitPiece> wait_pieces(const trace::Trace& trace, const verdict::History* history);
std::span<const WaitPiece> pieces_of(const std::vector<WaitPiece>& all, std::uint32_t span);

// "H2D engine busy", "event"; what nothing is known of is "not known".
std::string cause_text(const trace::Trace& trace, const WaitPiece& piece);
// With what holds it: "waits for S0: H2D #9 (H2D engine busy)".
std::string wait_text(const trace::Trace& trace, const WaitPiece& piece);

}  // namespace streamscope::timeline
