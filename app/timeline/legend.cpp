#include "app/timeline/legend.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/timeline/draw_waits.h"
#include "app/timeline/path_shares.h"
#include "engine/base/translate.h"

namespace streamscope::timeline {
namespace {

// What the bars of some tracks are of, by the classes in which they are coloured.
struct Present {
  std::array<bool, kClasses> on_device{}, on_host{};
  bool queued = false, waited = false, held = false;  // on streams; held: by the gate
  bool any(std::uint8_t which) const { return on_device[which] || on_host[which]; }
};

// The spans of a lane that lie in the interval, as places in the lane.
std::pair<std::size_t, std::size_t> range_in(const Lane& lane, const std::optional<trace::Interval>& within) {
  if (!within) return {0, lane.size()};
  const std::size_t first = lane.first_ending(within->start);
  const auto end = static_cast<std::size_t>(std::upper_bound(lane.start.begin(), lane.start.end(), within->end) -
                                            lane.start.begin());
  return {first, std::max(first, end)};
}

Present present_in(const Tracks& tracks, ColourBy colour_by, const std::optional<trace::Interval>& within) {
  Present out;
  const std::size_t which = number(colour_by);
  for (const Track& track : tracks.tracks) {
    if (track.kind == TrackKind::inside) continue;  // its lanes hold no spans
    std::array<bool, kClasses>& has = track.kind == TrackKind::host ? out.on_host : out.on_device;
    for (const Lane& lane : track.executing) {
      if (!within) {
        for (const std::uint8_t each : lane.sums[which].classes) has[each] = true;
        continue;
      }
      const auto [first, end] = range_in(lane, within);
      for (std::size_t i = first; i < end; ++i) has[class_of(lane.classes[i], which)] = true;
    }
    for (const Lane& lane : track.waiting) {
      const auto [first, end] = range_in(lane, within);
      for (std::size_t i = first; i < end; ++i) {
        const WaitPiece& piece = tracks.waits[lane.span[i]];
        (piece.cause == verdict::WaitCause::gate ? out.held : piece.queued ? out.queued : out.waited) = true;
      }
    }
  }
  return out;
}

}  // namespace

std::vector<LegendEntry> legend(const Tracks& tracks, const Theme& theme, ColourBy colour_by,
                                const std::optional<trace::Interval>& within) {
  std::vector<LegendEntry> out;
  const Present present = present_in(tracks, colour_by, within);
  const auto styled = [&](std::string label, const BarStyle& own, Meaning meaning) {
    out.push_back({std::move(label), own.ground, Fill::solid, false, own.pattern, own.ink, false, meaning});
  };
  const auto entry = [&](std::string label, std::uint8_t which) {
    if (present.any(which)) styled(std::move(label), style_of_class(which, colour_by, theme), which);
  };
  const auto waiting = [&](std::string label, Colour colour, Fill fill, Meaning meaning) {
    out.push_back({std::move(label), colour, fill});
    out.back().meaning = meaning;
  };
  if (colour_by == ColourBy::stream) {
    std::size_t others = 0;
    for (const Track& track : tracks.tracks) {
      if (track.kind != TrackKind::stream) continue;
      if (const std::uint8_t slot = slot_of(tracks.slots, track.id); slot != kOtherStreams)
        entry(track.name, slot);
      else
        ++others;
    }
    if (others > 0) entry(tr_n("{} other stream", "{} other streams", others, others), kOtherStreams);
    for (std::uint8_t i = 0; i < kStreamlessKinds.size(); ++i)
      entry(name_of_kind(kStreamlessKinds[i]), kStreamless + i);
    entry(name_of_kind(kFailedClass), kFailedByStream);
  } else {
    for (std::uint8_t i = 0; i < kKindClasses; ++i) {
      const bool both = i == kHostClass && present.on_device[i];
      entry(both ? tr("host call or function") : name_of_kind(i), i);
    }
  }
  if (present.queued) waiting(tr("issued, not ready"), theme.waiting, Fill::dotted, kQueuedMeaning);
  if (present.waited) waiting(tr("ready, waiting"), theme.waiting, Fill::hatch, kWaitingMeaning);
  if (present.queued || present.waited) out.back().note = tr("in the colour of what it waits for");
  if (present.held) waiting(tr("held by the gate"), gate_colour(theme), Fill::dotted, kGateMeaning);
  if (!tracks.inside.pieces.empty()) {
    const auto phase = [&](std::string label, Phase which) {
      styled(std::move(label), bar_style(colour(which), pattern_of(which), theme), kNoMeaning);
    };
    phase(tr("a block works on a tile"), Phase::working);
    out.push_back({tr("a block has none to work on"), theme.waiting, Fill::hatch});
    phase(tr("a tile's copy"), Phase::copying);
    out.push_back({tr("a block waits for it"), colour(Phase::waiting), Fill::hatch});
  }
  return out;
}

std::string name_of_kind(std::uint8_t which) {
  switch (static_cast<KindClass>(which)) {
    case kH2dClass: return tr("copy H2D");
    case kKernelClass: return tr("kernel");
    case kD2hClass: return tr("copy D2H");
    case kD2dClass: return tr("copy D2D");
    case kMemsetClass: return tr("memset");
    case kEventClass: return tr("event");
    case kHostClass: return tr("host call");
    case kSyncClass: return tr("host waits");
    case kFailedClass: return tr("failed");
    case kKindClasses: break;
  }
  return {};
}

std::string name_of_class(std::uint8_t which, ColourBy colour_by, const Tracks& tracks) {
  if (colour_by == ColourBy::kind) return name_of_kind(which);
  if (which == kOtherStreams) return tr("other streams");
  if (which == kFailedByStream) return name_of_kind(kFailedClass);
  if (which > kOtherStreams) return name_of_kind(kStreamlessKinds[which - kStreamless]);
  for (const Track& track : tracks.tracks)
    if (track.kind == TrackKind::stream && slot_of(tracks.slots, track.id) == which) return track.name;
  return tr("other streams");
}

LegendEntry path_entry(const verdict::Path& path, const Theme& theme) {
  LegendEntry entry{tr("critical path: {}", path_shares_text(path, PathTimes::left_out)), theme.strong_text};
  entry.line = true;
  return entry;
}

LegendEntry queue_entry(const std::vector<QueueDepth>& queues, const Theme& theme) {
  const std::uint32_t deepest = std::ranges::max(queues, {}, &QueueDepth::deepest).deepest;
  LegendEntry entry{tr("operations in a stream's queue, at most {}", deepest), theme.strong_text};
  entry.line = entry.thin = true;
  return entry;
}

LegendEntry ghost_entry(const std::string& profile, const Theme& theme) {
  LegendEntry entry{tr("predicted by the model ({})", profile), colour(OperationKind::kernel)};
  entry.colour = mixed(entry.colour, theme.background, 0.15F);
  entry.ghost = true;
  return entry;
}

}  // namespace streamscope::timeline
