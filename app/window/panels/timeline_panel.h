// Centre: the overview of the run and the timeline below it. What the mouse does there stands in gestures.h.
#pragma once

#include <memory>

#include "app/window/panels/panel.h"

namespace streamscope::window {

class TimelinePanel {
 public:
  TimelinePanel();
  ~TimelinePanel();
  TimelinePanel(TimelinePanel&&) noexcept;
  TimelinePanel& operator=(TimelinePanel&&) noexcept;
  // Makes what it needs on the GPU; the GL context must be current, here and when it is destroyed.
  Result<void> create();
  void draw(const Panel& panel, const Box& place);
  // Keys that need to know the timeline's width: zoom, pan, frame the selection.
  void zoom(const Panel& panel, double factor);
  void pan(const Panel& panel, double share);  // of the plot's width
  void frame_selection(const Panel& panel);
  void toggle_inside(const Panel& panel);  // of the selected kernel, else of the opened one
  void frame(const Panel& panel, const std::optional<trace::Span>& span,
             const std::optional<trace::Span>& compared);  // both in view
  int plot_width() const;                                  // pixels, for views that others ask for
  bool drew(std::uint64_t run_number) const;               // that run is in the picture
  timeline::View view_for(int width) const;                // what is seen now, on a picture of that width
  trace::Interval in_sight() const;                        // what the plot shows
  double pixel() const;                                    // of the plot, in nanoseconds

 private:
  struct Kept;
  std::unique_ptr<Kept> kept_;
};

}  // namespace streamscope::window
