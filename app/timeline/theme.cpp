#include "app/timeline/theme.h"

#include <array>
#include <cmath>

namespace streamscope::timeline {
namespace {

constexpr Colour rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8), static_cast<std::uint8_t>(hex)};
}

constexpr std::array<Theme, 4> kThemes{{
    {.name = ThemeName::dark,
     .text_scale = 1,
     .background = rgb(0x14171C),
     .panel = rgb(0x1B1F26),
     .lane = rgb(0x191D23),
     .grid = rgb(0x2A303A),
     .text = rgb(0xC5CCD6),
     .faint_text = rgb(0x8A94A3),
     .strong_text = rgb(0xF3F6FA),
     .waiting = rgb(0x737D8C),
     .selection = rgb(0x2DD4BF),
     .playhead = rgb(0xFF4FA0),
     .measured = rgb(0x23784A),
     .model = rgb(0x7350D6),
     .warning = rgb(0xE5A83B),
     .error = rgb(0xFF6B5E)},
    {.name = ThemeName::light,
     .text_scale = 1,
     .background = rgb(0xFFFFFF),
     .panel = rgb(0xF3F5F8),
     .lane = rgb(0xF8F9FB),
     .grid = rgb(0xE1E6EC),
     .text = rgb(0x2B333D),
     .faint_text = rgb(0x66717F),
     .strong_text = rgb(0x0C1116),
     .waiting = rgb(0x9AA4B1),
     .selection = rgb(0x0B8A80),
     .playhead = rgb(0xC8006E),
     .measured = rgb(0x1F7A4A),
     .model = rgb(0x6B4BD0),
     .warning = rgb(0x8F5A00),
     .error = rgb(0xC62828)},
    // For the back row: black on white, thicker grid, larger text.
    {.name = ThemeName::projector,
     .text_scale = 1.4F,
     .background = rgb(0xFFFFFF),
     .panel = rgb(0xF0F0F0),
     .lane = rgb(0xF6F6F6),
     .grid = rgb(0xC9CED6),
     .text = rgb(0x000000),
     .faint_text = rgb(0x3A3F47),
     .strong_text = rgb(0x000000),
     .waiting = rgb(0x6F7680),
     .selection = rgb(0x00756C),
     .playhead = rgb(0xB0005E),
     .measured = rgb(0x0B5D33),
     .model = rgb(0x4A2BB0),
     .warning = rgb(0x7A4B00),
     .error = rgb(0xB00000)},
    // No tinted areas: they cost ink and turn to dirt in a copy.
    {.name = ThemeName::print,
     .text_scale = 1,
     .background = rgb(0xFFFFFF),
     .panel = rgb(0xFFFFFF),
     .lane = rgb(0xFFFFFF),
     .grid = rgb(0xD5D9DE),
     .text = rgb(0x111111),
     .faint_text = rgb(0x4A4F57),
     .strong_text = rgb(0x000000),
     .waiting = rgb(0x808791),
     .selection = rgb(0x00756C),
     .playhead = rgb(0xB0005E),
     .measured = rgb(0x0B5D33),
     .model = rgb(0x4A2BB0),
     .warning = rgb(0x7A4B00),
     .error = rgb(0xB00000),
     .patterned = true},
}};
constexpr std::array<std::string_view, 4> kNames{"dark", "light", "projector", "print"};

constexpr Colour kH2d = rgb(0x009E73), kD2h = rgb(0xCC79A7), kKernel = rgb(0x56B4E9), kD2d = rgb(0x0072B2),
                 kMemset = rgb(0xF0E442), kHost = rgb(0xE69F00), kSync = rgb(0xD55E00), kEvent = rgb(0x8C8C8C);

double linear(std::uint8_t channel) {
  const double value = channel / 255.0;
  return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

// Relative luminance as WCAG 2 defines it.
double luminance(Colour of) { return 0.2126 * linear(of.r) + 0.7152 * linear(of.g) + 0.0722 * linear(of.b); }

}  // namespace

const Theme& theme(ThemeName which) { return kThemes[static_cast<std::size_t>(which)]; }

Colour colour(OperationKind kind) {
  switch (kind) {
    case OperationKind::h2d: return kH2d;
    case OperationKind::d2h: return kD2h;
    case OperationKind::d2d: return kD2d;
    case OperationKind::memset: return kMemset;
    case OperationKind::kernel: return kKernel;
    case OperationKind::prefetch: return kH2d;
    case OperationKind::record:
    case OperationKind::launch:
    case OperationKind::wait: return kEvent;
    case OperationKind::hostfn:
    case OperationKind::work:
    case OperationKind::malloc:
    case OperationKind::free:
    case OperationKind::touch:
    case OperationKind::thread: return kHost;
    case OperationKind::sync:
    case OperationKind::join:
    case OperationKind::poll: return kSync;
  }
  return kEvent;
}

Colour stream_colour(std::uint32_t stream) {
  // Okabe-Ito without black, and wine for the eighth; neighbours far apart.
  static constexpr std::array<Colour, 8> kHues{rgb(0x56B4E9), rgb(0xE69F00), rgb(0x009E73), rgb(0xCC79A7),
                                               rgb(0x0072B2), rgb(0xF0E442), rgb(0xD55E00), rgb(0x882255)};
  return kHues[stream % kHues.size()];
}

Colour text_on(Colour background) {
  constexpr Colour kDark = rgb(0x0A0E12), kLight = rgb(0xFFFFFF);
  const double behind = luminance(background);
  const double with_light = (luminance(kLight) + 0.05) / (behind + 0.05);
  const double with_dark = (behind + 0.05) / (luminance(kDark) + 0.05);
  return with_light > with_dark ? kLight : kDark;
}

// Stripes that rise are waiting; of kinds they are only the events, which are short.
Fill pattern_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::kernel: return Fill::solid;
    case OperationKind::h2d:
    case OperationKind::prefetch: return Fill::falling;
    case OperationKind::d2h: return Fill::dots;
    case OperationKind::d2d: return Fill::grid;
    case OperationKind::memset: return Fill::vertical;
    case OperationKind::record:
    case OperationKind::launch:
    case OperationKind::wait: return Fill::rising;
    case OperationKind::hostfn:
    case OperationKind::work:
    case OperationKind::malloc:
    case OperationKind::free:
    case OperationKind::touch:
    case OperationKind::thread: return Fill::level;
    case OperationKind::sync:
    case OperationKind::join:
    case OperationKind::poll: return Fill::crossed;
  }
  return Fill::rising;
}

Fill stream_pattern(std::uint32_t stream) {
  static constexpr std::array<Fill, 8> kTurn{Fill::solid, Fill::falling, Fill::dots,     Fill::level,
                                             Fill::grid,  Fill::crossed, Fill::vertical, Fill::rising};
  return kTurn[stream % kTurn.size()];
}

Colour mixed(Colour a, Colour b, float share_of_b) {
  const auto channel = [&](std::uint8_t x, std::uint8_t y) {
    return static_cast<std::uint8_t>(
        std::lround(static_cast<float>(x) * (1 - share_of_b) + static_cast<float>(y) * share_of_b));
  };
  return {channel(a.r, b.r), channel(a.g, b.g), channel(a.b, b.b), channel(a.a, b.a)};
}

std::string_view name(ThemeName which) { return kNames[static_cast<std::size_t>(which)]; }

std::optional<ThemeName> theme_name(std::string_view wanted) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == wanted) return static_cast<ThemeName>(i);
  }
  return std::nullopt;
}

}  // namespace streamscope::timeline
