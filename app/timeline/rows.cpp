#include "app/timeline/rows.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "app/timeline/counters.h"
#include "app/timeline/text_width.h"
#include "engine/base/translate.h"

namespace streamscope::timeline {
namespace {

int scaled(float size, float scale) { return static_cast<int>(std::lround(size * scale)); }

// Heights are summed in 64 bits and stop here: a trace with a million lanes must not wrap around.
constexpr std::int64_t kTallest = 1 << 30;

// What stands under one heading: of a run on several devices the streams and engines of each (`kind` is stream).
struct Group {
  TrackKind kind = TrackKind::stream;
  std::uint32_t device = 0;
  bool second = false;  // of two runs, one below the other
  friend auto operator<=>(const Group&, const Group&) = default;
};

bool by_device(const Tracks& tracks, const ComparedRun& compared) {
  return tracks.devices.size() > 1 || (compared.there() && compared.tracks->devices.size() > 1);
}

bool on_device(TrackKind kind) { return kind == TrackKind::stream || kind == TrackKind::engine; }

Group group_of(const Track& track, bool by_device, bool second) {
  if (by_device && on_device(track.kind)) return {TrackKind::stream, track.device, second};
  return {track.kind, 0, second};
}

// A track with its lanes, the second run's under it counted.
struct TrackLanes {
  Group group;
  std::optional<std::uint32_t> device;
  bool compared = false;
  std::size_t track = 0;
  TrackKind kind = TrackKind::stream;
  std::size_t lanes = 1;
  bool pinned = false;
};

// All that may be shown, group by group; of a second run that is not overlaid each group after the first's.
std::vector<TrackLanes> rows_of(const Tracks& tracks, const ComparedRun& compared) {
  std::vector<TrackLanes> out;
  const bool devices = by_device(tracks, compared), apart = compared.there() && !compared.overlaid;
  const auto put = [&](bool second, std::size_t at, std::size_t lanes_under) {
    const Track& track = (second ? *compared.tracks : tracks).tracks[at];
    const bool of_device = devices && on_device(track.kind);
    out.push_back({group_of(track, devices, apart && second), of_device ? std::optional(track.device) : std::nullopt,
                   second, at, track.kind, std::max({track.executing.size(), lanes_under, std::size_t{1}})});
  };
  const Overlay under = compared.there() && compared.overlaid ? overlay(tracks, *compared.tracks) : Overlay{};
  for (std::size_t i = 0; i < tracks.tracks.size(); ++i) {
    const bool has = !under.under.empty() && under.under[i] != kNoPartner;
    put(false, i, has ? compared.tracks->tracks[under.under[i]].executing.size() : 0);
  }
  for (std::size_t i = 0; apart && i < compared.tracks->tracks.size(); ++i) put(true, i, 0);
  for (const std::uint32_t each : under.alone) put(true, each, 0);
  // Group by group, so that where not all of two runs has room there is something of both in sight.
  std::stable_sort(out.begin(), out.end(), [](const TrackLanes& a, const TrackLanes& b) {
    return std::tie(a.group, a.kind) < std::tie(b.group, b.kind);
  });
  return out;
}

struct BothStrips {
  std::vector<Strip> first, compared;
};
BothStrips strips_of_both(const Tracks& tracks, const LayoutOptions& options) {
  const Metrics m = metrics(options);
  const std::int64_t top = track_area(options).top;
  BothStrips out;
  std::int64_t y = 0;
  const auto put = [&](const TrackLanes& row, std::size_t track, std::int64_t height, std::size_t hidden = 0) {
    const std::int64_t origin = row.pinned ? top : top - std::int64_t{options.scroll};
    const auto at = [&](std::int64_t where) {
      return static_cast<int>(std::clamp(origin + where, -kTallest, kTallest));
    };
    (row.compared ? out.compared : out.first)
        .push_back({track, row.kind, at(y), at(y + height), row.pinned, hidden, row.device});
    y += height;
  };
  const auto height = [&](const TrackLanes& row) { return static_cast<std::int64_t>(row.lanes) * m.row; };
  std::vector<TrackLanes> all = rows_of(tracks, options.compared);
  for (const TrackKey& wanted : options.choice.pinned) {  // of the first run: with both they could not be distinguished
    const auto found = std::find_if(all.begin(), all.end(), [&](const TrackLanes& row) {
      return !row.compared && !row.pinned && key(tracks.tracks[row.track]) == wanted;
    });
    if (found == all.end()) continue;
    found->pinned = true;
    if (out.first.empty()) put(*found, Strip::kNone, m.heading);
    put(*found, found->track, height(*found));
  }
  if (!out.first.empty()) y += m.group_gap;
  std::erase_if(all, [](const TrackLanes& row) { return row.pinned; });
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    const TrackLanes& lead = all[begin];
    while (end < all.size() && all[end].group == lead.group) ++end;
    if (begin > 0) y += m.group_gap;
    const auto folded = [&](const TrackLanes& row) {
      return options.choice.collapsed.contains(row.kind) ||
             (row.device && options.choice.collapsed_devices.contains(*row.device));
    };
    const auto rows = std::span(all).subspan(begin, end - begin);
    put(lead, Strip::kNone, lead.kind == TrackKind::inside ? m.inside_heading : m.heading,
        static_cast<std::size_t>(std::ranges::count_if(rows, folded)));
    TrackKind above = lead.kind;
    for (const TrackLanes& row : rows) {
      if (folded(row)) continue;
      if (row.kind != std::exchange(above, row.kind)) y += m.group_gap;  // a device's engines, below its streams
      put(row, row.track, height(row));
    }
  }
  return out;
}

}  // namespace

Metrics metrics(const LayoutOptions& options) {
  const float scale = std::clamp(options.scale, 0.25F, 8.0F);
  Metrics m;
  const bool overlaid = options.compared.there() && options.compared.overlaid;
  const bool ghosts = !options.ghost.empty() || overlaid;
  m.row = options.row_height > 0 ? std::max(options.row_height, 3) : scaled(overlaid ? 36 : ghosts ? 32 : 26, scale);
  m.inset = std::max(m.row >= 8 ? 2 : 0, m.row / 11);
  // Lower than that there is no room for two bars.
  if (ghosts && m.row >= 12) m.ghost = std::max(3, overlaid ? m.row * 3 / 10 : m.row / 5);
  m.heading = scaled(22, scale);
  m.inside_heading = options.ring.block == kNoBlock ? m.heading : scaled(44, scale);
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

int lowest_row(const LayoutOptions& options) {
  LayoutOptions lower = options;
  const Metrics usual = metrics(options);
  for (lower.row_height = usual.row - 1; lower.row_height >= 3; --lower.row_height)
    if (metrics(lower).bar_text < usual.bar_text) break;
  return lower.row_height + 1;
}

int indent_of(const Track& track, const Metrics& metrics) {
  if (track.inside == InsideRow::none) return 0;
  return track.inside == InsideRow::stage ? metrics.pad * 5 / 2 : metrics.pad * 3 / 2;
}

TrackArea track_area(const LayoutOptions& options) {
  const Metrics m = metrics(options);
  const int top = std::min(m.title + m.axis, options.height);
  return {top, std::max(options.height - m.badge - counters_height(options), top)};
}

std::vector<Strip> strips(const Tracks& tracks, const LayoutOptions& options) {
  return strips_of_both(tracks, options).first;
}

std::vector<Strip> strips_of_compared(const Tracks& tracks, const LayoutOptions& options) {
  return options.compared.there() ? strips_of_both(tracks, options).compared : std::vector<Strip>{};
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
  const ComparedRun& compared = options.compared;
  float widest = 0;
  const auto widen = [&](const Tracks& of, const std::string& run) {
    const float sign = options.on_paper ? 0 : heading_sign(m);
    const TrackChoice& choice = options.choice;
    const bool devices = by_device(tracks, compared);
    const auto heading = [&](TrackKind kind, std::optional<std::uint32_t> device = std::nullopt) {
      std::string words = heading_text(run, group_name(of, kind, device));
      if (!choice.collapsed.empty() || !choice.collapsed_devices.empty())
        words += " (00)";  // it says how many it hides
      widest = std::max(widest, text_width(words, Font::bold, m.small_text) + sign);
    };
    heading(TrackKind::host);
    for (const TrackKind kind : {TrackKind::stream, TrackKind::engine})
      if (!devices) heading(kind);
    for (std::uint32_t device = 0; devices && device < of.devices.size(); ++device) heading(TrackKind::stream, device);
    for (const Track& track : of.tracks) {
      const auto indent = static_cast<float>(indent_of(track, m));
      const bool below_device = devices && on_device(track.kind) && std::ranges::count(choice.pinned, key(track)) == 0;
      widest = std::max(widest, text_width(below_device ? track.label : track.name, Font::regular, m.text) + indent);
    }
    widest = std::max(widest, text_width(of.inside.name, Font::bold, m.small_text));
  };
  const bool stacked = compared.there() && !compared.overlaid;
  widen(tracks, stacked ? compared.first_name : std::string());
  if (compared.there()) widen(*compared.tracks, stacked ? compared.name : std::string());
  Frame out;
  // Long names are cut rather than take the plot's room.
  const int most = std::max(options.width * 3 / 10, 0);
  out.plot_x = std::clamp(static_cast<int>(std::ceil(widest)) + 2 * m.pad, 0, most);
  out.plot_width = std::max(options.width - out.plot_x, 0);
  LayoutOptions unscrolled = options;
  unscrolled.scroll = 0;
  const BothStrips all = strips_of_both(tracks, unscrolled);
  int bottom = track_area(options).top;
  for (const std::vector<Strip>* each : {&all.first, &all.compared})
    if (!each->empty()) bottom = std::max(bottom, each->back().y1 + m.group_gap);
  out.content_height = bottom - track_area(options).top;
  return out;
}

std::size_t lanes_below(const Tracks& tracks, const LayoutOptions& options) {
  const int row = metrics(options).row, bottom = track_area(options).bottom;
  const BothStrips all = strips_of_both(tracks, options);
  std::size_t out = 0;
  for (const std::vector<Strip>* each : {&all.first, &all.compared})
    for (const Strip& strip : *each) {
      if (strip.track == Strip::kNone || strip.pinned) continue;
      const int lanes = (strip.y1 - strip.y0) / row, in_sight = std::max(bottom - strip.y0, 0) / row;
      out += static_cast<std::size_t>(lanes - std::min(in_sight, lanes));
    }
  return out;
}

std::string heading_text(const std::string& run, std::string_view group) {
  return run.empty() ? std::string(group) : run + " · " + std::string(group);
}

float heading_sign(const Metrics& metrics) { return static_cast<float>(metrics.pad) * 1.2F; }

int pin_left(const Frame& frame, const Metrics& metrics) { return frame.plot_x - metrics.pad * 3 / 2; }

std::string group_name(const Tracks& tracks, TrackKind kind, std::optional<std::uint32_t> device) {
  if (device) return *device < tracks.devices.size() ? tracks.devices[*device] : tr("GPU {}", *device);
  switch (kind) {
    case TrackKind::host: return std::string(tr("HOST"));
    case TrackKind::stream: return std::string(tr("STREAMS"));
    case TrackKind::engine: return std::string(tr("ENGINES"));
    case TrackKind::inside: return tracks.inside.name;
  }
  return "";
}

std::size_t group_count(const Tracks& tracks) {
  std::set<Group> out;
  for (const Track& track : tracks.tracks) out.insert(group_of(track, tracks.devices.size() > 1, false));
  return out.size();
}

const std::string& name_at(const Track& track, const Strip& strip) {
  return strip.device && !strip.pinned ? track.label : track.name;
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

}  // namespace streamscope::timeline
