#include "app/timeline/tracks.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

#include "app/timeline/bar_style.h"
#include "app/timeline/lane_search.h"
#include "app/timeline/span_text.h"
#include "engine/base/translate.h"

namespace streamscope::timeline {
namespace {

// What one thread, stream or engine carried out, in the trace's order: where that is sorted and nothing overlaps, it is
// the track's only lane already.
struct TrackRow {
  std::uint32_t id = 0;
  std::size_t count = 0;
  Lane all;
  bool sorted = true, overlap = false;

  void add(Nanoseconds start, Nanoseconds end, std::uint32_t span, std::uint8_t classes) {
    if (!all.empty()) {
      const Nanoseconds last = all.end(all.size() - 1);
      sorted &= std::tie(all.start.back(), last) <= std::tie(start, end);
      overlap |= start < last;
    }
    all.add(start, end, span, classes);
  }
};

// The rows of one kind; there are few, and a span's is mostly that of the one before it.
class TrackRows {
 public:
  TrackRow& of(std::uint32_t id) {
    if (last_ != nullptr && last_->id == id) return *last_;
    last_ = &rows_[id];  // a map's entries stay where they are
    last_->id = id;
    return *last_;
  }
  void reserve() {
    for (auto& [id, row] : rows_) row.all.reserve(row.count);
  }
  std::map<std::uint32_t, TrackRow>& all() { return rows_; }

 private:
  std::map<std::uint32_t, TrackRow> rows_;
  TrackRow* last_ = nullptr;
};

void sort(Lane& lane) {
  struct Piece {
    Nanoseconds start, end;
    std::uint32_t span;
    std::uint8_t classes;
  };
  std::vector<Piece> pieces(lane.size());
  for (std::uint32_t i = 0; i < lane.size(); ++i)
    pieces[i] = {lane.start[i], lane.end(i), lane.span[i], lane.classes[i]};
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
    return std::tie(a.start, a.end, a.span) < std::tie(b.start, b.end, b.span);
  });
  lane = {};
  lane.reserve(pieces.size());
  for (const Piece& piece : pieces) lane.add(piece.start, piece.end, piece.span, piece.classes);
}

// Times come from two clocks and are rounded: what overlaps by no more than that comes one after the other.
constexpr Nanoseconds kRounding = 1;

// Each piece goes to the uppermost lane that is free at its start: as few lanes as there are pieces at one time.
std::vector<Lane> split(const Lane& all) {
  using Busy = std::pair<Nanoseconds, std::uint32_t>;
  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free;
  std::vector<std::uint32_t> lane_of(all.size());
  std::vector<std::size_t> counts;
  std::vector<Nanoseconds> began;          // by lane, the last piece
  std::vector<bool> ends_one(all.size());  // the piece before it in its lane ends where this one begins
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    for (; !busy.empty() && busy.top().first <= all.start[i]; busy.pop()) free.push(busy.top().second);
    if (free.empty() && !busy.empty() && busy.top().first - kRounding <= all.start[i] &&
        began[busy.top().second] < all.start[i]) {
      free.push(busy.top().second);
      busy.pop();
      ends_one[i] = true;
    }
    auto lane = static_cast<std::uint32_t>(counts.size());
    if (free.empty()) {
      counts.push_back(0);
      began.push_back(0);
    } else {
      lane = free.top();
      free.pop();
    }
    lane_of[i] = lane;
    ++counts[lane];
    began[lane] = all.start[i];
    busy.emplace(all.end(i), lane);
  }
  std::vector<Lane> lanes(counts.size());
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) lanes[lane].reserve(counts[lane]);
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    Lane& lane = lanes[lane_of[i]];
    if (ends_one[i]) lane.end_last_at(all.start[i]);
    lane.add(all.start[i], all.end(i), all.span[i], all.classes[i]);
  }
  return lanes;
}

// Records, waits and launches do no work: what comes behind them is what the row is waiting for.
bool does_work(const trace::Span& span) {
  return span.kind != OperationKind::record && span.kind != OperationKind::wait && span.kind != OperationKind::launch;
}

// What each of the lane's operations did since the one before it was over. `first`: of each span, its first piece.
Lane waiting(const trace::Trace& trace, const std::vector<WaitPiece>& pieces, const std::vector<std::uint32_t>& first,
             const Lane& executing) {
  Lane out;
  Nanoseconds over = std::numeric_limits<Nanoseconds>::min();
  for (std::uint32_t i = 0; i < executing.size(); ++i) {
    for (std::uint32_t at = first[executing.span[i]]; at < first[executing.span[i] + 1]; ++at) {
      const Nanoseconds from = std::max(pieces[at].from, over), to = std::min(pieces[at].to, executing.start[i]);
      if (from >= to) continue;
      out.add(from, to, at);
      over = to;
    }
    if (does_work(trace::span_at(trace, executing.span[i]))) over = std::max(over, executing.end(i));
  }
  out.shrink_to_fit();
  index(out);
  return out;
}

// Times of broken traces must not overflow.
Nanoseconds sum_of(Nanoseconds before, Nanoseconds start, Nanoseconds end) {
  const Nanoseconds more = start < end ? lane_search::distance(start, end) : 0;
  return before > lane_search::kEndless - more ? lane_search::kEndless : before + more;
}

std::string engine_name(Engine engine) { return std::string(tr(words_of(engine).track)); }

struct TrackName {
  std::string name, label = {};
  std::uint32_t device = 0;
};

template <class NameOf>
void append(std::vector<Track>& out, TrackKind kind, TrackRows& rows, NameOf name_of) {
  for (auto& [id, row] : rows.all()) {
    Track track;
    track.kind = kind;
    track.id = id;
    TrackName named = name_of(id);
    track.name = std::move(named.name);
    track.label = std::move(named.label);
    track.device = named.device;
    if (!row.sorted) sort(row.all);
    if (!row.sorted || row.overlap)
      track.executing = split(row.all);
    else
      track.executing.push_back(std::move(row.all));
    row.all = {};
    track.waiting.resize(track.executing.size());
    for (Lane& lane : track.executing) index(lane);
    out.push_back(std::move(track));
  }
}

// The first and the last time that is known.
struct Extent {
  Nanoseconds begin = kAbsent, end = kAbsent;
  void stretch(Nanoseconds time) {
    if (!known(time)) return;
    if (!known(begin) || time < begin) begin = time;
    if (!known(end) || time > end) end = time;
  }
};

std::uint32_t id_of(const trace::Span& span, TrackKind kind) {
  switch (kind) {
    case TrackKind::host: return span.thread;
    case TrackKind::stream: return span.stream;
    case TrackKind::engine: return number(trace::queue_of(span));
    case TrackKind::inside: break;
  }
  return 0;
}

// `given`: hues that the streams have already; null: by how busy they are.
Tracks tracks_with(const trace::Trace& trace, const StreamSlots* given) {
  TrackRows threads, streams, engines;
  const auto count = static_cast<std::uint32_t>(trace::span_count(trace));
  const auto put = [&](const trace::Span& span, auto&& add) {  // calls it with every row that the span is in
    if (trace::has_own_call(span)) add(TrackKind::host, threads.of(span.thread), span.host_begin, span.host_end);
    if (!known(span.start) || !known(span.end)) return;
    if (span.stream != trace::Span::kNoStream) add(TrackKind::stream, streams.of(span.stream), span.start, span.end);
    if (span.engine != Engine::none && span.engine != Engine::host)
      add(TrackKind::engine, engines.of(number(trace::queue_of(span))), span.start, span.end);
  };
  // Counted first: lanes that grow take up to twice their memory, and twice that while they do.
  Extent extent;
  std::vector<Nanoseconds> busy(trace.streams.size(), kAbsent);
  for (std::uint32_t i = 0; i < count; ++i) {
    const trace::Span span = trace::span_at(trace, i);
    put(span, [&](TrackKind kind, TrackRow& row, Nanoseconds start, Nanoseconds end) {
      ++row.count;
      if (kind != TrackKind::stream) return;
      if (span.stream >= busy.size()) return;
      Nanoseconds& of_stream = busy[span.stream];
      of_stream = sum_of(known(of_stream) ? of_stream : 0, start, end);
    });
    for (const Nanoseconds time : {span.host_begin, span.host_end, span.start, span.end}) extent.stretch(time);
    if (span.stream != trace::Span::kNoStream) extent.stretch(span.ready);
  }
  const StreamSlots slots = given != nullptr ? *given : stream_slots(busy);
  bool waits = false;
  std::vector<std::uint32_t> elapsed;
  for (TrackRows* rows : {&threads, &streams, &engines}) rows->reserve();
  for (std::uint32_t i = 0; i < count; ++i) {
    const trace::Span span = trace::span_at(trace, i);
    waits |= known(span.ready) && span.ready < span.start;
    if (known(span.elapsed)) elapsed.push_back(i);
    put(span, [&](TrackKind kind, TrackRow& row, Nanoseconds start, Nanoseconds end) {
      // Of two times that come in the wrong order nothing can be drawn but the moment of the first.
      row.add(start, std::max(start, end), i, class_pair_of(span, kind, slots));
    });
  }
  Tracks out;
  out.slots = slots;
  out.elapsed = std::move(elapsed);
  out.sticky = trace::sticky_error(trace);
  if (known(extent.begin)) {
    out.begin = extent.begin;
    out.end = extent.end;
  }
  append(out.tracks, TrackKind::host, threads, [&](std::uint32_t id) { return TrackName{thread_name(trace, id)}; });
  append(out.tracks, TrackKind::stream, streams, [&](std::uint32_t id) {
    std::string name = stream_name(trace, id);
    if (id >= trace.streams.size()) return TrackName{name, name};
    const std::uint32_t device = trace.streams[id].device;
    return TrackName{name + trace::of_device(trace, device), name, device};
  });
  append(out.tracks, TrackKind::engine, engines, [&](std::uint32_t id) {
    const auto [device, engine] = device_engine(id);
    if (engine == Engine::peer) return TrackName{tr("Link out of device {}", device), tr("Link out"), device};
    return TrackName{engine_name(engine) + trace::of_device(trace, device), engine_name(engine), device};
  });
  for (std::uint32_t device = 0; device < trace::device_count(trace); ++device)
    out.devices.push_back(device_text(trace, device));
  // Traces of other tools do not say when an operation was ready: all their spans need not be gone through once more.
  if (waits) add_waits(out, trace, nullptr);
  return out;
}

}  // namespace

Tracks tracks(const trace::Trace& trace) { return tracks_with(trace, nullptr); }

void add_waits(Tracks& tracks, const trace::Trace& trace, const verdict::History* history) {
  tracks.waits = wait_pieces(trace, history);
  if (tracks.waits.empty()) {
    for (Track& track : tracks.tracks) std::ranges::fill(track.waiting, Lane{});
    return;
  }
  std::vector<std::uint32_t> first(trace::span_count(trace) + 1);
  for (const WaitPiece& piece : tracks.waits) ++first[piece.span + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  for (Track& track : tracks.tracks) {
    if (track.kind != TrackKind::stream) continue;
    for (std::size_t lane = 0; lane < track.executing.size(); ++lane)
      track.waiting[lane] = waiting(trace, tracks.waits, first, track.executing[lane]);
  }
}

Tracks tracks(const trace::Trace& trace, const trace::Trace& predicted) {
  Tracks out = tracks(trace), model = tracks_with(predicted, &out.slots);
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
      empty.label = from.label;
      empty.device = from.device;
      at = out.tracks.insert(at, std::move(empty));
    }
    at->ghosts = std::move(from.executing);
    const std::size_t lanes = std::max(at->executing.size(), at->ghosts.size());
    at->executing.resize(lanes);
    if (at->kind == TrackKind::stream || !at->waiting.empty()) at->waiting.resize(lanes);
  }
  if (trace::span_count(predicted) > 0) {
    out.begin = std::min(out.begin, model.begin);
    out.end = std::max(out.end, model.end);
  }
  return out;
}

std::optional<std::size_t> lane_of(const Track& track, const trace::Span& span, std::uint32_t index) {
  const bool host = track.kind == TrackKind::host;
  const Nanoseconds start = host ? span.host_begin : span.start;
  for (std::size_t l = 0; l < track.executing.size(); ++l) {
    // Thousands may begin at one time: all of them but the last take none, and come in the order of their numbers.
    const Lane& lane = track.executing[l];
    const auto [first, end] = std::equal_range(lane.start.begin(), lane.start.end(), start);
    if (first == end) continue;
    const auto from = lane.span.begin() + (first - lane.start.begin()), last = from + (end - first) - 1;
    if (*last == index || std::binary_search(from, last, index)) return l;
  }
  return std::nullopt;
}

std::vector<LanePosition> lanes_of(const trace::Trace& trace, const Tracks& tracks, OperationIndex operation) {
  std::vector<LanePosition> out;
  const auto index = trace::find_index(trace, operation);
  if (!index) return out;
  const trace::Span span = trace::span_at(trace, *index);
  for (std::size_t t = 0; t < tracks.tracks.size(); ++t) {
    const Track& track = tracks.tracks[t];
    if (track.kind == TrackKind::inside || id_of(span, track.kind) != track.id) continue;
    if (const auto lane = lane_of(track, span, static_cast<std::uint32_t>(*index))) out.push_back({t, *lane});
  }
  return out;
}

}  // namespace streamscope::timeline
