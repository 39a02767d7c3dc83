// As many tracks as a page has room for, and words for the rest: nothing is left out silently.
#pragma once

#include "app/timeline/layout_options.h"
#include "app/timeline/tracks.h"

namespace streamscope::draw {

struct AvailableHeight {
  int height = 0;                      // for the timeline with its axis
  int note = 0;                        // of this, for the words, where something is left out
  int least_row = 0, tallest_row = 0;  // rows are as tall as fits between these
};

struct Excerpt {
  timeline::Tracks tracks, second;
  int row_height = 0;
  int height = 0;        // of the timeline with these rows
  std::string left_out;  // "and 96 more streams"; empty: all are here
};
// What does not fit even with the least rows is left out: lanes of tracks with very many, then of an
// opened kernel the multiprocessors that are not open themselves, then the last streams. `second`: of a second run, if
// the options compare with one; its tracks are these, whatever the options point at.
Excerpt excerpt(timeline::Tracks all, timeline::Tracks second, const timeline::LayoutOptions& options,
                const AvailableHeight& room);

}  // namespace streamscope::draw
