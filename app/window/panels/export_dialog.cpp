#include "app/window/panels/export_dialog.h"

#include <fmt/format.h>
// Dear ImGui's extension after Dear ImGui.
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>

#include "app/draw/choose_tracks.h"
#include "app/window/panels/timeline_panel.h"
#include "app/window/state/compared_runs.h"
#include "app/window/state/run_requests.h"
#include "app/window/state/run_verdicts.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

using command::Extent;

constexpr const char* kExportTitle = tr_later("Export a picture");

struct Size {
  const char* label;
  int width, height;
};
constexpr std::array<Size, 6> kSizes{{{tr_later("1600 × 900, a slide"), 1600, 900},
                                      {"1920 × 1080", 1920, 1080},
                                      {"3840 × 2160", 3840, 2160},
                                      {tr_later("1200 × 500, a paper's width"), 1200, 500},
                                      {tr_later("1400 × 990, A4 on its side"), 1400, 990},
                                      {"1080 × 1080", 1080, 1080}}};

std::optional<trace::Interval> interval_of(const State& state, Extent extent, const TimelinePanel& timeline) {
  switch (extent) {
    case Extent::whole: return std::nullopt;
    case Extent::in_sight: return timeline.in_sight();
    case Extent::range: return state.timeline.range;
    case Extent::measured: return state.timeline.measured;
  }
  return std::nullopt;
}

std::string interval_text(const trace::Interval& interval) {
  return tr("{} to {}", display_duration(interval.start), display_duration(interval.end));
}

void format_choice(const Panel& panel, draw::PictureFormat& format) {
  const Disabled possible("");
  const Segment all[] = {{"PNG", tr("Pixels"), &possible},
                         {"SVG", tr("Lines and letters, for the web and for drawing programs"), &possible},
                         {"PDF", tr("Lines and letters, for print"), &possible}};
  if (const int pressed = segments(panel.look, "export-format", all, static_cast<int>(format)); pressed >= 0)
    format = static_cast<draw::PictureFormat>(pressed);
}

void size_choice(draw::FigureOptions& options) {
  const auto now = std::find_if(kSizes.begin(), kSizes.end(), [&](const Size& each) {
    return each.width == options.width && each.height == options.height;
  });
  const std::string words =
      now != kSizes.end() ? tr(now->label) : fmt::format("{} × {}", options.width, options.height);
  if (begin_drop_down("##size", words)) {
    for (const Size& each : kSizes)
      if (ImGui::Selectable(tr(each.label), now != kSizes.end() && &each == &*now))
        options.width = each.width, options.height = each.height;
    ImGui::EndCombo();
  }
}

void extent_choice(const Panel& panel, Extent& extent, const TimelinePanel& timeline) {
  const State& state = panel.state;
  const auto words = [&](Extent each) -> std::string {
    if (each == Extent::whole) return tr("the whole run");
    const auto interval = interval_of(state, each, timeline);
    const char* what = each == Extent::in_sight ? tr("what is in sight")
                       : each == Extent::range  ? tr("the range")
                                                : tr("measured");
    return interval ? fmt::format("{}: {}", what, interval_text(*interval)) : std::string();
  };
  if (words(extent).empty()) extent = Extent::whole;  // it is there no more
  const auto all = {Extent::whole, Extent::in_sight, Extent::range, Extent::measured};
  if (const auto pressed = combo("##extent", all, extent, words)) extent = *pressed;
}

void theme_choice(timeline::ThemeName& theme) {
  using timeline::ThemeName;
  const auto all = {ThemeName::light, ThemeName::dark, ThemeName::print, ThemeName::projector};
  if (const auto pressed = combo("##theme", all, theme, timeline::name)) theme = *pressed;
}

}  // namespace

void ExportDialog::open(const State& state) {
  chosen_.options.colour_by = state.timeline.colour_by;
  chosen_.options.title = picture_title(state);
  chosen_.options.caption.clear();
  extent_ = state.timeline.range ? Extent::range : state.timeline.view ? Extent::in_sight : Extent::whole;
}

draw::PictureRequest ExportDialog::request(const State& state, const TimelinePanel& timeline) const {
  draw::PictureRequest out = chosen_;
  out.options.ghosts = !ghost_of(state).empty();
  out.options.opening = state.timeline.opening;
  out.options.interval = interval_of(state, extent_, timeline);
  out.options.tracks = draw::track_words(tracks_);
  out.options.second = second_of(state);
  draw_verdict_in(out.options, state);
  return out;
}

void ExportDialog::draw(const Panel& panel, const TimelinePanel& timeline) {
  const State& state = panel.state;
  if (state.workspace.export_open && !std::exchange(was_open_, true)) {
    open(state);
    ImGui::OpenPopup(tr(kExportTitle));
  }
  if (!state.workspace.export_open) was_open_ = false;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float em = ImGui::GetFontSize();
  ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(em * 34, size.x * 0.95f), 0});
  if (!ImGui::BeginPopupModal(tr(kExportTitle), nullptr, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings))
    return;
  draw::FigureOptions& options = chosen_.options;
  const float label = width_of(tr("Configuration")) + ImGui::GetStyle().ItemSpacing.x;
  row(tr("Format"), label);
  format_choice(panel, chosen_.format);
  row(tr("Size"), label);
  size_choice(options);
  row(tr("Scale"), label);
  int scale = static_cast<int>(options.scale * 4 + 0.5);
  if (slider(panel.look, "##export-scale", scale, 1, 32, fmt::format("{:g} ×", scale / 4.0)))
    options.scale = scale / 4.0;
  row(tr("Theme"), label);
  theme_choice(options.theme);
  row(tr("Of the run"), label);
  extent_choice(panel, extent_, timeline);
  row(tr("Tracks"), label);
  ImGui::InputTextWithHint("##tracks", tr("all; or such as: streams, H2D engine"), &tracks_);
  row(tr("Title"), label);
  ImGui::InputTextWithHint(
      "##title", state.comparison.second ? tr("the names of both runs") : tr("the experiment's name"), &options.title);
  row(tr("Caption"), label);
  ImGui::InputTextWithHint("##caption", tr("in your own words, below the configuration"), &options.caption);
  row("", label);
  ImGui::Checkbox(tr("Legend"), &options.legend);
  ImGui::SameLine();
  ImGui::Checkbox(tr("Figures"), &options.key_figures);
  // What is wrong is said before anything is written.
  const draw::PictureRequest wanted = request(state, timeline);
  std::string why_not;
  if (const auto valid = draw::check_pixels(wanted.format, options.width, options.height, options.scale); !valid)
    why_not = valid.error().message;
  else if (state.runs.shown && !wanted.options.tracks.empty())
    if (const auto there = draw::check_tracks(
            {&state.runs.shown->tracks, state.comparison.second ? &state.comparison.second->tracks : nullptr},
            wanted.options.tracks);
        !there)
      why_not = there.error().message;
  if (!why_not.empty()) wrapped(why_not, panel.look.theme.error);
  wrapped(tr("MEASURED or MODEL, the device and the date stand on every picture."), panel.look.theme.faint_text);
  ImGui::Spacing();
  const float width = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
  {
    const Disabled disabled(why_not);
    if (ImGui::Button(tr("Write it"), {width, 0})) panel.emit(command::Export{wanted});
    disabled.explain(tr("As timeline-<n> in the working folder"));
  }
  ImGui::SameLine();
  if (ImGui::Button(tr("Leave it"), {width, 0})) panel.emit(command::ShowExport{false});
  if (!state.workspace.export_open) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace streamscope::window
