// How the rows of an InstantIndex are made and asked.
#pragma once

#include "app/timeline/instant.h"

namespace streamscope::timeline {

// The three times by which a row is sorted: entry <= begin <= end.
struct RowTimes {
  Nanoseconds entry = kAbsent, begin = kAbsent, end = kAbsent;
};
enum class RowKind : std::uint8_t { thread, stream, engine };
// Nothing where the span has no place on such a row, or its times are not known.
std::optional<RowTimes> row_times(const trace::Trace& trace, const trace::Span& span, RowKind kind);

// When its host call began, or what is known in place of that; at the latest its start.
Nanoseconds entry_time(const trace::Trace& trace, const trace::Span& span);

// Of a row at one instant.
struct RowCounts {
  std::size_t begun = 0;    // of by_begin: so many have begun at or before it
  std::size_t running = 0;  // begin <= time < end
  std::size_t waiting = 0;  // entry <= time < begin
};
RowCounts row_counts(const trace::Trace& trace, const InstantIndex::Row& row, RowKind kind, Nanoseconds time);
// Appends at most so many of them, in the order of begin.
void running_at(const trace::Trace& trace, const InstantIndex::Row& row, RowKind kind, Nanoseconds time,
                const RowCounts& at, std::size_t most, std::vector<std::uint32_t>& out);
void waiting_at(const trace::Trace& trace, const InstantIndex::Row& row, RowKind kind, Nanoseconds time,
                const RowCounts& at, std::size_t most, std::vector<std::uint32_t>& out);

}  // namespace streamscope::timeline
