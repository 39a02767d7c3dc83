// The rows of a timeline and the lanes of their spans, ready to be drawn at any zoom. Made once for each trace.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/timeline/kernel_inside.h"
#include "app/timeline/lane.h"
#include "app/timeline/stream_slots.h"
#include "app/timeline/waits.h"
#include "engine/trace/packed_spans.h"
#include "engine/trace/sticky_error.h"

namespace streamscope::timeline {

// inside: the rows of an opened kernel (kernel_inside.h); their lanes' indices are those of Inside::pieces, not of
// spans.
enum class TrackKind : std::uint8_t { host, stream, engine, inside };
enum class InsideRow : std::uint8_t { none, closed, open, stage };  // closed, open: a multiprocessor

// One row. Overlapping spans go to further lanes below, so that none is hidden.
struct Track {
  TrackKind kind = TrackKind::stream;
  std::string name;             // "main", "S0", "H2D engine"
  std::string label;            // of a stream or an engine, below its device's heading: "S0", of "S0, device 1"
  std::uint32_t id = 0;         // index into Trace::threads or Trace::streams; number(DeviceEngine); the multiprocessor
  std::uint32_t device = 0;     // of a stream or an engine
  std::vector<Lane> executing;  // lane by lane
  // What the same lanes show of the time before, where nothing is carried out: of the operation that comes next there.
  // Streams only. Their spans are indices into Tracks::waits.
  std::vector<Lane> waiting;
  // What a prediction has carried out on this track, lane by lane; at most as many as `executing`. Its spans are known
  // by their index, which is that of the same operation in the trace.
  std::vector<Lane> ghosts;
  InsideRow inside = InsideRow::none;
};

// Names a track, also of another run.
struct TrackKey {
  TrackKind kind = TrackKind::stream;
  std::uint32_t id = 0;
  friend auto operator<=>(const TrackKey&, const TrackKey&) = default;
};
inline TrackKey key(const Track& track) { return {track.kind, track.id}; }

// Which tracks stand at the top, whatever is scrolled, and which groups show their heading only.
struct TrackChoice {
  std::vector<TrackKey> pinned;  // in this order; those a run does not have are left out
  std::set<TrackKind> collapsed;
  std::set<std::uint32_t> collapsed_devices;  // of a run on several: streams and engines of each
  friend bool operator==(const TrackChoice&, const TrackChoice&) = default;
};

struct Tracks {
  std::vector<Track> tracks;         // host threads, streams that are used, engines that are used, an opened kernel
  std::vector<std::string> devices;  // the headings of a run on several: "GPU 0 · NVIDIA H200"
  Nanoseconds begin = 0, end = 0;
  StreamSlots slots;                         // the hues of the streams
  Inside inside;                             // what the lanes of TrackKind::inside mean
  std::vector<WaitPiece> waits;              // what the lanes of waiting mean
  std::vector<std::uint32_t> elapsed;        // spans of calls that read the time between two events
  std::optional<trace::StickyError> sticky;  // that a kernel has left
};
Tracks tracks(const trace::Trace& trace);
// Gives the lanes of waiting anew, with the reasons that the verdict has found. The history is of this trace; null:
// with what the trace itself says, as tracks() has them.
void add_waits(Tracks& tracks, const trace::Trace& trace, const verdict::History* history);
// With the prediction's bars as ghosts; both have the same operations. From the first of both to the last.
Tracks tracks(const trace::Trace& trace, const trace::Trace& predicted);

// Appends the rows of an opened kernel; nothing where none of its blocks recorded its stages.
void add_inside(Tracks& tracks, const trace::Trace& trace, const OpenKernel& opening);

// On which lanes of host threads, streams and engines an operation has a bar.
struct LanePosition {
  std::size_t track = 0, lane = 0;
};
std::vector<LanePosition> lanes_of(const trace::Trace& trace, const Tracks& tracks, OperationIndex operation);
// The lane of a track that is not the inside of a kernel, in which span number `index` of the trace has its bar.
std::optional<std::size_t> lane_of(const Track& track, const trace::Span& span, std::uint32_t index);

}  // namespace streamscope::timeline
