#include "app/draw/excerpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/timeline/rows.h"

namespace streamscope {
namespace {

std::size_t lanes(const Track& track) { return std::max<std::size_t>(track.executing.size(), 1); }

std::size_t lanes(const std::vector<Track>& tracks) {
  std::size_t sum = 0;
  for (const Track& track : tracks) sum += lanes(track);
  return sum;
}

// The axis, headings and gaps: what a timeline has besides its rows.
int besides_rows(const std::vector<Track>& tracks, const LayoutOptions& options) {
  const Metrics m = metrics(options);
  int groups = 0;
  for (std::size_t i = 0; i < tracks.size(); ++i) groups += i == 0 || tracks[i].kind != tracks[i - 1].kind ? 1 : 0;
  return m.title + m.axis + groups * (m.heading + m.group_gap);
}

struct LeftOut {
  std::size_t lanes = 0, multiprocessors = 0, streams = 0, others = 0;
};

LeftOut cut(std::vector<Track>& tracks, std::size_t capacity) {
  LeftOut out;
  const std::size_t most_lanes = std::max<std::size_t>(capacity / 4, 1);
  for (Track& track : tracks) {
    if (track.executing.size() <= most_lanes) continue;
    out.lanes += track.executing.size() - most_lanes;
    track.executing.resize(most_lanes);
    track.ghosts.resize(std::min(track.ghosts.size(), most_lanes));
    track.waiting.resize(std::min(track.waiting.size(), most_lanes));
  }
  // The last streams go first; the engines below still show their work. One stream stays for as long as it can. Whoever
  // opened a kernel wants to see its stages.
  std::size_t rows = lanes(tracks);
  const auto drop = [&](std::size_t at) {
    rows -= lanes(tracks[at]);
    ++(tracks[at].kind == TrackKind::stream     ? out.streams
       : tracks[at].inside == InsideRow::closed ? out.multiprocessors
                                                : out.others);
    tracks.erase(tracks.begin() + static_cast<std::ptrdiff_t>(at));
  };
  const auto streams = [&] {
    return std::count_if(tracks.begin(), tracks.end(), [](const Track& t) { return t.kind == TrackKind::stream; });
  };
  for (std::size_t i = tracks.size(); i-- > 0 && rows > capacity;) {
    if (tracks[i].inside == InsideRow::closed) drop(i);
  }
  for (std::size_t i = tracks.size(); i-- > 0 && rows > capacity && streams() > 1;) {
    if (tracks[i].kind == TrackKind::stream) drop(i);
  }
  for (std::size_t i = tracks.size(); i-- > 0 && rows > capacity && tracks.size() > 1;) {
    if (tracks[i].kind != TrackKind::inside) drop(i);
  }
  while (rows > capacity && tracks.size() > 1) drop(tracks.size() - 1);
  return out;
}

std::string words(const LeftOut& left_out) {
  std::string text;
  const auto part = [&](std::size_t count, std::string_view what) {
    if (count == 0) return;
    text += fmt::format("{}{} more {}{}", text.empty() ? "and " : ", ", count, what, count == 1 ? "" : "s");
  };
  part(left_out.multiprocessors, "multiprocessor");
  part(left_out.streams, "stream");
  part(left_out.others, "track");
  part(left_out.lanes, "lane");
  return text.empty() ? text : text + " not drawn here: the picture is not tall enough";
}

}  // namespace

Excerpt excerpt(Tracks all, const LayoutOptions& options, const Room& room) {
  Excerpt out;
  int for_rows = room.height - besides_rows(all.tracks, options);
  const int least = std::max(room.least_row, 1);
  if (lanes(all.tracks) > static_cast<std::size_t>(std::max(for_rows / least, 0))) {
    for_rows -= room.note;
    out.left_out = words(cut(all.tracks, static_cast<std::size_t>(std::max(for_rows / least, 1))));
    for_rows = room.height - room.note - besides_rows(all.tracks, options);
  }
  const int rows = static_cast<int>(std::max<std::size_t>(lanes(all.tracks), 1));
  out.row_height = std::clamp(for_rows / rows, least, std::max(room.tallest_row, least));
  out.height = besides_rows(all.tracks, options) + (all.tracks.empty() ? out.row_height * 3 : out.row_height * rows);
  out.height = std::clamp(out.height, 0, std::max(room.height, 0));
  out.tracks = std::move(all);
  return out;
}

}  // namespace streamscope
