#include "app/window/panels/playhead_view.h"

#include <algorithm>
#include <optional>

#include "app/timeline/layout_options.h"
#include "app/timeline/playhead.h"
#include "app/window/state/playhead.h"

namespace streamscope::window {

bool PlayheadView::scrub(const Panel& panel, const Placed& at, const Pointer& pointer) {
  const timeline::Metrics m = timeline::metrics(at.options);
  const int column = pointer.x - at.frame.plot_x;
  const bool on_axis =
      pointer.over && pointer.y >= m.title && pointer.y < timeline::track_area(at.options).top && column >= 0;
  if (on_axis && pointer.double_clicked) {
    panel.emit(command::SetPlayhead{kAbsent});
    scrubbing_ = false;
    return true;
  }
  if (on_axis && pointer.pressed) scrubbing_ = true;
  if (on_axis || scrubbing_) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (!scrubbing_) return false;
  const Nanoseconds time = timeline::time_at(at.view, std::clamp(column, 0, at.frame.plot_width));
  // A mouse held still holds a playing playhead, but does not bring back one that a key has moved.
  const bool moved = pointer.pressed || pointer.x != last_x_;
  last_x_ = pointer.x;
  if (moved || panel.state.slow_motion.playing) panel.emit(command::SetPlayhead{time});
  // Also in the frame of the release, which the timeline would take for a click.
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) scrubbing_ = false;
  return true;
}

void PlayheadView::follow(const Panel& panel, const Placed& at) {
  const State& state = panel.state;
  if (!state.slow_motion.playing || !known(state.slow_motion.playhead) || !state.timeline.view || scrubbing_) return;
  const std::int64_t column = timeline::column(at.view, state.slow_motion.playhead), width = at.frame.plot_width;
  if (width < 1 || (column >= 0 && column < width)) return;
  // The next page begins shortly before the playhead, so that what led there is in sight, too.
  panel.emit(
      command::SetView{timeline::panned(at.view, static_cast<double>(column) - static_cast<double>(width) * 0.08)});
}

void PlayheadView::draw(const Panel& panel, const Placed& at) {
  const State& state = panel.state;
  if (!known(state.slow_motion.playhead)) return;
  const trace::Trace& trace = state.runs.shown->run->trace;
  timeline::LayoutOptions options = at.options;
  options.playhead = looked_at(state);
  const timeline::InstantIndex* index = instants(state);
  std::optional<timeline::Instant> now;
  if (index != nullptr) now = timeline::instant(trace, *index, options.playhead);
  canvas_.set(timeline::playhead_scene(trace, at.tracks, at.view, panel.look.theme, options, now ? &*now : nullptr));
  canvas_.draw(panel.look.fonts, {at.place.x, at.place.y});
}

}  // namespace streamscope::window
