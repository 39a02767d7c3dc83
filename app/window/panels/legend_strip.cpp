#include "app/window/panels/legend_strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/state/run_verdicts.h"
#include "app/window/widgets/styled_box.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

void swatch(const Look& look, const timeline::LegendEntry& entry, const Box& at) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (entry.line) {  // in steps, as the queues' curves are
    const float middle = at.x + at.width / 2, high = at.y + at.height * 0.25f, low = at.y + at.height * 0.75f;
    const ImVec2 points[] = {{at.x, low}, {middle, low}, {middle, high}, {at.x + at.width, high}};
    list.AddPolyline(points, 4, packed(entry.colour), 0, entry.thin ? 1.0f : 2.0f);
    return;
  }
  pattern_pixels(list, look, at, entry.fill, entry.colour);
  if (entry.over != timeline::Fill::solid) pattern_pixels(list, look, at, entry.over, entry.ink);
}

}  // namespace

float LegendStrip::height(const Look& look) { return std::round(ImGui::GetTextLineHeight() + 8 * look.scale); }

void LegendStrip::draw(const Panel& panel, const Box& place, const timeline::Tracks& tracks) {
  const State& state = panel.state;
  const timeline::Theme& theme = panel.look.theme;
  const auto verdict = state.comparison.second ? nullptr : verdict_in_view(state);
  auto queues =
      verdict && verdict->shown == state.runs.shown && !verdict->marks->queues.empty() ? verdict->marks : nullptr;
  if (queues_ != queues || shown_ != state.runs.shown || colour_by_ != state.timeline.colour_by ||
      theme_ != theme.name || opened_ != state.timeline.opening.operation) {
    entries_ = timeline::legend(tracks, theme, state.timeline.colour_by);
    if (queues) entries_.push_back(timeline::queue_entry(queues->queues, theme));
    queues_ = std::move(queues);
    shown_ = state.runs.shown;
    colour_by_ = state.timeline.colour_by;
    theme_ = theme.name;
    opened_ = state.timeline.opening.operation;
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({place.x, place.y}, {place.x + place.width, place.y + place.height}, packed(theme.panel));
  const float em = ImGui::GetFontSize(), pad = std::round(em * 0.6f), line = ImGui::GetTextLineHeight();
  const float box = std::round(em * 1.2f), gap = std::round(em * 0.4f), high = std::round(line * 0.75f);
  const auto width_of_entry = [&](const timeline::LegendEntry& entry) { return box + gap + width_of(entry.label); };
  const auto put = [&](const timeline::LegendEntry& entry, ImVec2 at, float width) {
    const bool lit = entry.meaning == state.timeline.lit && entry.meaning != timeline::kNoMeaning;
    ImGui::SetCursorScreenPos({at.x - gap, at.y});
    const bool pressed = ImGui::InvisibleButton(entry.label.c_str(), {width + 2 * gap, place.height});
    const bool hovered = ImGui::IsItemHovered();
    const bool pale = timeline::dimmed(entry.meaning, state.timeline.lit);
    timeline::LegendEntry shown = entry;
    if (pale) shown.colour = mixed(entry.colour, theme.panel, timeline::kPale);
    swatch(panel.look, shown, {at.x, std::round(at.y + (place.height - high) / 2), box, high});
    const float y = std::round(at.y + (place.height - line) / 2);
    list.AddText({at.x + box + gap, y},
                 packed(lit || hovered ? theme.strong_text
                        : pale         ? theme.faint_text
                                       : theme.text),
                 entry.label.c_str());
    if (lit)
      list.AddRectFilled({at.x, y + line}, {at.x + width, y + line + std::max(2.0f, 2 * panel.look.scale)},
                         packed(theme.selection));
    if (entry.meaning == timeline::kNoMeaning) return;
    if (pressed) panel.emit(command::ShowAlone{lit ? timeline::kNoMeaning : entry.meaning});
    if (hovered) {
      const std::string what = lit ? tr("All is shown again (Esc)") : tr("All else becomes pale");
      tooltip(entry.note.empty() ? what : fmt::format("{}: {}\n{}", entry.label, entry.note, what));
    }
  };
  ImGui::PushID("legend");
  float x = place.x + pad;
  const float end = place.x + place.width - pad;
  // Closer together where so all of them have room.
  float all = 0;
  for (const timeline::LegendEntry& each : entries_) all += width_of_entry(each);
  const float gaps = static_cast<float>(std::max<std::size_t>(entries_.size(), 2) - 1);
  const float fitting = std::floor((end - x - all) / gaps),
              apart = fitting >= pad ? std::min(fitting, 2 * pad) : 2 * pad;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const float width = width_of_entry(entries_[i]);
    const bool last = i + 1 == entries_.size();
    const std::string more = fmt::format("+{}", entries_.size() - i);
    if (x + width + (last || fitting >= pad ? 0 : apart + width_of("+00")) > end) {
      // What has no room is in a list.
      ImGui::SetCursorScreenPos({x, place.y});
      if (ImGui::InvisibleButton("more", {width_of(more) + pad, place.height})) ImGui::OpenPopup("all");
      list.AddText({x, std::round(place.y + (place.height - line) / 2)},
                   packed(ImGui::IsItemHovered() ? theme.strong_text : theme.text), more.c_str());
      break;
    }
    put(entries_[i], {x, place.y}, width);
    x += width + apart;
  }
  if (begin_menu("all")) {
    for (const timeline::LegendEntry& each : entries_) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      if (ImGui::Selectable(fmt::format("      {}", each.label).c_str(), each.meaning == state.timeline.lit) &&
          each.meaning != timeline::kNoMeaning)
        panel.emit(command::ShowAlone{each.meaning == state.timeline.lit ? timeline::kNoMeaning : each.meaning});
      swatch(panel.look, each, {at.x, std::round(at.y + (line - high) / 2), box, high});
    }
    ImGui::EndPopup();
  }
  ImGui::PopID();
}

}  // namespace streamscope::window
