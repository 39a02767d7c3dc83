#include "app/timeline/bar_style.h"

#include <array>

#include "app/timeline/contrast.h"
#include "engine/analysis/api_calls.h"
#include "engine/trace/call_result.h"

namespace streamscope::timeline {
namespace {

constexpr std::array kKindOfClass{OperationKind::h2d,  OperationKind::kernel, OperationKind::d2h,
                                  OperationKind::d2d,  OperationKind::memset, OperationKind::record,
                                  OperationKind::work, OperationKind::sync,   OperationKind::sync};

KindClass kind_class(const trace::Span& span) {
  switch (span.kind) {
    case OperationKind::prefetch: return span.engine == Engine::d2h ? kD2hClass : kH2dClass;
    case OperationKind::h2d: return kH2dClass;
    case OperationKind::d2h: return kD2hClass;
    case OperationKind::peer:
    case OperationKind::d2d: return kD2dClass;
    case OperationKind::memset: return kMemsetClass;
    case OperationKind::kernel: return kKernelClass;
    case OperationKind::fault: return kFailedClass;
    case OperationKind::record:
    case OperationKind::launch:
    case OperationKind::wait: return kEventClass;
    case OperationKind::hostfn:
    case OperationKind::work:
    case OperationKind::malloc:
    case OperationKind::free:
    case OperationKind::create:
    case OperationKind::destroy:
    case OperationKind::pin:
    case OperationKind::unpin:
    case OperationKind::reset:
    case OperationKind::touch:
    case OperationKind::device:
    case OperationKind::thread: return kHostClass;
    case OperationKind::sync:
    case OperationKind::join:
    case OperationKind::poll:
    case OperationKind::query:
    case OperationKind::elapsed: return kSyncClass;
  }
  return kEventClass;
}

std::uint8_t stream_class(const trace::Span& span, KindClass kind, const StreamSlots& slots) {
  if (kind == kFailedClass) return kFailedByStream;
  if (span.stream != trace::Span::kNoStream) return slot_of(slots, span.stream);
  for (std::uint8_t i = 0; i < kStreamlessKinds.size(); ++i)
    if (kStreamlessKinds[i] == kind) return kStreamless + i;
  return kStreamless;
}

// What such a class looks like, patterns not heeded yet.
struct ClassLook {
  Colour colour;
  Fill pattern;
};
ClassLook look_of_class(std::uint8_t which, ColourBy colour_by, const Theme& theme) {
  const auto by_kind = [&](std::uint8_t kind) -> ClassLook {
    const OperationKind like = kKindOfClass[kind];
    return {kind == kFailedClass ? theme.error : colour(like), pattern_of(like)};
  };
  if (colour_by == ColourBy::kind) return by_kind(which);
  if (which < kStreamHues) return {stream_colour(which), stream_pattern(which)};
  if (which == kOtherStreams) return {other_streams_colour(), Fill::solid};
  return by_kind(which == kFailedByStream ? kFailedClass : kStreamlessKinds[which - kStreamless]);
}

}  // namespace

BarStyle bar_style(Colour meaning, Fill pattern, const Theme& theme) {
  if (!theme.patterned) return {meaning, Fill::solid, meaning};
  constexpr Colour kWhite{255, 255, 255}, kBlack{0, 0, 0};
  const Colour ground = mixed(meaning, kWhite, 0.55F);
  // Not so dark that words could not be read on it.
  const Colour words = text_on(ground), ink = readable(mixed(meaning, kBlack, 0.4F), {words}, meaning);
  return {ground, pattern, readable(ink, {words}, kWhite)};
}

std::uint8_t class_pair_of(const trace::Span& span, TrackKind track, const StreamSlots& slots) {
  KindClass kind = kind_class(span);
  if (track == TrackKind::host) kind = analysis::call_waited(span) ? kSyncClass : kHostClass;
  if (track == TrackKind::host ? trace::call_failed(span) : span.result != CallResult::success) kind = kFailedClass;
  return class_pair(kind, stream_class(span, kind, slots));
}

Colour colour_of_class(std::uint8_t which, ColourBy colour_by, const Theme& theme) {
  return look_of_class(which, colour_by, theme).colour;
}

BarStyle style_of_class(std::uint8_t which, ColourBy colour_by, const Theme& theme) {
  const ClassLook look = look_of_class(which, colour_by, theme);
  return bar_style(look.colour, look.pattern, theme);
}

BarStyle bar_style(const trace::Span& span, TrackKind track, ColourBy colour_by, const StreamSlots& slots,
                   const Theme& theme) {
  return style_of_class(class_of(class_pair_of(span, track, slots), number(colour_by)), colour_by, theme);
}

Colour bar_colour(const trace::Span& span, TrackKind track, ColourBy colour_by, const StreamSlots& slots,
                  const Theme& theme) {
  return colour_of_class(class_of(class_pair_of(span, track, slots), number(colour_by)), colour_by, theme);
}

Colour colour(Phase phase) {
  return phase == Phase::working ? colour(OperationKind::kernel) : colour(OperationKind::d2d);
}

Fill pattern_of(Phase phase) {
  return pattern_of(phase == Phase::working ? OperationKind::kernel : OperationKind::d2d);
}

}  // namespace streamscope::timeline
