#include "app/window/panels/gestures.h"

#include <algorithm>
#include <cmath>

#include "app/window/panels/snap.h"

namespace streamscope::window {
namespace {

constexpr double kPanShare = 0.1;  // of the plot, for one step of the wheel
constexpr float kScrollStep = 40;  // pixels at scale 1, for one step of the wheel
constexpr int kSnapReach = 6;      // pixels at scale 1

Nanoseconds snapped(const Plot& plot, int x, int y) {
  const int last = plot.frame.plot_x + plot.frame.plot_width;
  return snap(plot.trace, plot.tracks, plot.view, plot.options, plot.frame.plot_x,
              std::clamp(x, plot.frame.plot_x, last), y, static_cast<int>(kSnapReach * plot.options.scale));
}

bool same_row(const std::optional<timeline::Strip>& pressed, const timeline::Strip* now) {
  return pressed && now != nullptr && pressed->track == now->track && pressed->kind == now->kind &&
         pressed->pinned == now->pinned && pressed->device == now->device;
}

std::optional<timeline::View> view_of_hit(const Plot& plot, int width) {
  const timeline::ComparedRun& compared = plot.options.compared;
  if (plot.under->compared)
    return view_of(std::nullopt, trace::find_span(*compared.trace, plot.under->operation), compared.offset, width);
  return view_of(trace::find_span(plot.trace, plot.under->operation), std::nullopt, 0, width);
}

}  // namespace

void AxisLock::hold(float& sideways, float& upwards, Nanoseconds now) {
  if (sideways == 0 && upwards == 0) return;
  const bool rested = !known(last_) || now - last_ > kFingersRest;
  if (rested) sideways_ = std::abs(sideways) > std::abs(upwards);
  last_ = now;
  (sideways_ ? upwards : sideways) = 0;
}

void Gestures::wheel(Pointer& pointer, const Plot& plot, int& scroll, Commands& out) {
  lock_.hold(pointer.wheel_sideways, pointer.wheel, pointer.now);
  if (pointer.wheel == 0 && pointer.wheel_sideways == 0) return;
  const int plot_x = pointer.x - plot.frame.plot_x;
  if (pointer.wheel_sideways != 0 || pointer.shift) {
    const double steps = pointer.wheel_sideways != 0 ? -pointer.wheel_sideways : -pointer.wheel;
    out.emplace_back(
        command::SetView{timeline::panned(plot.view, std::round(steps * plot.frame.plot_width * kPanShare))});
  } else if (pointer.control || plot_x < 0) {
    const int step = static_cast<int>(pointer.wheel * kScrollStep * plot.options.scale);
    scroll = std::clamp(scroll - step, 0, plot.most_scroll);
  } else {
    out.emplace_back(command::SetView{timeline::zoomed(plot.view, std::pow(kWheelStep, pointer.wheel), plot_x)});
  }
}

void Gestures::press(const Pointer& pointer, const Plot& plot) {
  pressed_strip_.reset();
  from_ = kAbsent;
  dragged_ = false;
  if (plot.strip != nullptr) pressed_strip_ = *plot.strip;
  pressed_header_ = pointer.x < plot.frame.plot_x;
  const timeline::TrackArea area = timeline::track_area(plot.options);
  if (pressed_header_ || pointer.y < area.top || pointer.y >= area.bottom) return;
  drag_ = pointer.control ? Drag::range : Drag::measure;
  from_ = snapped(plot, pointer.x, pointer.y);
}

void Gestures::drag(const Pointer& pointer, const Plot& plot, Commands& out) {
  dragged_ = true;
  const Nanoseconds to = snapped(plot, pointer.x, pointer.y);
  const trace::Interval interval{std::min(from_, to), std::max(from_, to)};
  if (drag_ == Drag::range)
    out.emplace_back(command::SetRange{interval});
  else
    out.emplace_back(command::Measure{interval});
}

void Gestures::release(const Pointer& pointer, const Plot& plot, Commands& out) {
  const bool in_header = pointer.x < plot.frame.plot_x;
  const bool clicked =
      pointer.over && !dragged_ && in_header == pressed_header_ && same_row(pressed_strip_, plot.strip);
  const timeline::Strip* strip = plot.strip;
  if (clicked && strip->track == timeline::Strip::kNone) {
    if (!strip->pinned && pressed_header_ && strip->kind != timeline::TrackKind::inside)
      out.emplace_back(command::CollapseGroup{strip->kind, strip->hidden == 0, strip->device});
  } else if (clicked && pressed_header_ && strip->kind != timeline::TrackKind::inside) {
    if (pointer.x >= timeline::pin_left(plot.frame, timeline::metrics(plot.options)))
      out.emplace_back(command::PinTrack{timeline::key(plot.tracks.tracks[strip->track]), !strip->pinned});
  } else if (clicked && strip->kind == timeline::TrackKind::inside) {
    const timeline::Track& track = plot.tracks.tracks[strip->track];
    if (track.inside != timeline::InsideRow::stage) out.emplace_back(command::ToggleMultiprocessor{track.id});
  } else if (pointer.over && !dragged_ && known(from_)) {
    if (drag_ == Drag::range) {
      out.emplace_back(command::SetRange{std::nullopt});
    } else {
      if (plot.under && plot.under->compared)
        out.emplace_back(command::SelectCompared{plot.under->operation});
      else
        out.emplace_back(command::Select{plot.under ? plot.under->operation : kNoOperation});
      if (!plot.under) out.emplace_back(command::Measure{});
    }
  }
  drag_ = Drag::none;
  dragged_ = false;
  from_ = kAbsent;
  pressed_strip_.reset();
}

void Gestures::follow(Pointer pointer, const Plot& plot, int& scroll, Commands& out) {
  if (pointer.over) wheel(pointer, plot, scroll, out);
  panning_ = pointer.panning;
  if (panning_) {
    if (pointer.moved_x != 0) out.emplace_back(command::SetView{timeline::panned(plot.view, -pointer.moved_x)});
    scroll = std::clamp(scroll - pointer.moved_y, 0, plot.most_scroll);
  }
  if (pointer.over && pointer.pressed) press(pointer, plot);
  if (pointer.dragging && known(from_)) drag(pointer, plot, out);
  if (pointer.over && pointer.double_clicked && plot.under) {
    const int width = std::max(1, plot.frame.plot_width);
    if (plot.under->piece != timeline::kNoPiece)
      out.emplace_back(
          command::SetView{timeline::view_of_piece(plot.trace, plot.tracks.inside.pieces[plot.under->piece], width)});
    else if (const auto target = view_of_hit(plot, width))
      out.emplace_back(command::SetView{target});
  }
  if (pointer.released) release(pointer, plot, out);
}

std::optional<timeline::View> view_of(const trace::Span& span, int width) {
  return view_of(span, std::nullopt, 0, width);
}

std::optional<timeline::View> view_of(const std::optional<trace::Span>& span,
                                      const std::optional<trace::Span>& compared, Nanoseconds offset, int width) {
  std::optional<trace::Interval> all;
  const auto add = [&](const std::optional<trace::Span>& each, Nanoseconds by) {
    if (!each) return;
    const Nanoseconds from = known(each->ready) ? each->ready : known(each->start) ? each->start : each->host_begin;
    const Nanoseconds to = known(each->end) ? each->end : each->host_end;
    if (!known(from) || !known(to) || to < from) return;
    const auto moved = [&](Nanoseconds time) {
      return std::clamp(time, -timeline::kFurthest, timeline::kFurthest) + by;
    };
    if (!all) all = trace::Interval{moved(from), moved(to)};
    all = trace::Interval{std::min(all->start, moved(from)), std::max(all->end, moved(to))};
  };
  add(span, 0);
  add(compared, std::clamp(offset, -timeline::kFurthest, timeline::kFurthest));
  if (!all) return std::nullopt;
  const Nanoseconds margin = std::max<Nanoseconds>((all->end - all->start) / 2, 1);
  return timeline::fit(all->start - margin, all->end + margin, width);
}

}  // namespace streamscope::window
