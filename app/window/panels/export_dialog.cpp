#include "app/window/panels/export_dialog.h"

#include <fmt/format.h>
// Dear ImGui's extension after Dear ImGui.
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/draw/choose_tracks.h"
#include "app/window/panels/timeline_panel.h"
#include "app/window/state/compared_runs.h"
#include "app/window/state/run_requests.h"
#include "app/window/state/run_verdicts.h"
#include "app/window/widgets/dialog.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/quantity.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

using command::Extent;

constexpr std::size_t kMostTried = 100'000;            // operations
constexpr int kPaperStep = 10, kTallestUnasked = 250;  // millimetres

constexpr const char* kExportTitle = tr_later("Export a picture");

struct Size {
  const char* label;
  int width, height;
};
constexpr std::array<Size, 5> kSizes{{{tr_later("1600 × 900, a slide"), 1600, 900},
                                      {"1920 × 1080", 1920, 1080},
                                      {"3840 × 2160", 3840, 2160},
                                      {tr_later("1200 × 500, a wide strip"), 1200, 500},
                                      {"1080 × 1080", 1080, 1080}}};

struct PaperSize {
  const char* label;
  Paper paper;
};
constexpr std::array<PaperSize, 4> kPapers{{{tr_later("88 × 110 mm, one column of a paper"), {88, 110}},
                                            {tr_later("180 × 110 mm, two columns of a paper"), {180, 110}},
                                            {tr_later("160 × 90 mm, a slide"), {160, 90}},
                                            {tr_later("297 × 210 mm, A4 on its side"), {297, 210}}}};

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

// One of the usual sizes, or any in millimetres.
void paper_choice(Paper& paper) {
  const auto words = [](const Paper& of) {
    const auto usual = std::ranges::find(kPapers, of, &PaperSize::paper);
    return usual != kPapers.end() ? std::string(tr(usual->label)) : tr("{} × {} mm", of.width, of.height);
  };
  if (begin_drop_down("##paper", words(paper))) {
    for (const PaperSize& each : kPapers)
      if (ImGui::Selectable(tr(each.label), each.paper == paper)) paper = each.paper;
    ImGui::EndCombo();
  }
}

void millimetres(Paper& paper) {
  const float each = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
  const auto field = [&](const char* id, int& side) {
    ImGui::SetNextItemWidth(each);
    if (ImGui::InputInt(id, &side, 1, 10)) side = std::clamp(side, kSmallestPaper, kLargestPaper);
  };
  field("##width", paper.width);
  if (ImGui::IsItemHovered()) tooltip(tr("The page's width in millimetres"));
  ImGui::SameLine();
  field("##height", paper.height);
  if (ImGui::IsItemHovered()) tooltip(tr("Its height in millimetres; tracks that have no room are counted below"));
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
  if (const auto pressed = combo("##theme", all, theme, timeline::title)) theme = *pressed;
}

}  // namespace

void set_paper(draw::FigureOptions& options, const Paper& paper) {
  constexpr double kPixelsPerMillimetre = 96 / 25.4;  // as a PDF has them
  options.width = static_cast<int>(std::lround(paper.width * kPixelsPerMillimetre));
  options.height = static_cast<int>(std::lround(paper.height * kPixelsPerMillimetre));
  options.scale = 1;
}

void ExportDialog::open(const State& state) {
  chosen_.options.colour_by = state.timeline.colour_by;
  chosen_.options.title = picture_title(state);
  chosen_.options.caption.clear();
  if (!paper_chosen_ && state.runs.shown) {
    paper_ = Paper{};
    draw::FigureOptions trial = request(state, std::nullopt).options;
    do set_paper(trial, paper_);
    while (!left_out(state, trial).empty() && (paper_.height += kPaperStep) < kTallestUnasked);
  }
  extent_ = state.timeline.range      ? Extent::range
            : state.timeline.measured ? Extent::measured
            : state.timeline.view     ? Extent::in_sight
                                      : Extent::whole;
}

// Of a long run it takes too long to try.
const std::string& ExportDialog::left_out(const State& state, const draw::FigureOptions& options) {
  const ShownRun& shown = *state.runs.shown;
  std::string tried = fmt::format("{} {} {} {} {} {}", shown.number, options.width, options.height, options.legend,
                                  options.key_figures, tracks_);
  tried += fmt::format("\n{}\n{}\n{}", options.title, options.caption, options.why);
  if (std::exchange(tried_, tried) == tried) return left_out_;
  left_out_ = trace::span_count(shown.run->trace) > kMostTried ? std::string() : draw::left_out(*shown.run, options);
  return left_out_;
}

draw::PictureRequest ExportDialog::request(const State& state, const std::optional<trace::Interval>& interval) const {
  draw::PictureRequest out = chosen_;
  out.options.ghosts = !ghost_of(state).empty();
  out.options.opening = state.timeline.opening;
  out.options.interval = interval;
  out.options.tracks = draw::track_words(tracks_);
  out.options.second = second_of(state);
  if (out.format == draw::PictureFormat::pdf) set_paper(out.options, paper_);
  draw_verdict_in(out.options, state);
  return out;
}

void ExportDialog::draw(const Panel& panel, const TimelinePanel& timeline) {
  const State& state = panel.state;
  if (state.workspace.export_open) {
    if (!std::exchange(was_open_, true)) open(state);
    if (!ImGui::IsPopupOpen(tr(kExportTitle))) ImGui::OpenPopup(tr(kExportTitle));
  } else if (state.files.asks != FileQuestion::save_export) {  // from which it comes back
    was_open_ = false;
  }
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float em = ImGui::GetFontSize();
  ImGui::SetNextWindowSize({std::min(em * 34, size.x * 0.95f), 0});
  if (!begin_dialog(tr(kExportTitle))) return;
  draw::FigureOptions& options = chosen_.options;
  float label = 0;
  for (const char* each : {tr("Format"), tr("Size"), tr("Millimetres"), tr("Scale"), tr("Theme"), tr("Of the run"),
                           tr("Tracks"), tr("Title"), tr("Caption")})
    label = std::max(label, width_of(each));
  label += ImGui::GetStyle().ItemSpacing.x;
  row(tr("Format"), label);
  format_choice(panel, chosen_.format);
  tab_stop();
  row(tr("Size"), label);
  if (chosen_.format == draw::PictureFormat::pdf) {
    const Paper before = paper_;
    paper_choice(paper_);
    tab_stop();
    row(tr("Millimetres"), label);
    millimetres(paper_);
    paper_chosen_ |= paper_ != before;
  } else {
    size_choice(options);
    tab_stop();
    row(tr("Scale"), label);
    int scale = static_cast<int>(options.scale * 4 + 0.5);
    if (slider(panel.look, "##export-scale", scale, 1, 32, fmt::format("{:g} ×", scale / 4.0)))
      options.scale = scale / 4.0;
    tab_stop();
  }
  row(tr("Theme"), label);
  theme_choice(options.theme);
  tab_stop();
  row(tr("Of the run"), label);
  extent_choice(panel, extent_, timeline);
  tab_stop();
  row(tr("Tracks"), label);
  ImGui::InputTextWithHint("##tracks", tr("all; or such as: streams, H2D engine"), &tracks_);
  tab_stop(true);
  row(tr("Title"), label);
  ImGui::InputTextWithHint(
      "##title", state.comparison.second ? tr("the names of both runs") : tr("the experiment's name"), &options.title);
  tab_stop(true);
  row(tr("Caption"), label);
  ImGui::InputTextWithHint("##caption", tr("in your own words, below the configuration"), &options.caption);
  tab_stop(true);
  row("", label);
  ImGui::Checkbox(tr("Legend"), &options.legend);
  tab_stop();
  ImGui::SameLine();
  ImGui::Checkbox(tr("Figures"), &options.key_figures);
  tab_stop();
  // What is wrong is said before anything is written.
  const draw::PictureRequest wanted = request(state, interval_of(state, extent_, timeline));
  std::string why_not;
  if (const auto valid =
          draw::check_pixels(wanted.format, wanted.options.width, wanted.options.height, wanted.options.scale);
      !valid)
    why_not = valid.error().message;
  else if (state.runs.shown && !wanted.options.tracks.empty())
    if (const auto there = draw::check_tracks(
            {&state.runs.shown->tracks, state.comparison.second ? &state.comparison.second->tracks : nullptr},
            wanted.options.tracks);
        !there)
      why_not = there.error().message;
  if (!why_not.empty()) wrapped(why_not, panel.look.theme.error);
  if (why_not.empty() && state.runs.shown)
    if (const std::string& rest = left_out(state, wanted.options); !rest.empty())
      wrapped(tr("In a picture of this size: {}.", rest), panel.look.theme.warning);
  wrapped(tr("MEASURED or MODEL, the device and the date stand on every picture."), panel.look.theme.faint_text);
  ImGui::Spacing();
  const float width = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
  {
    const Disabled disabled(why_not);
    if (default_button(tr("Save as…"), width)) panel.emit(command::Export{wanted});
    disabled.explain(tr("Asks for the folder and the name"));
  }
  ImGui::SameLine();
  if (dialog_button(tr("Cancel"), width)) panel.emit(command::ShowExport{false});
  if (!state.workspace.export_open) ImGui::CloseCurrentPopup();
  end_dialog();
}

}  // namespace streamscope::window
