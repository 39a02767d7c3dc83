// How bars are filled: colours and patterns by what an operation does, by its stream, by a stage's phase.
#pragma once

#include <array>
#include <cstdint>

#include "app/timeline/theme.h"
#include "app/timeline/tracks.h"

namespace streamscope::timeline {

enum class ColourBy : std::uint8_t { kind, stream };  // in the order of a pair of classes (lane.h)
constexpr std::size_t number(ColourBy by) { return static_cast<std::size_t>(by); }

// A ground, and where the theme is patterned a darker pattern over a lighter ground.
struct BarStyle {
  Colour ground;
  Fill pattern = Fill::solid;  // solid: none
  Colour ink;
};
BarStyle bar_style(Colour meaning, Fill pattern, const Theme& theme);

// By kind, from below in a column that stands for many: copies, kernels, ..., what a host thread calls, where it waits.
enum KindClass : std::uint8_t {
  kH2dClass,
  kKernelClass,
  kD2hClass,
  kD2dClass,
  kMemsetClass,
  kEventClass,
  kHostClass,
  kSyncClass,
  kFailedClass,
  kKindClasses
};
// By stream: the slots; what has no stream, by kind; what failed.
inline constexpr std::array kStreamlessKinds{kHostClass, kSyncClass, kH2dClass, kKernelClass, kD2hClass, kD2dClass};
inline constexpr std::uint8_t kStreamless = kOtherStreams + 1;
inline constexpr std::uint8_t kFailedByStream = kStreamless + kStreamlessKinds.size();
static_assert(kFailedByStream < kClasses && kKindClasses <= kClasses);

// What of a picture an entry of the legend speaks of: a class (lane.h) of the colours in use, or a sort of waiting.
using Meaning = std::uint8_t;
inline constexpr Meaning kQueuedMeaning = kClasses, kWaitingMeaning = kClasses + 1, kGateMeaning = kClasses + 2,
                         kNoMeaning = 255;
// Whether what has that meaning is pale, for that another one is to be seen alone.
constexpr bool dimmed(Meaning own, Meaning lit) { return lit != kNoMeaning && lit != own; }
inline constexpr float kPale = 0.78F;  // how much of the background is mixed into what is pale

// What a span counts as on such a track, by kind and by stream (lane.h): on a host track a call, else what it does; or
// its stream; whatever failed is a class of its own.
std::uint8_t class_pair_of(const trace::Span& span, TrackKind track, const StreamSlots& slots);
// The colour of such a class, and the same with the pattern that the theme may have.
Colour colour_of_class(std::uint8_t which, ColourBy colour_by, const Theme& theme);
BarStyle style_of_class(std::uint8_t which, ColourBy colour_by, const Theme& theme);
// Of a single bar.
BarStyle bar_style(const trace::Span& span, TrackKind track, ColourBy colour_by, const StreamSlots& slots,
                   const Theme& theme);
Colour bar_colour(const trace::Span& span, TrackKind track, ColourBy colour_by, const StreamSlots& slots,
                  const Theme& theme);

// Of the stages of an opened kernel.
Colour colour(Phase phase);
Fill pattern_of(Phase phase);

}  // namespace streamscope::timeline
