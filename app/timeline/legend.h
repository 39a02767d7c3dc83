// What the colours and patterns of a timeline mean.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/timeline/bar_style.h"
#include "app/timeline/queue_depth.h"
#include "engine/trace/interval.h"
#include "engine/verdict/critical_path.h"

namespace streamscope::timeline {

struct LegendEntry {
  std::string label;
  Colour colour;
  Fill fill = Fill::solid;
  bool ghost = false;       // outlined and lower
  Fill over = Fill::solid;  // a pattern over it, in the ink; solid: none
  Colour ink = {};
  bool line = false;             // no bar, but a line
  Meaning meaning = kNoMeaning;  // what it speaks of, where that can be shown alone (LayoutOptions::lit)
  std::string note = {};         // said behind its label, where there is room
  bool thin = false;             // a line that is
};
// Only what these tracks' bars show, in a fixed order: of the whole run or of the interval.
std::vector<LegendEntry> legend(const Tracks& tracks, const Theme& theme, ColourBy colour_by,
                                const std::optional<trace::Interval>& within = std::nullopt);
std::string name_of_kind(std::uint8_t which);  // of a class by kind: "copy H2D"
std::string name_of_class(std::uint8_t which, ColourBy colour_by, const Tracks& tracks);  // "S3", "other streams"

LegendEntry path_entry(const verdict::Path& path, const Theme& theme);  // "critical path: execution 86 %, call 14 %"
// "operations in a stream's queue, at most 1,022": which must not be empty.
LegendEntry queue_entry(const std::vector<QueueDepth>& queues, const Theme& theme);
LegendEntry ghost_entry(const std::string& profile, const Theme& theme);  // "predicted by the model (h200)"

}  // namespace streamscope::timeline
