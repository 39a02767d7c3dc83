#include "app/timeline/contrast.h"

#include <algorithm>
#include <cmath>

#include "app/timeline/theme.h"

namespace streamscope::timeline {
namespace {

double linear(std::uint8_t channel) {
  const double value = channel / 255.0;
  return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

}  // namespace

double luminance(Colour of) { return 0.2126 * linear(of.r) + 0.7152 * linear(of.g) + 0.0722 * linear(of.b); }

double contrast(Colour a, Colour b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

Colour readable(Colour ink, std::initializer_list<Colour> grounds, Colour towards) {
  constexpr float kStep = 0.05F;
  for (float share = 0; share < 1; share += kStep) {
    const Colour tried = mixed(ink, towards, share);
    if (std::ranges::all_of(grounds, [&](Colour ground) { return contrast(tried, ground) >= kReadable; })) return tried;
  }
  return towards;
}

}  // namespace streamscope::timeline
