// Which tracks of a run a person asked for, by words: groups, names, headings of devices and globs.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "app/timeline/tracks.h"
#include "engine/base/result.h"

namespace streamscope::draw {

// "streams,engines" at the commas, without the spaces around them.
std::vector<std::string> track_words(std::string_view list);

// Keeps the tracks that a word names: "host", "streams", "engines", a name ("S0", "H2D engine", "h2d"), or a glob
// ("S?", "stream 1*"); of a run on several devices also the heading that they stand below ("GPU 1"), and with the
// device behind '@' one device's ("engines@1", "h2d@0"). The inside of an opened kernel stays. No words: all stay;
// capitals do not matter.
void choose_tracks(timeline::Tracks& tracks, const std::vector<std::string>& words);

// An error that lists the tracks there are, of all runs that are not null, where a word names none of them.
Result<void> check_tracks(std::initializer_list<const timeline::Tracks*> runs, const std::vector<std::string>& words);

}  // namespace streamscope::draw
