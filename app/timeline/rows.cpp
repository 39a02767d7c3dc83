#include "app/timeline/rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/timeline/text_width.h"
#include "engine/trace/packed_spans.h"

namespace streamscope {
namespace {

int scaled(float size, float scale) { return static_cast<int>(std::lround(size * scale)); }

// Heights are summed in 64 bits and stop here: a trace with a million lanes must not wrap around.
constexpr std::int64_t kTallest = 1 << 30;

std::uint32_t id_of(const Span& span, TrackKind kind) {
  switch (kind) {
    case TrackKind::host: return span.thread;
    case TrackKind::stream: return span.stream;
    case TrackKind::engine: return static_cast<std::uint32_t>(span.engine);
    case TrackKind::inside: break;
  }
  return 0;
}

}  // namespace

Metrics metrics(const LayoutOptions& options) {
  const float scale = std::clamp(options.scale, 0.25F, 8.0F);
  Metrics m;
  const bool ghosts = !options.ghost.empty();
  m.row = options.row_height > 0 ? std::max(options.row_height, 3) : scaled(ghosts ? 32 : 26, scale);
  m.inset = std::max(m.row >= 8 ? 2 : 0, m.row / 11);
  // Lower than that there is no room for two bars.
  if (ghosts && m.row >= 12) m.ghost = std::max(3, m.row / 5);
  m.heading = scaled(22, scale);
  m.inside_heading = options.ring.block == RingAt::kNoBlock ? m.heading : scaled(44, scale);
  m.group_gap = scaled(6, scale);
  m.title = options.title.empty() ? 0 : scaled(34, scale);
  m.axis = scaled(28, scale);
  m.badge = options.badge ? scaled(26, scale) : 0;
  m.pad = scaled(10, scale);
  m.text = std::min(13 * scale, static_cast<float>(m.row) * 0.8F);
  m.small_text = 11 * scale;
  m.bar_text = std::min(12 * scale, static_cast<float>(m.row - 2 * m.inset - (m.ghost > 0 ? m.ghost + 1 : 0)) * 0.78F);
  return m;
}

int indent_of(const Track& track, const Metrics& metrics) {
  if (track.inside == InsideRow::none) return 0;
  return track.inside == InsideRow::stage ? metrics.pad * 5 / 2 : metrics.pad * 3 / 2;
}

TrackArea track_area(const LayoutOptions& options) {
  const Metrics m = metrics(options);
  const int top = std::min(m.title + m.axis, options.height);
  return {top, std::max(options.height - m.badge, top)};
}

std::vector<Strip> strips(const Tracks& tracks, const LayoutOptions& options) {
  const Metrics m = metrics(options);
  const std::int64_t top = track_area(options).top;
  std::vector<Strip> out;
  std::int64_t y = 0;
  const auto put = [&](std::size_t track, TrackKind kind, std::int64_t height, bool pinned, std::size_t hidden = 0) {
    const std::int64_t origin = pinned ? top : top - std::int64_t{options.scroll};
    const auto at = [&](std::int64_t where) {
      return static_cast<int>(std::clamp(origin + where, -kTallest, kTallest));
    };
    out.push_back({track, kind, at(y), at(y + height), pinned, hidden});
    y += height;
  };
  const auto height = [&](const Track& track) {
    return static_cast<std::int64_t>(std::max<std::size_t>(track.executing.size(), 1)) * m.row;
  };
  const std::vector<Track>& all = tracks.tracks;
  std::vector<bool> is_pinned(all.size(), false);
  for (const TrackKey& wanted : options.choice.pinned) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Track& track) { return key(track) == wanted; });
    if (found == all.end()) continue;
    if (out.empty()) put(Strip::kNone, found->kind, m.heading, true);
    const auto at = static_cast<std::size_t>(found - all.begin());
    is_pinned[at] = true;
    put(at, found->kind, height(*found), true);
  }
  if (!out.empty()) y += m.group_gap;
  bool first = true;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    const TrackKind kind = all[begin].kind;
    while (end < all.size() && all[end].kind == kind) ++end;
    const auto from = is_pinned.begin() + static_cast<std::ptrdiff_t>(begin),
               to = is_pinned.begin() + static_cast<std::ptrdiff_t>(end);
    const auto left = static_cast<std::size_t>(std::count(from, to, false));
    if (left == 0) continue;
    if (!std::exchange(first, false)) y += m.group_gap;
    const bool folded = options.choice.collapsed.contains(kind);
    put(Strip::kNone, kind, kind == TrackKind::inside ? m.inside_heading : m.heading, false, folded ? left : 0);
    for (std::size_t i = begin; i < end && !folded; ++i)
      if (!is_pinned[i]) put(i, kind, height(all[i]), false);
  }
  return out;
}

TrackArea scrolled_area(const std::vector<Strip>& strips, const LayoutOptions& options) {
  TrackArea area = track_area(options);
  for (const Strip& strip : strips) {
    if (!strip.pinned) break;
    area.top = strip.y1 + metrics(options).group_gap;
  }
  area.top = std::min(area.top, area.bottom);
  return area;
}

Frame frame(const Tracks& tracks, const LayoutOptions& options) {
  const Metrics m = metrics(options);
  float widest = text_width("STREAMS", Font::bold, m.small_text);
  for (const Track& track : tracks.tracks) {
    const auto indent = static_cast<float>(indent_of(track, m));
    widest = std::max(widest, text_width(track.name, Font::regular, m.text) + indent);
  }
  widest = std::max(widest, text_width(tracks.inside.name, Font::bold, m.small_text));
  Frame out;
  // Long names are cut rather than take the plot's room.
  const int most = std::max(options.width * 3 / 10, 0);
  out.plot_x = std::clamp(static_cast<int>(std::ceil(widest)) + 2 * m.pad, 0, most);
  out.plot_width = std::max(options.width - out.plot_x, 0);
  LayoutOptions unscrolled = options;
  unscrolled.scroll = 0;
  const std::vector<Strip> all = strips(tracks, unscrolled);
  if (!all.empty()) out.content_height = all.back().y1 - track_area(options).top + m.group_gap;
  return out;
}

int pin_left(const Frame& frame, const Metrics& metrics) { return frame.plot_x - metrics.pad * 3 / 2; }

std::string_view group_name(const Tracks& tracks, TrackKind kind) {
  switch (kind) {
    case TrackKind::host: return "HOST";
    case TrackKind::stream: return "STREAMS";
    case TrackKind::engine: return "ENGINES";
    case TrackKind::inside: return tracks.inside.name;
  }
  return "";
}

LaneRange lanes_in_sight(const Metrics& metrics, const TrackArea& area, const Strip& strip, std::size_t lanes) {
  if (strip.y1 <= area.top || strip.y0 >= area.bottom) return {0, 0};
  const int row = metrics.row;
  const auto first = static_cast<std::size_t>(std::max(0, (area.top - strip.y0) / row));
  const auto end = static_cast<std::size_t>(std::max(0, (area.bottom - strip.y0 + row - 1) / row));
  return {first, std::min(end, lanes)};
}

const Strip* strip_at(const std::vector<Strip>& strips, const LayoutOptions& options, int y) {
  const TrackArea area = track_area(options), scrolled = scrolled_area(strips, options);
  if (y < area.top || y >= area.bottom) return nullptr;
  const auto found = std::find_if(strips.begin(), strips.end(), [&](const Strip& strip) {
    return strip.y0 <= y && y < strip.y1 && strip.pinned == (y < scrolled.top);
  });
  return found == strips.end() ? nullptr : &*found;
}

std::string_view span_name(const Trace& trace, const Span& span) {
  if (span.name < trace.names.size() && !trace.names[span.name].empty()) return trace.names[span.name];
  return name(span.kind);
}

std::vector<Place> places(const Trace& trace, const Tracks& tracks, OperationIndex operation) {
  std::vector<Place> out;
  const auto index = find_index(trace, operation);
  if (!index) return out;
  const Span span = span_at(trace, *index);
  const auto which = static_cast<std::uint32_t>(*index);
  for (std::size_t t = 0; t < tracks.tracks.size(); ++t) {
    const Track& track = tracks.tracks[t];
    if (track.kind == TrackKind::inside || id_of(span, track.kind) != track.id) continue;
    const Nanoseconds start = track.kind == TrackKind::host ? span.host_begin : span.start;
    for (std::size_t l = 0; l < track.executing.size(); ++l) {
      const Lane& lane = track.executing[l];
      auto at = std::lower_bound(lane.start.begin(), lane.start.end(), start) - lane.start.begin();
      for (; at < static_cast<std::ptrdiff_t>(lane.size()) && lane.start[static_cast<std::size_t>(at)] == start; ++at) {
        if (lane.span[static_cast<std::size_t>(at)] == which) out.push_back({t, l});
      }
    }
  }
  return out;
}

}  // namespace streamscope
