// Centre: the timeline. Wheel zooms at the cursor, right or middle drag and Shift+wheel pan, a click selects, a double
// click zooms to the operation, a left drag measures. A click on a multiprocessor of an opened kernel shows its stages.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/canvas.h"
#include "app/panels/compat.h"
#include "app/panels/describe.h"
#include "app/panels/describe_inside.h"
#include "app/panels/panel.h"
#include "app/panels/snap.h"
#include "app/panels/widgets.h"
#include "app/timeline/rows.h"
#include "engine/base/quantity.h"

namespace streamscope {
namespace {

constexpr double kWheelStep = 1.25;
constexpr int kFigureMargin = 24;  // of a figure around its timeline

// The tracks of a run with those of an opened kernel, made once for each.
struct WithInside {
  std::shared_ptr<const ShownRun> shown;
  std::string ghost;
  Opening opening;
  Tracks tracks;
};

// All that the picture depends on.
struct Seen {
  std::shared_ptr<const ShownRun> shown;
  View view;
  ThemeName theme = ThemeName::dark;
  Opening opening;
  LayoutOptions options;
};

bool same(const Seen& a, const Seen& b) {
  return a.shown == b.shown && a.view.origin == b.view.origin && a.view.scale == b.view.scale && a.theme == b.theme &&
         a.options.width == b.options.width && a.options.height == b.options.height &&
         a.options.scale == b.options.scale && a.options.colour_by == b.options.colour_by &&
         a.options.selected == b.options.selected && a.options.hovered == b.options.hovered &&
         a.options.hovered_piece == b.options.hovered_piece && a.options.ring == b.options.ring &&
         a.opening == b.opening && a.options.ghost == b.options.ghost && a.options.scroll == b.options.scroll &&
         a.options.row_height == b.options.row_height && a.options.measure_begin == b.options.measure_begin &&
         a.options.measure_end == b.options.measure_end;
}

}  // namespace

struct TimelinePanel::Kept {
  Canvas canvas;
  Seen seen;
  Frame frame;
  View view;  // as drawn last: the fit where the state has none
  int scroll = 0;
  bool measuring = false, panning = false;
  std::size_t pressed_row = Strip::kNone;  // of the inside, where the left button went down
  Nanoseconds measure_from = kAbsent;
  float scrolled_from = 0;
  WithInside inside;
  Nanoseconds moment = kAbsent;  // that the ring is of
  bool reveal = false;           // the opened kernel is to come into sight

  const Tracks& tracks(const State& state);
};

const Tracks& TimelinePanel::Kept::tracks(const State& state) {
  const Tracks& without = tracks_in_view(state);
  if (!told(state.shown->run->trace, state.opening.operation)) {
    inside = {};
    return without;
  }
  const std::string ghost = ghost_of(state);
  if (inside.shown == state.shown && inside.ghost == ghost && inside.opening == state.opening) return inside.tracks;
  if (inside.opening.operation != state.opening.operation) moment = kAbsent;
  inside = {state.shown, ghost, state.opening, without};
  add_inside(inside.tracks, state.shown->run->trace, state.opening);
  return inside.tracks;
}

TimelinePanel::TimelinePanel() : kept_(std::make_unique<Kept>()) {}
TimelinePanel::~TimelinePanel() = default;
TimelinePanel::TimelinePanel(TimelinePanel&&) noexcept = default;
TimelinePanel& TimelinePanel::operator=(TimelinePanel&&) noexcept = default;

Result<void> TimelinePanel::create() { return kept_->canvas.create(); }

bool TimelinePanel::drew(std::uint64_t run_number) const {
  return kept_->seen.shown && kept_->seen.shown->number == run_number;
}

View TimelinePanel::view_for(int width) const {
  LayoutOptions options;
  options.width = width - 2 * kFigureMargin;
  View view = kept_->view;
  if (!kept_->seen.shown) return view;
  const int plot =
      std::max(1, frame(kept_->inside.shown ? kept_->inside.tracks : kept_->seen.shown->tracks, options).plot_width);
  view.scale = static_cast<std::int64_t>(static_cast<double>(view.scale) * kept_->frame.plot_width / plot);
  view.scale = std::clamp(view.scale, kSmallestScale, kLargestScale);
  return view;
}

void TimelinePanel::zoom(const Panel& panel, double factor) {
  if (!panel.state.shown) return;
  panel.emit(command::SetView{zoomed(kept_->view, factor, kept_->frame.plot_width / 2.0)});
}

void TimelinePanel::pan(const Panel& panel, double share) {
  if (!panel.state.shown) return;
  panel.emit(command::SetView{panned(kept_->view, share * kept_->frame.plot_width)});
}

namespace {

// From the first thing known of an operation to the last, with room around it.
std::optional<View> view_of(const Span& span, int width) {
  const Nanoseconds from = known(span.ready) ? span.ready : known(span.start) ? span.start : span.host_begin;
  const Nanoseconds to = known(span.end) ? span.end : span.host_end;
  if (!known(from) || !known(to) || to < from) return std::nullopt;
  const Nanoseconds margin = std::max<Nanoseconds>((to - from) / 2, 1);
  return fit(from - margin, to + margin, width);
}

void tooltip_rows(const Panel& panel, const std::vector<Fact>& rows) {
  float label_width = 0;
  for (const Fact& each : rows) label_width = std::max(label_width, ImGui::CalcTextSize(each.label.c_str()).x);
  label_width += ImGui::GetStyle().ItemSpacing.x * 1.5f;
  for (const Fact& each : rows) {
    if (each.label.empty()) {
      ImGui::PushTextWrapPos(ImGui::GetFontSize() * 26);
      text(each.value, panel.look.theme.strong_text);
      ImGui::PopTextWrapPos();
      continue;
    }
    const float start = ImGui::GetCursorPosX();
    text(each.label, panel.look.theme.faint_text);
    ImGui::SameLine(start + label_width);
    if (each.aside) push_font(panel.look.fonts.mono);
    text(each.value, each.doubtful ? panel.look.theme.warning : panel.look.theme.text);
    if (each.aside) ImGui::PopFont();
  }
}

void operation_tooltip(const Panel& panel, const Run& run, const Span& span, const Hit& hit) {
  ImGui::BeginTooltip();
  push_font(panel.look.fonts.strong);
  text(operation_title(run.trace, span), panel.look.theme.strong_text);
  ImGui::PopFont();
  if (hit.how_many > 1)
    text(fmt::format("the longest of {} operations under this pixel", hit.how_many), panel.look.theme.faint_text);
  if (hit.waiting) text("here it was ready and waited", panel.look.theme.faint_text);
  if (hit.ghost) text("here the model had it", panel.look.theme.faint_text);
  std::vector<Fact> rows = facts(run, span);
  if (!ghost_of(panel.state).empty())
    for (Fact& each : predicted_facts(run, panel.state.shown->comparison, span)) rows.push_back(std::move(each));
  tooltip_rows(panel, rows);
  ImGui::EndTooltip();
}

// Of a bar of an opened kernel.
void piece_tooltip(const Panel& panel, const Trace& trace, const StagePiece& piece, std::uint32_t how_many) {
  ImGui::BeginTooltip();
  push_font(panel.look.fonts.strong);
  text(piece_title(trace, piece), panel.look.theme.strong_text);
  ImGui::PopFont();
  if (how_many > 1)
    text(fmt::format("the longest of {} pieces under this pixel", how_many), panel.look.theme.faint_text);
  tooltip_rows(panel, piece_rows(trace, piece));
  ImGui::EndTooltip();
}

// Few tracks share a tall window: rows as tall as fit, within reason.
int row_height(const Tracks& tracks, const LayoutOptions& options) {
  std::size_t lanes = 0;
  for (const Track& track : tracks.tracks) lanes += std::max<std::size_t>(track.executing.size(), 1);
  if (lanes == 0) return 0;
  const TrackArea area = track_area(options);
  const int usual = metrics(options).row, tallest = usual * 8 / 5;
  const int spare = area.bottom - area.top - frame(tracks, options).content_height;
  return std::clamp(usual + spare / static_cast<int>(std::min<std::size_t>(lanes, 10'000)), usual, tallest);
}

// So that the heading of the opened kernel and what is open of it are in sight, moved no further than needed.
int scroll_to_inside(const Tracks& tracks, LayoutOptions options, int scroll) {
  options.scroll = 0;
  const TrackArea area = track_area(options);
  int first = -1, last = 0;
  for (const Strip& strip : strips(tracks, options)) {
    if (strip.kind != TrackKind::inside) continue;
    if (first < 0) first = strip.y0 - area.top;
    if (strip.track == Strip::kNone || tracks.tracks[strip.track].inside != InsideRow::closed) last = strip.y1;
  }
  if (first < 0) return scroll;
  return std::min(first, std::max(scroll, last - area.bottom));
}

// Of the block under the mouse, else of one that ran at that moment.
RingAt ring_at(const Tracks& tracks, const Trace& trace, const Opening& opening, const std::optional<Hit>& under,
               Nanoseconds& moment) {
  if (!known(moment))
    if (const std::optional<Span> kernel = find_span(trace, opening.operation);
        kernel && known(kernel->start) && known(kernel->end))
      moment = kernel->start + (kernel->end - kernel->start) / 2;
  if (under && under->piece != kNoPiece) return {tracks.inside.pieces[under->piece].block, moment};
  return {block_at(trace, opening, moment), moment};
}

void empty_text(const Panel& panel, const Box& place) {
  const State& state = panel.state;
  const std::string words = state.engine == EngineStatus::starting ? "waiting for the engine…"
                            : state.engine == EngineStatus::lost   ? "no engine, and no run yet"
                            : state.in_progress != 0               ? "the first run is under way…"
                                                                   : "no run yet: press Run";
  const ImVec2 size = ImGui::CalcTextSize(words.c_str());
  ImGui::SetCursorScreenPos({place.x + (place.width - size.x) / 2, place.y + (place.height - size.y) / 2});
  text(words, panel.look.theme.faint_text);
}

}  // namespace

void TimelinePanel::frame_selection(const Panel& panel) {
  const std::optional<Span> span = span_of(panel.state, panel.state.selected);
  const auto target = !span ? std::nullopt : view_of(*span, kept_->frame.plot_width);
  const auto& now = panel.state.view;
  // Once more: everything again.
  if (!target || (now && now->origin == target->origin && now->scale == target->scale))
    panel.emit(command::SetView{std::nullopt});
  else
    panel.emit(command::SetView{target});
}

void TimelinePanel::toggle_inside(const Panel& panel) {
  const State& state = panel.state;
  const OperationIndex wanted = state.selected != kNoOperation ? state.selected : state.opening.operation;
  panel.emit(command::ToggleInside{wanted});
  if (!state.shown || wanted == state.opening.operation || !told(state.shown->run->trace, wanted)) return;
  const Trace& trace = state.shown->run->trace;
  const View close = view_of_inside(trace, opened(trace, wanted), kept_->view, kept_->frame.plot_width);
  if (close.origin != kept_->view.origin || close.scale != kept_->view.scale) panel.emit(command::SetView{close});
  kept_->reveal = true;
}

void TimelinePanel::draw(const Panel& panel, const Box& place) {
  const State& state = panel.state;
  Kept& kept = *kept_;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, as_vector(panel.look.theme.background));
  begin_panel("Timeline", place, ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  panel.probe.widget("timeline", {place.x, place.y}, {place.x + place.width, place.y + place.height});
  if (!state.shown || place.width < 8 || place.height < 8) {
    kept.seen.shown = nullptr;
    empty_text(panel, place);
    ImGui::End();
    return;
  }

  const float ratio = ImGui::GetIO().DisplayFramebufferScale.x > 0 ? ImGui::GetIO().DisplayFramebufferScale.x : 1;
  const Trace& trace = state.shown->run->trace;
  const Tracks& all = kept.tracks(state);
  const bool is_open = all.inside.operation != kNoOperation;
  Seen now{.shown = state.shown, .view = {}, .theme = state.theme, .opening = state.opening, .options = {}};
  LayoutOptions& options = now.options;
  options.width = static_cast<int>(place.width * ratio);
  options.height = static_cast<int>(place.height * ratio);
  options.scale = panel.look.scale * ratio;
  options.colour_by = state.colour_by;
  options.selected = state.selected;
  options.measure_begin = state.measure_begin;
  options.measure_end = state.measure_end;
  options.ghost = ghost_of(state);
  if (is_open) options.ring.block = block_at(trace, state.opening, kept.moment);
  options.row_height = row_height(all, options);
  kept.frame = frame(all, options);
  const int plot = std::max(1, kept.frame.plot_width);
  kept.view = state.view ? *state.view : fit(all.begin, all.end, plot);
  const TrackArea area = track_area(options);
  const int hidden = std::max(0, kept.frame.content_height - (area.bottom - area.top));
  if (std::exchange(kept.reveal, false)) kept.scroll = scroll_to_inside(all, options, kept.scroll);
  kept.scroll = std::clamp(kept.scroll, 0, hidden);
  options.scroll = kept.scroll;
  now.view = kept.view;

  // The mouse, in pixels of the picture.
  ImGui::InvisibleButton(
      "plot", {place.width, place.height},
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle);
  const ImGuiIO& io = ImGui::GetIO();
  const bool hovered = ImGui::IsItemHovered();
  const int x = static_cast<int>(std::floor((io.MousePos.x - place.x) * ratio));
  const int y = static_cast<int>(std::floor((io.MousePos.y - place.y) * ratio));
  const double plot_x = x - kept.frame.plot_x;
  std::optional<Hit> under;
  if (hovered && !kept.panning) under = hit(trace, all, kept.view, options, x, y);
  const std::vector<Strip> rows = strips(all, options);
  const Strip* strip = hovered ? strip_at(rows, options, y) : nullptr;
  const bool on_inside = strip != nullptr && strip->kind == TrackKind::inside;
  options.hovered = under && !on_inside ? under->operation : kNoOperation;
  if (is_open) {
    if (under) options.hovered_piece = under->piece;
    if (hovered && !kept.panning && plot_x >= 0) kept.moment = time_at(kept.view, plot_x);
    options.ring = ring_at(all, trace, state.opening, under, kept.moment);
  }

  if (hovered && (io.MouseWheel != 0 || io.MouseWheelH != 0)) {
    if (io.MouseWheelH != 0 || io.KeyShift) {
      const double steps = io.MouseWheelH != 0 ? -io.MouseWheelH : -io.MouseWheel;
      panel.emit(command::SetView{panned(kept.view, steps * plot / 10.0)});
    } else if (io.KeyCtrl || plot_x < 0) {  // over the track headers, or with Ctrl: up and down
      kept.scroll = std::clamp(kept.scroll - static_cast<int>(io.MouseWheel * 40 * options.scale), 0, hidden);
    } else {
      panel.emit(command::SetView{zoomed(kept.view, std::pow(kWheelStep, io.MouseWheel), plot_x)});
    }
  }

  // Right or middle: pan, and scroll where not all tracks fit.
  const bool pressed = ImGui::IsItemActive();
  const bool turning =
      pressed && (ImGui::IsMouseDown(ImGuiMouseButton_Right) || ImGui::IsMouseDown(ImGuiMouseButton_Middle));
  if (turning && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
    if (io.MouseDelta.x != 0)
      panel.emit(command::SetView{panned(kept.view, -static_cast<double>(io.MouseDelta.x) * ratio)});
    kept.scroll = std::clamp(kept.scroll - static_cast<int>(io.MouseDelta.y * ratio), 0, hidden);
  }
  kept.panning = turning;

  // Left: a click selects, a drag measures.
  const auto snapped = [&](double at_x) {
    const int snap_x = static_cast<int>(at_x) + kept.frame.plot_x;
    return snap(trace, all, kept.view, options, kept.frame.plot_x, snap_x, y, static_cast<int>(6 * options.scale));
  };
  if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left) && plot_x >= 0) kept.measure_from = snapped(plot_x);
  if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left) && on_inside) kept.pressed_row = strip->track;
  if (pressed && known(kept.measure_from) && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 4)) {
    kept.measuring = true;
    const Nanoseconds to = snapped(std::clamp(plot_x, 0.0, static_cast<double>(plot)));
    panel.emit(command::Measure{std::min(kept.measure_from, to), std::max(kept.measure_from, to)});
  }
  if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && under) {
    if (under->piece != kNoPiece)
      panel.emit(command::SetView{view_of_piece(trace, all.inside.pieces[under->piece], plot)});
    else if (const std::optional<Span> span = span_of(state, under->operation))
      if (const auto target = view_of(*span, plot)) panel.emit(command::SetView{target});
  }
  if (ImGui::IsMouseReleased(ImGuiMouseButton_Left)) {
    const bool clicked = hovered && !kept.measuring;
    if (clicked && on_inside) {
      if (strip->track == kept.pressed_row && strip->track != Strip::kNone &&
          all.tracks[strip->track].inside != InsideRow::stage)
        panel.emit(command::ToggleMultiprocessor{all.tracks[strip->track].id});
    } else if (clicked && known(kept.measure_from)) {
      panel.emit(command::Select{under ? under->operation : kNoOperation});
      if (!under) panel.emit(command::Measure{kAbsent, kAbsent});
    }
    kept.measuring = false;
    kept.measure_from = kAbsent;
    kept.pressed_row = Strip::kNone;
  }

  if (!same(now, kept.seen)) {
    kept.canvas.set(layout(trace, all, kept.view, panel.look.theme, options));
    kept.seen = now;
  }
  kept.canvas.draw(panel.look.fonts, {place.x, place.y});
  if (hidden > 0) {  // how far the tracks are scrolled
    const float length = place.height * place.height / (place.height + static_cast<float>(hidden) / ratio);
    const float top = (place.height - length) * static_cast<float>(kept.scroll) / static_cast<float>(hidden);
    const float wide = 4 * panel.look.scale;
    ImGui::GetWindowDrawList()->AddRectFilled({place.x + place.width - wide - 2, place.y + top},
                                              {place.x + place.width - 2, place.y + top + length},
                                              ImGui::GetColorU32(ImGuiCol_ScrollbarGrabHovered), wide / 2);
  }
  if (under && !pressed && under->piece != kNoPiece)
    piece_tooltip(panel, trace, all.inside.pieces[under->piece], under->how_many);
  else if (under && !pressed)
    if (const std::optional<Span> span = span_of(state, under->operation))
      operation_tooltip(panel, *state.shown->run, *span, *under);
  ImGui::End();
}

}  // namespace streamscope
