#include "app/window/panels/minimap.h"

#include "app/window/panels/gestures.h"

#include <algorithm>
#include <cmath>

#include "app/window/state/compared_runs.h"

namespace streamscope::window {
namespace {

constexpr double kReach = 5;       // pixels at scale 1, to each side of an edge
constexpr double kLeastWidth = 3;  // columns of the overview that the frame is drawn with at least

timeline::View of_interval(Nanoseconds from, Nanoseconds to, int plot_width) {
  const auto [begin, end] = std::minmax(from, to);
  const std::int64_t scale = (end - begin) * timeline::kFine / std::max(plot_width, 1);
  return {begin * timeline::kFine, std::clamp(scale, timeline::kSmallestScale, timeline::kLargestScale)};
}

}  // namespace

ViewFrame::Grip ViewFrame::grip(const timeline::Pixels& frame, double x, double reach) {
  const auto x0 = static_cast<double>(frame.x0), x1 = static_cast<double>(frame.x1);
  // So that a narrow frame can still be moved, its edges mostly take hold outside of it.
  const double inner = std::min(reach, (x1 - x0) / 4);
  if (x >= x0 - reach && x < x0 + inner) return Grip::left;
  if (x > x1 - inner && x <= x1 + reach) return Grip::right;
  return Grip::inside;
}

timeline::View ViewFrame::dragged(Grip grip, const timeline::View& begun, const timeline::View& overview, double from,
                                  double to, int plot_width) {
  const Nanoseconds left = timeline::time_at(begun, 0), right = timeline::time_at(begun, plot_width);
  switch (grip) {
    case Grip::none: return begun;
    case Grip::left: return of_interval(timeline::time_at(overview, to), right, plot_width);
    case Grip::right: return of_interval(left, timeline::time_at(overview, to), plot_width);
    case Grip::inside: break;
  }
  const double columns = (to - from) * static_cast<double>(overview.scale) / static_cast<double>(begun.scale);
  return timeline::panned(begun, columns);
}

Result<void> Minimap::create() { return canvas_.create(); }

float Minimap::height(const Look& look) { return std::round(30 * look.scale); }

void Minimap::draw(const Panel& panel, const Box& place, const timeline::Tracks& tracks, const timeline::View& view,
                   const timeline::Frame& frame) {
  const State& state = panel.state;
  const ImGuiIO& io = ImGui::GetIO();
  const float ratio = io.DisplayFramebufferScale.x > 0 ? io.DisplayFramebufferScale.x : 1;
  Seen now{state.runs.shown,
           {.width = static_cast<int>(place.width * ratio),
            .height = static_cast<int>(place.height * ratio),
            .plot_x = frame.plot_x,
            .colour_by = state.timeline.colour_by,
            .whole = std::nullopt},
           state.workspace.theme,
           !ghost_of(state).empty()};
  if (state.comparison.second) now.options.whole = timeline::extent(tracks, compared_run(state));
  if (now != seen_) {
    canvas_.set(timeline::overview(tracks, panel.look.theme, now.options));
    seen_ = now;
  }
  ImGui::SetCursorScreenPos({place.x, place.y});
  ImGui::InvisibleButton("overview", {place.width, place.height});
  const bool hovered = ImGui::IsItemHovered(), held = ImGui::IsItemActive();
  const timeline::View whole = timeline::overview_view(tracks, now.options);
  const int plot = std::max(1, frame.plot_width);
  const double x = std::floor((io.MousePos.x - place.x) * ratio) - frame.plot_x;
  timeline::Pixels shown = timeline::in_sight(whole, view, plot);

  const double reach = kReach * panel.look.scale * ratio;
  if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    begun_ = view;
    from_ = x;
    grip_ = ViewFrame::grip(shown, x, reach);
    const auto centre = static_cast<double>(shown.x0 + shown.x1) / 2;
    const bool outside = x < static_cast<double>(shown.x0) - reach || x > static_cast<double>(shown.x1) + reach;
    if (outside) {  // the frame comes to the mouse
      begun_ = ViewFrame::dragged(ViewFrame::Grip::inside, view, whole, centre, x, plot);
      panel.emit(command::SetView{begun_});
    }
  }
  if (!held) grip_ = ViewFrame::Grip::none;
  if (held && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0))
    panel.emit(command::SetView{ViewFrame::dragged(grip_, begun_, whole, from_, x, plot)});
  if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) panel.emit(command::SetView{std::nullopt});
  if (hovered && io.MouseWheel != 0) {
    const double at = std::clamp(
        static_cast<double>(timeline::pixels(view, timeline::time_at(whole, x), timeline::time_at(whole, x)).x0), 0.0,
        static_cast<double>(plot));
    panel.emit(command::SetView{timeline::zoomed(view, std::pow(kWheelStep, io.MouseWheel), at)});
  }
  if (hovered || held) {
    const ViewFrame::Grip grip = held ? grip_ : ViewFrame::grip(shown, x, reach);
    const bool edge = grip == ViewFrame::Grip::left || grip == ViewFrame::Grip::right;
    ImGui::SetMouseCursor(edge ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_Hand);
  }

  canvas_.draw(panel.look.fonts, {place.x, place.y});
  // What is out of view is dimmed.
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto on_screen = [&](double column) {
    const double inside = std::clamp(column, 0.0, static_cast<double>(now.options.width - frame.plot_x));
    return place.x + static_cast<float>((inside + frame.plot_x) / ratio);
  };
  if (static_cast<double>(shown.x1 - shown.x0) < kLeastWidth)
    shown.x1 = shown.x0 + static_cast<std::int64_t>(kLeastWidth);
  const float left = on_screen(static_cast<double>(shown.x0)), right = on_screen(static_cast<double>(shown.x1));
  const float top = place.y, bottom = place.y + place.height;
  const ImU32 dim = packed(faded(panel.look.theme.background, 150));
  list.AddRectFilled({on_screen(0), top}, {left, bottom}, dim);
  list.AddRectFilled({right, top}, {place.x + place.width, bottom}, dim);
  list.AddRect({left, top}, {right, bottom}, packed(panel.look.theme.selection));
  list.AddLine({place.x, bottom - 0.5f}, {place.x + place.width, bottom - 0.5f}, packed(panel.look.theme.grid));
}

}  // namespace streamscope::window
