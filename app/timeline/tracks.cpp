#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

#include "app/timeline/layout.h"

namespace streamscope {
namespace {

struct Piece {
  Nanoseconds start, end;
  Nanoseconds ready;  // kAbsent: it is not shown as waiting
  std::uint32_t span;
};
using Pieces = std::map<std::uint32_t, std::vector<Piece>>;  // by thread, stream or engine

// Of two times that are told the wrong way round nothing can be drawn but the moment of the first.
void add(Pieces& pieces, std::uint32_t id, Nanoseconds start, Nanoseconds end, Nanoseconds ready, std::uint32_t span) {
  if (known(start) && known(end)) pieces[id].push_back({start, std::max(start, end), ready, span});
}

void push(Lane& lane, Nanoseconds start, Nanoseconds end, std::uint32_t span) {
  lane.start.push_back(start);
  lane.end.push_back(end);
  lane.span.push_back(span);
}

// Each piece goes to the uppermost lane that is free at its start: as few lanes as there are pieces at one time.
void pack(std::vector<Piece>& pieces, Track& track) {
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
    return std::tie(a.start, a.end, a.span) < std::tie(b.start, b.end, b.span);
  });
  using Busy = std::pair<Nanoseconds, std::size_t>;
  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy;
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> free;
  for (const Piece& piece : pieces) {
    for (; !busy.empty() && busy.top().first <= piece.start; busy.pop()) free.push(busy.top().second);
    std::size_t lane = track.executing.size();
    if (free.empty()) {
      track.executing.emplace_back();
      track.waiting.emplace_back();
    } else {
      lane = free.top();
      free.pop();
    }
    // What the lane shows as carried out before hides no waiting: in a stream it can overlap by clock error only.
    if (known(piece.ready)) {
      const Lane& row = track.executing[lane];
      const Nanoseconds from = row.empty() ? piece.ready : std::max(piece.ready, row.end.back());
      if (from < piece.start) push(track.waiting[lane], from, piece.start, piece.span);
    }
    push(track.executing[lane], piece.start, piece.end, piece.span);
    busy.emplace(piece.end, lane);
  }
  for (Lane& lane : track.executing) index(lane);
  for (Lane& lane : track.waiting) index(lane);
}

std::string engine_name(std::uint32_t id) {
  switch (static_cast<Engine>(id)) {
    case Engine::h2d: return "H2D engine";
    case Engine::d2h: return "D2H engine";
    case Engine::compute: return "Compute";
    default: return "Host";
  }
}

template <class NameOf>
void append(std::vector<Track>& out, TrackKind kind, Pieces& pieces, NameOf name_of) {
  for (auto& [id, list] : pieces) {
    Track track;
    track.kind = kind;
    track.id = id;
    track.name = name_of(id);
    pack(list, track);
    out.push_back(std::move(track));
  }
}

}  // namespace

Tracks tracks(const Trace& trace) {
  Pieces threads, streams, engines;
  Tracks out;
  out.begin = kAbsent;
  out.end = kAbsent;
  const auto stretch = [&](Nanoseconds time) {
    if (!known(time)) return;
    if (!known(out.begin) || time < out.begin) out.begin = time;
    if (!known(out.end) || time > out.end) out.end = time;
  };
  const auto count = static_cast<std::uint32_t>(span_count(trace));
  for (std::uint32_t i = 0; i < count; ++i) {
    const Span span = span_at(trace, i);
    const bool on_stream = span.stream != Span::kNoStream;
    const bool on_engine = span.engine == Engine::h2d || span.engine == Engine::d2h || span.engine == Engine::compute;
    add(threads, span.thread, span.host_begin, span.host_end, kAbsent, i);
    if (on_stream) add(streams, span.stream, span.start, span.end, span.ready, i);
    if (on_engine) add(engines, static_cast<std::uint32_t>(span.engine), span.start, span.end, kAbsent, i);
    for (const Nanoseconds time : {span.host_begin, span.host_end, span.start, span.end}) stretch(time);
    if (on_stream) stretch(span.ready);
  }
  if (!known(out.begin)) out.begin = out.end = 0;
  append(out.tracks, TrackKind::host, threads, [&](std::uint32_t id) {
    return id < trace.threads.size() ? trace.threads[id] : "thread " + std::to_string(id);
  });
  append(out.tracks, TrackKind::stream, streams, [&](std::uint32_t id) {
    return id < trace.streams.size() ? trace.streams[id].name : "stream " + std::to_string(id);
  });
  append(out.tracks, TrackKind::engine, engines, engine_name);
  return out;
}

Tracks tracks(const Trace& trace, const Trace& predicted) {
  Tracks out = tracks(trace), model = tracks(predicted);
  const auto place = [](const Track& track) { return std::pair(track.kind, track.id); };
  for (Track& from : model.tracks) {
    // Both are sorted by kind and number; a track that only the prediction has comes in between.
    auto at = std::lower_bound(out.tracks.begin(), out.tracks.end(), place(from),
                               [&](const Track& track, const auto& wanted) { return place(track) < wanted; });
    if (at == out.tracks.end() || place(*at) != place(from)) {
      Track empty;
      empty.kind = from.kind;
      empty.id = from.id;
      empty.name = from.name;
      at = out.tracks.insert(at, std::move(empty));
    }
    at->ghosts = std::move(from.executing);
    const std::size_t lanes = std::max(at->executing.size(), at->ghosts.size());
    at->executing.resize(lanes);
    if (at->kind == TrackKind::stream || !at->waiting.empty()) at->waiting.resize(lanes);
  }
  if (span_count(predicted) > 0) {
    out.begin = std::min(out.begin, model.begin);
    out.end = std::max(out.end, model.end);
  }
  return out;
}

}  // namespace streamscope
