// The inside of one kernel: what the blocks that recorded their stages (engine/trace/stages.h) did, and when. Its rows
// stand below the engines: one for each multiprocessor with such blocks, and below an opened one a row for each stage
// of its blocks' ring in shared memory.
//
//   a multiprocessor's row   solid while a block works on a tile, hatched while it waits for the next
//   a stage's row            a tile's copy under way, then the block waiting for it, then working on it
//
// So one sees at a glance that one tile is copied while another is worked on. What was not recorded is not drawn.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/timeline/view.h"
#include "engine/trace/trace.h"

namespace streamscope::timeline {

// What is open: one kernel, and some of its multiprocessors.
struct OpenKernel {
  OperationIndex operation = kNoOperation;
  std::set<std::uint32_t> multiprocessors;
  friend bool operator==(const OpenKernel&, const OpenKernel&) = default;
};

enum class Phase : std::uint8_t { copying, waiting, working };

// One bar of these rows; their lanes' indices mean these.
struct StagePiece {
  std::uint32_t block = 0;  // index into Stages::blocks
  std::uint32_t stage = 0;  // index into its stages
  Phase phase = Phase::working;
  Nanoseconds start = kAbsent, end = kAbsent;  // as drawn
};
inline constexpr std::uint32_t kNoPiece = 0xFFFFFFFFu;
inline constexpr std::uint32_t kNoBlock = 0xFFFFFFFFu;  // as an index into Stages::blocks

struct Inside {
  OperationIndex operation = kNoOperation;
  std::string name;    // "INSIDE tiles"
  std::string detail;  // "operation 5, line 4: 14 of 1320 blocks recorded, on 13 multiprocessors"
  std::vector<StagePiece> pieces;
};

// A block's first and last recorded time; kAbsent where it recorded none.
Nanoseconds begin_of(const trace::StageBlock& block);
Nanoseconds end_of(const trace::StageBlock& block);
// Else only the newest tiles are known, and nothing of what was before the first of them.
bool recorded_every_tile(const trace::StageBlock& block);

// Whether it is a kernel whose blocks can record their stages; whether the run has such a kernel.
bool can_record_stages(const trace::Trace& trace, const trace::Span& span);
bool any_can_record_stages(const trace::Trace& trace);
// Whether a block of it did.
bool recorded_stages(const trace::Trace& trace, OperationIndex operation);
// The lowest multiprocessor with such a block.
std::optional<std::uint32_t> first_multiprocessor(const trace::Trace& trace, OperationIndex operation);
// With that one open; of a kernel that recorded no stages, nothing is.
OpenKernel opened(const trace::Trace& trace, OperationIndex operation);
// Of the opened kernel's blocks one that ran at that time, on an open multiprocessor before others, else the nearest in
// time; kNoBlock where none recorded its stages.
std::uint32_t block_at(const trace::Trace& trace, const OpenKernel& opening, Nanoseconds time);

// What to show where a kernel is opened: what is in view now, or the kernel in the whole width where it takes less than
// a third of it; where its tiles would be too narrow then, the first tiles of a block of an open multiprocessor.
View view_of_inside(const trace::Trace& trace, const OpenKernel& opening, const View& now, int width);
// The piece's tile and some of its neighbours.
View view_of_piece(const trace::Trace& trace, const StagePiece& piece, int width);

// What a tile is: "tile 5"; of attention "tile 5, K of step 2". Its place: "stage 1", "V 0".
bool takes_keys_and_values(const trace::Trace& trace, OperationIndex operation);
std::string tile_name(std::uint32_t tile, bool keys_and_values);
std::string place_name(std::uint32_t place, bool keys_and_values);
std::string_view meaning(Phase phase);  // "the block works on it"
// What stands in the kernel in that phase, the longest text first: "cp.async.wait_group 1, __syncthreads", "wait,
// barrier". None where nothing is known of it.
std::vector<std::string> calls_of(const trace::KernelFacts& kernel, Phase phase);

}  // namespace streamscope::timeline
