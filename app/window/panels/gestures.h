// What the mouse does on the timeline, without Dear ImGui: a pointer goes in, commands come out.
#pragma once

#include <optional>
#include <vector>

#include "app/timeline/hit.h"
#include "app/timeline/rows.h"
#include "app/window/state/command.h"

namespace streamscope::window {

// The mouse in one frame; places in pixels of the picture.
struct Pointer {
  int x = 0, y = 0;
  bool over = false;  // the timeline, and nothing above it
  float wheel = 0, wheel_sideways = 0;
  bool shift = false, control = false;
  bool pressed = false, double_clicked = false, released = false;  // the left button, now
  bool dragging = false;                                           // it is down and has moved a little
  bool panning = false;                                            // the right or middle button is down, pressed here
  int moved_x = 0, moved_y = 0;                                    // while panning
  Nanoseconds now = 0;                                             // host clock
};

// Two fingers on a trackpad never move straight: the direction that a movement begins in is kept until they rest.
class AxisLock {
 public:
  // Sets the direction that is not meant to 0.
  void hold(float& sideways, float& upwards, Nanoseconds now);

 private:
  Nanoseconds last_ = kAbsent;
  bool sideways_ = false;
};
inline constexpr double kWheelStep = 1.25;  // a step of the wheel zooms by so much
inline constexpr Nanoseconds kFingersRest = 150'000'000;

// The picture under the mouse.
struct Plot {
  const trace::Trace& trace;
  const timeline::Tracks& tracks;
  const timeline::LayoutOptions& options;
  timeline::View view;
  timeline::Frame frame;
  const std::vector<timeline::Strip>& rows;
  int most_scroll = 0;                 // how far the tracks can be scrolled
  std::optional<timeline::Hit> under;  // the pointer
  const timeline::Strip* strip = nullptr;
};

class Gestures {
 public:
  // Emits what this frame's pointer asks for; `scroll` is moved along.
  void follow(Pointer pointer, const Plot& plot, int& scroll, Commands& out);
  bool panning() const { return panning_; }

 private:
  enum class Drag : std::uint8_t { none, measure, range };
  void wheel(Pointer& pointer, const Plot& plot, int& scroll, Commands& out);
  void press(const Pointer& pointer, const Plot& plot);
  void drag(const Pointer& pointer, const Plot& plot, Commands& out);
  void release(const Pointer& pointer, const Plot& plot, Commands& out);

  AxisLock lock_;
  Drag drag_ = Drag::none;
  bool dragged_ = false;
  bool panning_ = false;
  Nanoseconds from_ = kAbsent;                    // where the left button went down in the plot
  std::optional<timeline::Strip> pressed_strip_;  // and on which row
  bool pressed_header_ = false;
};

// From the first thing known of an operation to the last, with room around it.
std::optional<timeline::View> view_of(const trace::Span& span, int width);
// From the first thing known of an operation and of its partner in the compared run to the last; either may be absent.
std::optional<timeline::View> view_of(const std::optional<trace::Span>& span,
                                      const std::optional<trace::Span>& compared, Nanoseconds offset, int width);

}  // namespace streamscope::window
