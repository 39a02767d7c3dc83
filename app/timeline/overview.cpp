#include "app/timeline/overview.h"

#include <algorithm>

#include "app/timeline/draw_rectangle.h"
#include "app/timeline/draw_stacks.h"

namespace streamscope::timeline {
namespace {

// The rows that tell most: what the hardware did, else what the streams did, else the host.
std::vector<const Track*> rows_of(const Tracks& tracks, std::size_t most) {
  std::vector<const Track*> rows;
  for (const TrackKind kind : {TrackKind::engine, TrackKind::stream, TrackKind::host}) {
    for (const Track& track : tracks.tracks)
      if (track.kind == kind && rows.size() < most) rows.push_back(&track);
    if (!rows.empty()) break;
  }
  return rows;
}

}  // namespace

View overview_view(const Tracks& tracks, const OverviewOptions& options) {
  const trace::Interval all = options.whole.value_or(trace::Interval{tracks.begin, tracks.end});
  return fit(all.start, all.end, std::max(options.width - options.plot_x, 1));
}

Scene overview(const Tracks& tracks, const Theme& theme, const OverviewOptions& options) {
  Scene scene = blank_scene(options.width, options.height, theme.panel);
  const int left = options.plot_x, width = options.width - left;
  if (width <= 0 || options.height < 3) return scene;
  fill(scene, left, 0, options.width, options.height, theme.background);
  const std::vector<const Track*> rows = rows_of(tracks, static_cast<std::size_t>(options.height / 2));
  if (rows.empty()) return scene;
  const View view = overview_view(tracks, options);
  const int count = static_cast<int>(rows.size()), air = std::max(1, options.height / 10);
  const int room = std::max(options.height - 2 * air, count);
  std::vector<PixelRun> runs;
  for (int i = 0; i < count; ++i) {
    const int y0 = air + room * i / count, y1 = air + room * (i + 1) / count;
    const int between = y1 - y0 >= 4 ? 1 : 0;
    for (const Lane& lane : rows[static_cast<std::size_t>(i)]->executing) {
      runs.clear();
      emit(lane, view, 0, width, runs);
      StackBuilder stacks(lane, view, options.colour_by, theme, {left, width, y0, y1 - between, {0, options.height}});
      for (const PixelRun& run : runs) {
        if (stacks.can(run))
          stacks.add(run);
        else
          add_styled(
              scene,
              style_of_class(class_of(lane.classes[run.longest], number(options.colour_by)), options.colour_by, theme),
              {left + run.x0, y0, left + run.x1, y1 - between, {}}, {0, options.height});
      }
      stacks.put_onto(scene);
    }
  }
  return scene;
}

Pixels in_sight(const View& overview, const View& view, int plot_width) {
  return pixels(overview, time_at(view, 0), time_at(view, plot_width));
}

}  // namespace streamscope::timeline
