#include "app/timeline/legend.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "app/timeline/draw_waits.h"
#include "app/timeline/path_shares.h"
#include "engine/base/translate.h"

namespace streamscope::timeline {
namespace {

// What the bars of some tracks are of.
struct KindsPresent {
  std::array<bool, kOperationKinds> ran{};
  bool call = false, host_waits = false;              // on host tracks
  bool queued = false, waited = false, held = false;  // on streams; held: by the gate
  bool on_device(OperationKind kind) const { return ran[static_cast<std::size_t>(kind)]; }
};

// The spans of a lane that lie in the interval, as indices into the trace.
std::span<const std::uint32_t> spans_in(const Lane& lane, const std::optional<trace::Interval>& within) {
  if (!within) return lane.span;
  const auto first = lane.first_ending(within->start);
  const auto end = std::upper_bound(lane.start.begin(), lane.start.end(), within->end) - lane.start.begin();
  if (first >= end) return {};
  return std::span(lane.span).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
}

KindsPresent kinds_present(const trace::Trace& trace, const Tracks& tracks,
                           const std::optional<trace::Interval>& within) {
  KindsPresent out;
  for (const Track& track : tracks.tracks) {
    if (track.kind == TrackKind::inside) continue;  // its lanes hold no spans
    for (const Lane& lane : track.executing) {
      for (const std::uint32_t index : spans_in(lane, within)) {
        const trace::Span span = trace::span_at(trace, index);
        if (track.kind == TrackKind::host) {
          (is_call(span) ? out.call : out.host_waits) = true;
        } else {
          out.ran[static_cast<std::size_t>(span.kind)] = true;
        }
      }
    }
    for (const Lane& lane : track.waiting)
      for (const std::uint32_t index : spans_in(lane, within)) {
        const WaitPiece& piece = tracks.waits[index];
        (piece.cause == verdict::WaitCause::gate ? out.held : piece.queued ? out.queued : out.waited) = true;
      }
  }
  return out;
}

}  // namespace

std::vector<LegendEntry> legend(const trace::Trace& trace, const Tracks& tracks, const Theme& theme, ColourBy colour_by,
                                const std::optional<trace::Interval>& within) {
  std::vector<LegendEntry> out;
  const auto bar = [&](std::string label, Colour meaning, Fill pattern) {
    const BarStyle own = bar_style(meaning, pattern, theme);
    out.push_back({std::move(label), own.ground, Fill::solid, false, own.pattern, own.ink});
  };
  const auto kind_of_bar = [&](std::string_view label, OperationKind kind) {
    bar(std::string(label), colour(kind), pattern_of(kind));
  };
  const KindsPresent present = kinds_present(trace, tracks, within);
  if (colour_by == ColourBy::stream) {
    std::size_t others = 0;
    for (const Track& track : tracks.tracks) {
      if (track.kind != TrackKind::stream) continue;
      if (const std::uint8_t slot = slot_of(tracks.slots, track.id); slot != kOtherStreams)
        bar(track.name, stream_colour(slot), stream_pattern(slot));
      else
        ++others;
    }
    if (others > 0)
      bar(tr_n("{} other stream", "{} other streams", others, others), other_streams_colour(), Fill::solid);
  } else {
    for (const auto& [kind, label] : {std::pair{OperationKind::h2d, tr("copy H2D")},
                                      {OperationKind::kernel, tr("kernel")},
                                      {OperationKind::d2h, tr("copy D2H")},
                                      {OperationKind::d2d, tr("copy D2D")},
                                      {OperationKind::memset, tr("memset")}})
      if (present.on_device(kind)) kind_of_bar(label, kind);
    if (present.on_device(OperationKind::record) || present.on_device(OperationKind::wait))
      kind_of_bar(tr("event"), OperationKind::record);
    const bool function = present.on_device(OperationKind::hostfn);
    if (function) kind_of_bar(tr("host call or function"), OperationKind::hostfn);
    if (present.call && !function) kind_of_bar(tr("host call"), OperationKind::work);
  }
  if (present.host_waits) kind_of_bar(tr("host waits"), OperationKind::sync);
  if (present.queued) out.push_back({tr("issued, not ready"), theme.waiting, Fill::dotted});
  if (present.waited) out.push_back({tr("ready, waiting"), theme.waiting, Fill::hatch});
  if (present.queued || present.waited)
    out.back().label = tr("{} (in the colour of what it waits for)", out.back().label);
  if (present.held) out.push_back({tr("held by the gate"), gate_colour(theme), Fill::dotted});
  if (!tracks.inside.pieces.empty()) {
    const auto phase = [&](std::string label, Phase which) { bar(std::move(label), colour(which), pattern_of(which)); };
    phase(tr("a block works on a tile"), Phase::working);
    out.push_back({tr("a block has none to work on"), theme.waiting, Fill::hatch});
    phase(tr("a tile's copy"), Phase::copying);
    out.push_back({tr("a block waits for it"), colour(Phase::waiting), Fill::hatch});
  }
  return out;
}

LegendEntry path_entry(const verdict::Path& path, const Theme& theme) {
  LegendEntry entry{tr("critical path: {}", path_shares_text(path, PathTimes::left_out)), theme.strong_text};
  entry.line = true;
  return entry;
}

LegendEntry ghost_entry(const std::string& profile, const Theme& theme) {
  LegendEntry entry{tr("predicted by the model ({})", profile), colour(OperationKind::kernel)};
  entry.colour = mixed(entry.colour, theme.background, 0.15F);
  entry.ghost = true;
  return entry;
}

}  // namespace streamscope::timeline
