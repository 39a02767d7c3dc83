#include "app/timeline/bar_style.h"

namespace streamscope::timeline {

bool is_host_wait(OperationKind kind) { return kind == OperationKind::sync || kind == OperationKind::poll; }

BarStyle bar_style(Colour meaning, Fill pattern, const Theme& theme) {
  if (!theme.patterned) return {meaning, Fill::solid, meaning};
  return {mixed(meaning, Colour{255, 255, 255}, 0.35F), pattern, mixed(meaning, Colour{0, 0, 0}, 0.4F)};
}

Colour bar_colour(const trace::Span& span, TrackKind track, ColourBy colour_by) {
  if (colour_by == ColourBy::stream && span.stream != trace::Span::kNoStream) return stream_colour(span.stream);
  if (track == TrackKind::host && !is_host_wait(span.kind)) return colour(OperationKind::work);
  return colour(span.kind);
}

BarStyle bar_style(const trace::Span& span, TrackKind track, ColourBy colour_by, const Theme& theme) {
  // A call that returned an error is red.
  const Colour meaning = span.result != CallResult::success ? theme.error : bar_colour(span, track, colour_by);
  if (!theme.patterned) return {meaning, Fill::solid, meaning};
  if (colour_by == ColourBy::stream && span.stream != trace::Span::kNoStream)
    return bar_style(meaning, stream_pattern(span.stream), theme);
  const bool call = track == TrackKind::host && !is_host_wait(span.kind);
  return bar_style(meaning, pattern_of(call ? OperationKind::work : span.kind), theme);
}

Colour colour(Phase phase) {
  return phase == Phase::working ? colour(OperationKind::kernel) : colour(OperationKind::d2d);
}

Fill pattern_of(Phase phase) {
  return pattern_of(phase == Phase::working ? OperationKind::kernel : OperationKind::d2d);
}

}  // namespace streamscope::timeline
