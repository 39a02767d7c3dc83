// Edits of a program's text, by way of its syntax tree. Internal to this room.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/program/program.h"
#include "engine/program/syntax/tree.h"
#include "engine/remedy/edit.h"

namespace streamscope::remedy {

struct TextEdit {
  verdict::Cause cause = verdict::Cause::unexplained;
  std::string change;
  program::Syntax changed;
  std::uint32_t fits_at_once = 0;  // as Edit's
};
using TextEdits = std::vector<TextEdit>;
inline void add(TextEdits& edits, verdict::Cause cause, std::string change, program::Syntax changed) {
  edits.push_back({cause, std::move(change), std::move(changed), 0});
}

// For the causes named, whatever they would gain. Some may be no valid program.
TextEdits text_edits(const program::Syntax& syntax, const std::vector<verdict::Cause>& causes);

// What orders the statement of one line before that of another: an event, or a wait of the host. Empty where there is
// no such statement, or no stream to record the event in.
TextEdits ordering_edits(const program::Syntax& syntax, std::uint32_t first_line, std::uint32_t second_line);

// What turning peer access on changes, in words: where copies are staged, with what the call takes of the host's time,
// which no time of the device's work shows.
std::string peer_access_words(const program::Program& program);

// The kinds of edits. Each adds those that the text has a place for; a new one is a line in text_edits.cpp, too.
using EditKind = void(const program::Syntax& syntax, TextEdits& edits);
EditKind pinned_memory, registered_memory, allocations, prefetch, peer_access;  // memory_edits.cpp
EditKind host_waits, blocking_copies;                                           // wait_edits.cpp
EditKind events;                                                                // event_edits.cpp
EditKind legacy_stream, more_streams, priorities;                               // stream_edits.cpp
EditKind apart_by_data;                                                         // apart_edits.cpp
EditKind breadth_first, depth_first, turns_in_reverse, other_orders;            // order_edits.cpp
EditKind gather_in_graph, second_graph;                                         // graph_edits.cpp
EditKind larger_chunks, smaller_chunks, fewer_blocks;                           // size_edits.cpp
EditKind more_stages, own_choice_of_copies, converged;                          // size_edits.cpp

}  // namespace streamscope::remedy
