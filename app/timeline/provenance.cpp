#include "app/timeline/provenance.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "app/timeline/bars.h"
#include "app/timeline/inside_bars.h"
#include "app/timeline/text_width.h"
#include "engine/base/quantity.h"

namespace streamscope::timeline {
namespace {

bool is_wait(OperationKind kind) { return kind == OperationKind::sync || kind == OperationKind::poll; }

std::string_view spelled(OperationKind kind) {
  switch (kind) {
    case OperationKind::h2d: return "copy H2D";
    case OperationKind::d2h: return "copy D2H";
    case OperationKind::d2d: return "copy D2D";
    case OperationKind::memset: return "memset";
    case OperationKind::kernel: return "kernel";
    default: return "event";
  }
}

// What the bars of some tracks are of.
struct Shown {
  std::array<bool, kOperationKinds> ran{};
  bool call = false, host_waits = false;  // on host tracks
  bool waited = false, held = false;      // on streams: for something, by the gate
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

Shown shown_on(const trace::Trace& trace, const Tracks& tracks, const std::optional<trace::Interval>& within) {
  Shown out;
  for (const Track& track : tracks.tracks) {
    if (track.kind == TrackKind::inside) continue;  // its lanes hold no spans
    for (const Lane& lane : track.executing) {
      for (const std::uint32_t index : spans_in(lane, within)) {
        const OperationKind kind = trace::span_at(trace, index).kind;
        if (track.kind == TrackKind::host) {
          (is_wait(kind) ? out.host_waits : out.call) = true;
        } else {
          out.ran[static_cast<std::size_t>(kind)] = true;
        }
      }
    }
    for (const Lane& lane : track.waiting)
      for (const std::uint32_t index : spans_in(lane, within))
        (trace::span_at(trace, index).reason == trace::WaitReason::gate ? out.held : out.waited) = true;
  }
  return out;
}

}  // namespace

std::string provenance_text(const trace::Provenance& provenance) {
  const bool measured = provenance.kind == trace::Provenance::Kind::measured;
  std::string text;
  const auto part = [&](const std::string& what) {
    if (what.empty()) return;
    if (!text.empty()) text += "  ·  ";
    text += what;
  };
  part(provenance.device);
  if (measured) {
    if (!provenance.driver.empty()) part("driver " + provenance.driver);
    // Wall times alone come from one clock.
    if (provenance.uncertainty > 0) part(fmt::format("clock ±{}", display_duration(provenance.uncertainty)));
  } else {
    if (!provenance.profile.empty()) part("profile " + provenance.profile);
    part("simulated, no GPU ran this");
  }
  if (!provenance.instrument.empty()) part("instrument " + trace::instrument_text(provenance));
  part(provenance.date);
  return text;
}

Colour bar_colour(const trace::Span& span, TrackKind track, ColourBy colour_by) {
  if (colour_by == ColourBy::stream && span.stream != trace::Span::kNoStream) return stream_colour(span.stream);
  if (track == TrackKind::host && !is_wait(span.kind)) return colour(OperationKind::work);
  return colour(span.kind);
}

Colour waiting_colour(const trace::Span& span, const Theme& theme) {
  return span.reason == trace::WaitReason::gate ? mixed(theme.waiting, colour(OperationKind::sync), 0.5F)
                                                : theme.waiting;
}

Coat bar_coat(const trace::Span& span, TrackKind track, ColourBy colour_by, const Theme& theme) {
  const Colour meaning = bar_colour(span, track, colour_by);
  if (!theme.patterned) return {meaning, Fill::solid, meaning};
  if (colour_by == ColourBy::stream && span.stream != trace::Span::kNoStream)
    return coat(meaning, stream_pattern(span.stream), theme);
  const bool call = track == TrackKind::host && !is_wait(span.kind);
  return coat(meaning, pattern_of(call ? OperationKind::work : span.kind), theme);
}

std::vector<LegendEntry> legend(const trace::Trace& trace, const Tracks& tracks, const Theme& theme, ColourBy colour_by,
                                const std::optional<trace::Interval>& within) {
  std::vector<LegendEntry> out;
  const auto bar = [&](std::string label, Colour meaning, Fill pattern) {
    const Coat own = coat(meaning, pattern, theme);
    out.push_back({std::move(label), own.ground, Fill::solid, false, own.pattern, own.ink});
  };
  const auto kind_of_bar = [&](std::string_view label, OperationKind kind) {
    bar(std::string(label), colour(kind), pattern_of(kind));
  };
  const Shown shown = shown_on(trace, tracks, within);
  if (colour_by == ColourBy::stream) {
    for (const Track& track : tracks.tracks)
      if (track.kind == TrackKind::stream) bar(track.name, stream_colour(track.id), stream_pattern(track.id));
  } else {
    for (const OperationKind kind :
         {OperationKind::h2d, OperationKind::kernel, OperationKind::d2h, OperationKind::d2d, OperationKind::memset}) {
      if (shown.on_device(kind)) kind_of_bar(spelled(kind), kind);
    }
    if (shown.on_device(OperationKind::record) || shown.on_device(OperationKind::wait))
      kind_of_bar(spelled(OperationKind::record), OperationKind::record);
    const bool function = shown.on_device(OperationKind::hostfn);
    if (function) kind_of_bar("host call or function", OperationKind::hostfn);
    if (shown.call && !function) kind_of_bar("host call", OperationKind::work);
  }
  if (shown.host_waits) kind_of_bar("host waits", OperationKind::sync);
  if (shown.waited) out.push_back({"ready, waiting", theme.waiting, Fill::hatch});
  if (shown.held) {
    trace::Span gated;
    gated.reason = trace::WaitReason::gate;
    out.push_back({"held by the gate", waiting_colour(gated, theme), Fill::hatch});
  }
  if (!tracks.inside.pieces.empty()) {
    const auto phase = [&](std::string label, Phase which) { bar(std::move(label), colour(which), pattern_of(which)); };
    phase("a block works on a tile", Phase::working);
    out.push_back({"a block has none to work on", theme.waiting, Fill::hatch});
    phase("a tile's copy", Phase::copying);
    out.push_back({"a block waits for it", colour(Phase::waiting), Fill::hatch});
  }
  return out;
}

LegendEntry ghost_entry(const std::string& profile, const Theme& theme) {
  LegendEntry entry{"predicted by the model (" + profile + ")", colour(OperationKind::kernel), Fill::solid};
  entry.colour = mixed(entry.colour, theme.background, 0.15F);
  entry.ghost = true;
  return entry;
}

namespace {

// The word on its plate; gives the column after it.
int draw_word(Picture& picture, std::string_view word, Colour fill, int x0, const Rectangle& within, float text_size) {
  const auto pad = static_cast<int>(std::lround(text_size * 0.7F));
  const int height = within.y1 - within.y0;
  const int inset = std::max(0, (height - static_cast<int>(std::lround(text_size * 1.6F))) / 2);
  const int end = x0 + static_cast<int>(std::ceil(text_width(word, Font::bold, text_size))) + 2 * pad;
  const float middle = static_cast<float>(within.y0 + within.y1) / 2;
  picture.rectangles.push_back({x0, within.y0 + inset, end, within.y1 - inset, fill, Fill::solid});
  picture.texts.push_back({static_cast<float>(x0 + end) / 2, middle, text_size, Anchor::centre, Font::bold,
                           text_on(fill), std::string(word), x0, end});
  return end;
}

}  // namespace

void draw_badge(Picture& picture, const trace::Provenance& provenance, const Theme& theme, const Rectangle& within,
                float text_size, const std::string& ghost) {
  if (within.y1 - within.y0 < 2 || within.x0 >= within.x1) return;
  const Colour fill = provenance.kind == trace::Provenance::Kind::measured ? theme.measured : theme.model;
  const auto pad = static_cast<int>(std::lround(text_size * 0.7F));
  const float middle = static_cast<float>(within.y0 + within.y1) / 2;
  const auto put = [&](int x, int end, const std::string& words) {
    std::string text = fitted(words, Font::regular, text_size, static_cast<float>(end - x));
    if (text.empty()) return;
    picture.texts.push_back(
        {static_cast<float>(x), middle, text_size, Anchor::left, Font::regular, theme.text, std::move(text), x, end});
  };
  int right = within.x1;
  if (!ghost.empty()) {
    // As wide as it is, up to half of the room.
    const std::string_view word = trace::badge(trace::Provenance::Kind::model);
    const std::string words = "ghost: profile " + ghost;
    const float plate = text_width(word, Font::bold, text_size) + 3 * static_cast<float>(pad);
    const int wide = static_cast<int>(std::ceil(plate + text_width(words, Font::regular, text_size))) + 2;
    const int x = std::max(within.x1 - wide, (within.x0 + within.x1) / 2);
    put(draw_word(picture, word, theme.model, x, within, text_size) + pad, within.x1, words);
    right = x - pad;
  }
  const int word_end = draw_word(picture, trace::badge(provenance.kind), fill, within.x0, within, text_size);
  put(word_end + pad, right, provenance_text(provenance));
}

void draw_badges(Picture& picture, const trace::Provenance& first, const Beside& beside, const Theme& theme,
                 const Rectangle& within, float text_size) {
  if (within.y1 - within.y0 < 2 || within.x0 >= within.x1) return;
  const auto pad = static_cast<int>(std::lround(text_size * 0.7F));
  const int half = (within.x0 + within.x1) / 2;
  const auto put = [&](const trace::Provenance& of, int x0, int x1, const std::string& name, const char* where) {
    const Colour fill = of.kind == trace::Provenance::Kind::measured ? theme.measured : theme.model;
    const int end = draw_word(picture, trace::badge(of.kind), fill, x0, within, text_size), x = end + pad;
    std::string words = name;
    for (const std::string& part : {std::string(where), provenance_text(of)})
      if (!part.empty()) words += (words.empty() ? "" : "  ·  ") + part;
    words = fitted(words, Font::regular, text_size, static_cast<float>(x1 - x));
    if (!words.empty())
      picture.texts.push_back({static_cast<float>(x), static_cast<float>(within.y0 + within.y1) / 2, text_size,
                               Anchor::left, Font::regular, theme.text, std::move(words), x, x1});
    return end;
  };
  const int first_end = put(first, within.x0, half - pad, beside.first_title, beside.overlaid ? "above" : "");
  if (first_end <= half)  // else the page has no room for two
    put(beside.trace->provenance, half, within.x1, beside.title, beside.overlaid ? "outlined, below" : "");
}

}  // namespace streamscope::timeline
