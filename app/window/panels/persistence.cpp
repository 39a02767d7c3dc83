#include "app/window/panels/persistence.h"

#include <algorithm>
#include <map>

namespace streamscope::window {
namespace {

constexpr std::uint8_t kFaint = 70;  // of one run; where many end at one place it grows darker

}  // namespace

void draw_cloud(const Panel& panel, const Placed& at, std::span<const timeline::Strip> rows) {
  const State& state = panel.state;
  if (!state.live.persistence || !state.runs.shown || state.live.program != state.runs.shown->run->program) return;
  const float ratio = ImGui::GetIO().DisplayFramebufferScale.x > 0 ? ImGui::GetIO().DisplayFramebufferScale.x : 1;
  const timeline::TrackArea scrolled = timeline::scrolled_area({rows.begin(), rows.end()}, at.options);
  std::map<timeline::TrackKey, timeline::TrackArea> areas;
  for (const timeline::Strip& each : rows) {
    if (each.track == timeline::Strip::kNone) continue;
    timeline::TrackArea area{each.y0, each.y1};
    if (!each.pinned) area = {std::max(area.top, scrolled.top), std::min(area.bottom, scrolled.bottom)};
    if (area.top < area.bottom) areas[timeline::key(at.tracks.tracks[each.track])] = area;
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 ink = packed(faded(panel.look.theme.strong_text, kFaint));
  for (const RunEnds& run : state.live.cloud)
    for (const auto& [track, end] : run) {
      const auto area = areas.find(track);
      const std::int64_t x = timeline::column(at.view, end);
      if (area == areas.end() || x < 0 || x >= at.frame.plot_width) continue;
      const float left = at.place.x + static_cast<float>(at.frame.plot_x + x) / ratio;
      list.AddRectFilled({left, at.place.y + static_cast<float>(area->second.top) / ratio},
                         {left + 1 / ratio, at.place.y + static_cast<float>(area->second.bottom) / ratio}, ink);
    }
}

}  // namespace streamscope::window
