#include "app/draw/excerpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/timeline/rows.h"
#include "engine/base/translate.h"

namespace streamscope::draw {
namespace {

std::size_t lanes(const timeline::Track& track) { return std::max<std::size_t>(track.executing.size(), 1); }

std::size_t lanes(const std::vector<timeline::Track>& tracks) {
  std::size_t sum = 0;
  for (const timeline::Track& track : tracks) sum += lanes(track);
  return sum;
}

struct LeftOut {
  std::size_t lanes = 0, multiprocessors = 0, streams = 0, others = 0;
};

void cut(std::vector<timeline::Track>& tracks, std::size_t capacity, LeftOut& out) {
  const std::size_t most_lanes = std::max<std::size_t>(capacity / 4, 1);
  for (timeline::Track& track : tracks) {
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
    ++(tracks[at].kind == timeline::TrackKind::stream     ? out.streams
       : tracks[at].inside == timeline::InsideRow::closed ? out.multiprocessors
                                                          : out.others);
    tracks.erase(tracks.begin() + static_cast<std::ptrdiff_t>(at));
  };
  const auto streams = [&] {
    return std::count_if(tracks.begin(), tracks.end(),
                         [](const timeline::Track& t) { return t.kind == timeline::TrackKind::stream; });
  };
  for (std::size_t i = tracks.size(); i-- > 0 && rows > capacity;) {
    if (tracks[i].inside == timeline::InsideRow::closed) drop(i);
  }
  for (std::size_t i = tracks.size(); i-- > 0 && rows > capacity && streams() > 1;) {
    if (tracks[i].kind == timeline::TrackKind::stream) drop(i);
  }
  for (std::size_t i = tracks.size(); i-- > 0 && rows > capacity && tracks.size() > 1;) {
    if (tracks[i].kind != timeline::TrackKind::inside) drop(i);
  }
  while (rows > capacity && tracks.size() > 1) drop(tracks.size() - 1);
}

std::string words(const LeftOut& left_out) {
  std::string text;
  const auto part = [&](std::size_t count, std::string more) {
    if (count > 0) text += (text.empty() ? "" : ", ") + std::move(more);
  };
  const std::size_t sms = left_out.multiprocessors, streams = left_out.streams, others = left_out.others;
  part(sms, tr_n("{} more multiprocessor", "{} more multiprocessors", sms, sms));
  part(streams, tr_n("{} more stream", "{} more streams", streams, streams));
  part(others, tr_n("{} more track", "{} more tracks", others, others));
  part(left_out.lanes, tr_n("{} more lane", "{} more lanes", left_out.lanes, left_out.lanes));
  return text.empty() ? text : tr("and {} not drawn here: the picture is not tall enough", text);
}

}  // namespace

Excerpt excerpt(timeline::Tracks all, timeline::Tracks second, const timeline::LayoutOptions& options,
                const AvailableHeight& room) {
  Excerpt out;
  out.tracks = std::move(all);
  out.second = std::move(second);
  timeline::LayoutOptions trial = options;
  if (trial.compared.there()) trial.compared.tracks = &out.second;
  // How tall the tracks are grows with the rows of all lanes and nothing else.
  const auto tall = [&](int row) {
    trial.row_height = row;
    return timeline::frame(out.tracks, trial).content_height;
  };
  constexpr int kRow = 20;
  const auto rows = [&] { return tall(kRow + 1) - tall(kRow); };
  const auto besides_rows = [&] {
    const timeline::Metrics m = timeline::metrics(options);
    return m.title + m.axis + tall(kRow) - kRow * rows();
  };
  const int least = std::max(room.least_row, 1);
  int available = room.height;
  const auto fits = [&] { return rows() <= std::max(available - besides_rows(), 0) / least; };
  if (!fits()) {
    available -= room.note;
    LeftOut left_out;
    // Of two runs each first has all the room, then ever less of it.
    for (int capacity = std::max((available - besides_rows()) / least, 1); capacity > 0; --capacity) {
      cut(out.tracks.tracks, static_cast<std::size_t>(capacity), left_out);
      cut(out.second.tracks, static_cast<std::size_t>(capacity), left_out);
      if (!options.compared.there() || fits()) break;
    }
    out.left_out = words(left_out);
  }
  const int all_rows = std::max(rows(), 1), besides = besides_rows();
  out.row_height = std::clamp((available - besides) / all_rows, least, std::max(room.tallest_row, least));
  out.height = besides + (out.tracks.tracks.empty() ? out.row_height * 3 : out.row_height * all_rows);
  out.height = std::clamp(out.height, 0, std::max(room.height, 0));
  return out;
}

}  // namespace streamscope::draw
