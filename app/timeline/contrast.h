// How well two colours can be told apart, as WCAG 2 counts it.
#pragma once

#include <initializer_list>

#include "app/timeline/scene.h"

namespace streamscope::timeline {

double luminance(Colour of);              // relative, 0 to 1
double contrast(Colour a, Colour b);      // 1 to 21
inline constexpr double kReadable = 4.5;  // that is asked of text
// The ink, as far towards the other one as its text must go to be read on all of these grounds.
Colour readable(Colour ink, std::initializer_list<Colour> grounds, Colour towards);

}  // namespace streamscope::timeline
