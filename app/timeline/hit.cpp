#include "app/timeline/hit.h"

#include <algorithm>

#include "app/timeline/density.h"
#include "app/timeline/rows.h"

namespace streamscope::timeline {
namespace {

std::vector<ClassShare> shares_of(const Lane& lane, ColourBy colour_by, const View& view, int at) {
  std::vector<ClassShare> out;
  if (lane.classes.empty()) return out;
  Density column;
  density(lane, number(colour_by), view, at, at + 1, column);
  for (std::size_t i = 0; i < column.classes; ++i)
    if ((column.present.front() >> i & 1) != 0)
      out.push_back({lane.sums[number(colour_by)].classes[i],
                     static_cast<double>(column.busy[i]) / static_cast<double>(view.scale)});
  std::stable_sort(out.begin(), out.end(), [](const ClassShare& a, const ClassShare& b) { return a.share > b.share; });
  return out;
}

// Of those that cover the column: how many, and the longest. A merged run goes on in other columns.
struct InColumn {
  std::uint32_t how_many = 0, longest = 0;
};
InColumn in_column(const Lane& lane, const View& view, int at, const PixelRun& run) {
  constexpr std::uint32_t kMostLookedAt = 100'000;
  const auto pixels_of = [&](std::uint32_t i) { return pixels(view, lane.start[i], lane.end(i)); };
  const auto find = [&](auto past) {
    std::uint32_t low = run.first, high = run.last + 1;
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (past(pixels_of(middle)))
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  };
  const std::uint32_t first = find([&](const Pixels&p) { return p.x1 > at; }),
                      end = find([&](const Pixels&p) { return p.x0 > at; });
  InColumn out{end - first, run.longest};
  if (first >= end || end - first > kMostLookedAt) return out;
  out.longest = first;
  for (std::uint32_t i = first; i < end; ++i)
    if (lane.end(i) - lane.start[i] > lane.end(out.longest) - lane.start[out.longest]) out.longest = i;
  return out;
}

// The bars of one row, at that column of the plot.
std::optional<Hit> hit_lane(const trace::Trace& trace, const std::vector<Lane>& lanes, std::size_t lane,
                            ColourBy colour_by, const View& view, int at) {
  if (lane >= lanes.size()) return std::nullopt;
  const auto run = under(lanes[lane], view, at);
  if (!run) return std::nullopt;
  const InColumn column = in_column(lanes[lane], view, at, *run);
  const std::uint32_t which = lanes[lane].span[column.longest];
  if (which >= trace::span_count(trace)) return std::nullopt;
  Hit out{.operation = trace::span_at(trace, which).operation, .how_many = std::max(column.how_many, 1U)};
  if (out.how_many > 1) out.shares = shares_of(lanes[lane], colour_by, view, at);
  return out;
}

// Whether that row of the picture is where ghosts lie.
bool in_ghost(const Metrics& m, const Strip& strip, int y) {
  return m.ghost > 0 && (y - strip.y0) % m.row >= m.row - m.inset - m.ghost - 1;
}

// A bar of the second run where it lies under the first.
std::optional<Hit> hit_overlaid(const ComparedRun& compared, std::uint32_t track, ColourBy colour_by, const View& view,
                                const Metrics& m, const Strip& strip, int at, int y) {
  const auto lane = static_cast<std::size_t>((y - strip.y0) / m.row);
  auto found = hit_lane(*compared.trace, compared.tracks->tracks[track].executing, lane, colour_by, view, at);
  if (!found) return std::nullopt;
  found->ghost = found->compared = true;
  found->track = track;
  found->row = strip.kind;
  return found;
}

std::optional<Hit> hit_strip(const trace::Trace& trace, const Tracks& tracks, ColourBy colour_by, const View& view,
                             const Metrics& m, const Strip& strip, int at, int y) {
  const Track& track = tracks.tracks[strip.track];
  const auto lane = static_cast<std::size_t>((y - strip.y0) / m.row);
  if (track.kind == TrackKind::inside) {
    if (lane >= track.executing.size()) return std::nullopt;
    const auto run = under(track.executing[lane], view, at);
    if (!run) return std::nullopt;
    const std::uint32_t which = track.executing[lane].span[run->longest];
    return Hit{.operation = tracks.inside.operation,
               .how_many = run->last - run->first + 1,
               .waiting = tracks.inside.pieces[which].phase == Phase::waiting,
               .track = strip.track,
               .piece = which};
  }
  const auto put = [&](std::optional<Hit> found, bool ghost) {
    if (!found) return found;
    found->ghost = ghost;
    found->track = strip.track;
    found->row = track.kind;
    return found;
  };
  if (in_ghost(m, strip, y)) return put(hit_lane(trace, track.ghosts, lane, colour_by, view, at), true);
  if (auto found = put(hit_lane(trace, track.executing, lane, colour_by, view, at), false)) return found;
  if (lane >= track.waiting.size()) return std::nullopt;
  const auto run = under(track.waiting[lane], view, at);
  if (!run) return std::nullopt;
  const std::uint32_t which = track.waiting[lane].span[run->longest];
  const WaitPiece& piece = tracks.waits[which];
  return Hit{.operation = trace::span_at(trace, piece.span).operation,
             .how_many = run->last - run->first + 1,
             .waiting = !piece.queued,
             .queued = piece.queued,
             .track = strip.track,
             .wait = which};
}

}  // namespace

std::optional<Hit> hit(const trace::Trace& trace, const Tracks& tracks, const View& view, const LayoutOptions& options,
                       int x, int y) {
  const Frame where = frame(tracks, options);
  if (x < where.plot_x || x >= where.plot_x + where.plot_width) return std::nullopt;
  const Metrics m = metrics(options);
  const int at = x - where.plot_x;
  const ComparedRun& compared = options.compared;
  const bool overlaid = compared.there() && compared.overlaid;
  const View second_view = view_with_offset(view, compared.offset);
  const std::vector<Strip> first = strips(tracks, options);
  if (const Strip* strip = strip_at(first, options, y); strip != nullptr) {
    if (strip->track == Strip::kNone) return std::nullopt;
    if (!overlaid || !in_ghost(m, *strip, y))
      return hit_strip(trace, tracks, options.colour_by, view, m, *strip, at, y);
    const std::uint32_t under = overlay(tracks, *compared.tracks).under[strip->track];
    if (under == kNoPartner) return std::nullopt;
    return hit_overlaid(compared, under, options.colour_by, second_view, m, *strip, at, y);
  }
  if (!compared.there() || y < scrolled_area(first, options).top) return std::nullopt;
  const std::vector<Strip> second = strips_of_compared(tracks, options);
  const Strip* strip = strip_at(second, options, y);
  if (strip == nullptr || strip->track == Strip::kNone) return std::nullopt;
  if (overlaid) {
    if (!in_ghost(m, *strip, y)) return std::nullopt;
    return hit_overlaid(compared, static_cast<std::uint32_t>(strip->track), options.colour_by, second_view, m, *strip,
                        at, y);
  }
  auto found = hit_strip(*compared.trace, *compared.tracks, options.colour_by, second_view, m, *strip, at, y);
  if (found) found->compared = true;
  return found;
}

}  // namespace streamscope::timeline
