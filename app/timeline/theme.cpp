#include "app/timeline/theme.h"

#include "engine/base/translate.h"

#include <array>
#include <cmath>

#include "app/timeline/contrast.h"

namespace streamscope::timeline {
namespace {

constexpr Colour rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8), static_cast<std::uint8_t>(hex)};
}

constexpr std::size_t kThemeCount = kNames<ThemeName>.size();

struct Role {
  Colour Theme::*colour;
  std::array<std::uint32_t, kThemeCount> hex;  // in each theme
};
// The projector is for the back row: black on white, thicker grid. Print has no tinted areas: they cost ink and turn to
// dirt in a copy.
constexpr Role kRoles[] = {
    {&Theme::background, {0x14171C, 0xFFFFFF, 0xFFFFFF, 0xFFFFFF}},
    {&Theme::panel, {0x1B1F26, 0xF3F5F8, 0xF0F0F0, 0xFFFFFF}},
    {&Theme::lane, {0x191D23, 0xF8F9FB, 0xF6F6F6, 0xFFFFFF}},
    {&Theme::grid, {0x2A303A, 0xE1E6EC, 0xC9CED6, 0xD5D9DE}},
    {&Theme::text, {0xC5CCD6, 0x2B333D, 0x000000, 0x111111}},
    {&Theme::faint_text, {0x959FAE, 0x58626E, 0x3A3F47, 0x4A4F57}},
    {&Theme::strong_text, {0xF3F6FA, 0x0C1116, 0x000000, 0x000000}},
    {&Theme::waiting, {0x737D8C, 0x9AA4B1, 0x6F7680, 0x808791}},
    {&Theme::selection, {0x2DD4BF, 0x00756C, 0x00756C, 0x00756C}},
    {&Theme::playhead, {0xFF4FA0, 0xC8006E, 0xB0005E, 0xB0005E}},
    {&Theme::measured, {0x23784A, 0x1F7A4A, 0x0B5D33, 0x0B5D33}},
    {&Theme::model, {0x7350D6, 0x6B4BD0, 0x4A2BB0, 0x4A2BB0}},
    {&Theme::warning, {0xE5A83B, 0x8F5A00, 0x7A4B00, 0x7A4B00}},
    {&Theme::error, {0xFF6B5E, 0xBE2222, 0xB00000, 0xB00000}},
};

constexpr std::array<Theme, kThemeCount> kThemes = [] {
  std::array<Theme, kThemeCount> out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].name = static_cast<ThemeName>(i);
    for (const Role& role : kRoles) out[i].*role.colour = rgb(role.hex[i]);
  }
  out[static_cast<std::size_t>(ThemeName::projector)].text_scale = 1.4F;
  out[static_cast<std::size_t>(ThemeName::print)].patterned = true;
  return out;
}();

// What bars of a kind look like. Stripes that rise are waiting; of kinds they are only the events, which are short.
struct KindLook {
  Colour colour;
  Fill pattern;
};
constexpr KindLook kH2d{rgb(0x009E73), Fill::falling}, kD2h{rgb(0xCC79A7), Fill::dots},
    kKernel{rgb(0x56B4E9), Fill::solid}, kD2d{rgb(0x0072B2), Fill::grid}, kMemset{rgb(0xF0E442), Fill::vertical},
    kHost{rgb(0xE69F00), Fill::level}, kSync{rgb(0xD55E00), Fill::crossed}, kEvent{rgb(0x8C8C8C), Fill::rising};

const KindLook& look_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::h2d:
    case OperationKind::prefetch: return kH2d;
    case OperationKind::d2h: return kD2h;
    case OperationKind::peer:
    case OperationKind::d2d: return kD2d;
    case OperationKind::memset: return kMemset;
    case OperationKind::fault:
    case OperationKind::kernel: return kKernel;
    case OperationKind::record:
    case OperationKind::launch:
    case OperationKind::wait: return kEvent;
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
    case OperationKind::thread: return kHost;
    case OperationKind::sync:
    case OperationKind::join:
    case OperationKind::poll:
    case OperationKind::query:
    case OperationKind::elapsed: return kSync;
  }
  return kEvent;
}

}  // namespace

const Theme& theme(ThemeName which) { return kThemes[static_cast<std::size_t>(which)]; }

Colour colour(OperationKind kind) { return look_of(kind).colour; }
Fill pattern_of(OperationKind kind) { return look_of(kind).pattern; }

Colour stream_colour(std::uint32_t stream) {
  // None is near the colour of a kind, so that no stream looks like one; chosen to differ most for the eye that sees
  // them worst, with any sort of colour blindness. Neighbours far apart.
  static constexpr std::array<Colour, 8> kHues{rgb(0xA995E6), rgb(0xB24747), rgb(0x7DB247), rgb(0x2253E6),
                                               rgb(0xE6BD95), rgb(0x7D47B2), rgb(0x53E622), rgb(0xE62284)};
  return kHues[stream % kHues.size()];
}

Colour other_streams_colour() { return rgb(0x8C8C8C); }

Colour text_on(Colour background) {
  constexpr Colour kDark = rgb(0x0A0E12), kLight = rgb(0xFFFFFF);
  return contrast(kLight, background) > contrast(kDark, background) ? kLight : kDark;
}

Fill stream_pattern(std::uint32_t stream) {
  static constexpr std::array<Fill, 8> kTurn{Fill::solid, Fill::falling, Fill::dots,     Fill::level,
                                             Fill::grid,  Fill::crossed, Fill::vertical, Fill::rising};
  return kTurn[stream % kTurn.size()];
}

Colour faded(Colour colour, std::uint8_t alpha) {
  colour.a = alpha;
  return colour;
}

Colour mixed(Colour a, Colour b, float share_of_b) {
  const auto channel = [&](std::uint8_t x, std::uint8_t y) {
    return static_cast<std::uint8_t>(
        std::lround(static_cast<float>(x) * (1 - share_of_b) + static_cast<float>(y) * share_of_b));
  };
  return {channel(a.r, b.r), channel(a.g, b.g), channel(a.b, b.b), channel(a.a, b.a)};
}

std::string_view name(ThemeName which) { return name_of(which); }
std::string_view title(ThemeName which) {
  constexpr std::array kTitles{tr_later("dark"), tr_later("light"), tr_later("projector"), tr_later("print")};
  return tr(kTitles[static_cast<std::size_t>(which)]);
}

}  // namespace streamscope::timeline
