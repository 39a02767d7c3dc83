#include "app/window/panels/timeline_panel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/timeline/in_sight.h"
#include "app/timeline/layout.h"
#include "app/timeline/rows.h"
#include "app/timeline/span_text.h"
#include "app/window/panels/context_menu.h"
#include "app/window/panels/gestures.h"
#include "app/window/panels/help_answer.h"
#include "app/window/panels/legend_strip.h"
#include "app/window/panels/minimap.h"
#include "app/window/panels/more_below.h"
#include "app/window/panels/persistence.h"
#include "app/window/panels/playhead_view.h"
#include "app/window/panels/timeline_tooltip.h"
#include "app/window/state/compared_runs.h"
#include "app/window/state/run_verdicts.h"
#include "app/window/state/state.h"
#include "app/window/widgets/canvas.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

constexpr int kFigureMargin = 24;  // of a figure around its timeline

// The tracks of a run with those of an opened kernel, made once for each.
struct WithInside {
  std::shared_ptr<const ShownRun> shown;
  std::string ghost;
  timeline::OpenKernel opening;
  timeline::Tracks tracks;
};

// All that the picture depends on.
struct Seen {
  std::shared_ptr<const ShownRun> shown;
  timeline::View view;
  timeline::ThemeName theme = timeline::ThemeName::dark;
  timeline::OpenKernel opening;
  timeline::LayoutOptions options;
  friend bool operator==(const Seen&, const Seen&) = default;
};

// Few tracks share a tall window: rows as tall as fit, within reason. Before a room nobody scrolls: there they are
// lower where so all of them fit, but not lower than the words on their bars ask for. Elsewhere they are where so the
// first of them are in sight: a host thread and four streams. `below`: pixels that are taken where not all of them fit.
int row_height(const timeline::Tracks& tracks, const timeline::LayoutOptions& options, bool presenting, int below) {
  constexpr int kFirst = 5;
  std::size_t lanes = 0;
  for (const timeline::Track& track : tracks.tracks) lanes += std::max<std::size_t>(track.executing.size(), 1);
  if (options.compared.there())
    for (const timeline::Track& track : options.compared.tracks->tracks)
      lanes += std::max<std::size_t>(track.executing.size(), 1);
  if (lanes == 0) return 0;
  const timeline::TrackArea area = timeline::track_area(options);
  const timeline::Metrics usual_sizes = timeline::metrics(options);
  const int usual = usual_sizes.row, tallest = presenting ? usual * 4 : usual * 8 / 5;
  const int spare = area.bottom - area.top - timeline::frame(tracks, options).content_height;
  const int count = static_cast<int>(std::min<std::size_t>(lanes, 10'000));
  const int fits = usual + (spare < 0 ? (spare - count + 1) / count : spare / count);
  const int lowest = timeline::lowest_row(options);
  if (presenting) return fits >= lowest ? std::min(fits, tallest) : std::clamp(fits, usual, tallest);
  const int headings = 2 * usual_sizes.heading + usual_sizes.group_gap;
  const int first = (area.bottom - area.top - below - headings) / kFirst;
  return std::clamp(fits, std::clamp(first, lowest, usual), tallest);
}

// The ring of the block under the mouse, else of one that ran at that moment.
timeline::RingAt ring_at(const timeline::Tracks& tracks, const trace::Trace& trace, const timeline::OpenKernel& opening,
                         const std::optional<timeline::Hit>& under, Nanoseconds& moment) {
  if (!known(moment))
    if (const std::optional<trace::Span> kernel = trace::find_span(trace, opening.operation);
        kernel && known(kernel->start) && known(kernel->end))
      moment = kernel->start + (kernel->end - kernel->start) / 2;
  if (under && under->piece != timeline::kNoPiece) return {tracks.inside.pieces[under->piece].block, moment};
  return {timeline::block_at(trace, opening, moment), moment};
}

void empty_text(const Panel& panel, const Box& place) {
  const State& state = panel.state;
  // A lesson's step without a run, and none before it: nobody is to press anything.
  const lesson::Step* step = step_at(state.lesson);
  const bool without = step != nullptr && step->run.empty();
  const std::string words = state.running.engine == EngineStatus::starting ? tr("waiting for the engine…")
                            : state.running.engine == EngineStatus::lost   ? tr("no engine, and no run yet")
                            : state.running.in_progress != 0               ? tr("the first run is under way…")
                            : without                                      ? tr("no run yet")
                                                                           : tr("no run yet: press Run");
  const ImVec2 size = ImGui::CalcTextSize(words.c_str());
  ImGui::SetCursorScreenPos({place.x + (place.width - size.x) / 2, place.y + (place.height - size.y) / 2});
  text(words, panel.look.theme.faint_text);
}

// What the timeline shows of the state, but for what the mouse points at.
timeline::LayoutOptions options_of(const Panel& panel, const Box& place, float ratio) {
  const State& state = panel.state;
  timeline::LayoutOptions options;
  options.width = static_cast<int>(place.width * ratio);
  options.height = static_cast<int>(place.height * ratio);
  options.scale = panel.look.scale * ratio;
  options.colour_by = state.timeline.colour_by;
  options.selected = state.timeline.selected;
  options.lit = state.timeline.lit;
  options.measured = state.timeline.measured;
  options.marks = state.timeline.marks;
  options.range = state.timeline.range;
  options.choice = state.timeline.choice;
  options.all_waits = state.timeline.all_waits;
  options.waiters = &state.runs.shown->waiters;
  if (const auto file = state.carried.files.find(state.runs.shown->number);
      file != state.carried.files.end() && file->second.extras != nullptr) {
    if (!file->second.counters->empty()) options.counters = file->second.counters.get();
    for (const input::FileFlow& each : file->second.extras->flows) {
      if (options.selected == kNoOperation) break;
      if (each.to == options.selected) options.led_here.push_back(each.from);
      if (each.from == options.selected) options.led_on.push_back(each.to);
    }
  }
  options.compared = compared_run(state);
  if (!options.compared.there()) options.ghost = ghost_of(state);
  // The bar over it has it then, but for what the thin bars are.
  options.badge = !state.workspace.presenting || !options.ghost.empty() || options.compared.there();
  options.highlight = highlight_in_view(state);
  // Of two runs side by side the line would be the first one's alone.
  if (const auto verdict = verdict_in_view(state);
      verdict && verdict->shown == state.runs.shown && !options.compared.there()) {
    options.verdict = verdict->marks;
    options.path = state.timeline.path != PathShown::no;
    options.pale_off_path = state.timeline.path == PathShown::alone;
    options.rulers = state.timeline.rulers;
    options.queues = true;
  }
  return options;
}

Pointer pointer_of(const Box& place, float ratio) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool held = ImGui::IsItemActive();
  const auto pixel = [&](float at) { return static_cast<int>(std::floor(std::clamp(at * ratio, -1e6f, 1e6f))); };
  Pointer pointer;
  pointer.x = pixel(io.MousePos.x - place.x);
  pointer.y = pixel(io.MousePos.y - place.y);
  pointer.over = ImGui::IsItemHovered();
  pointer.wheel = io.MouseWheel;
  pointer.wheel_sideways = io.MouseWheelH;
  pointer.shift = io.KeyShift;
  pointer.control = io.KeyCtrl;
  pointer.pressed = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  pointer.double_clicked = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  pointer.released = ImGui::IsMouseReleased(ImGuiMouseButton_Left);
  pointer.dragging = held && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 4);
  pointer.panning = held && (ImGui::IsMouseDown(ImGuiMouseButton_Right) || ImGui::IsMouseDown(ImGuiMouseButton_Middle));
  pointer.moved_x = static_cast<int>(io.MouseDelta.x * ratio);
  pointer.moved_y = static_cast<int>(io.MouseDelta.y * ratio);
  pointer.now = host_now();
  return pointer;
}

// How far the tracks are scrolled, at the right edge; `place` is theirs, without the axis and its labels.
void scroll_bar(const Panel& panel, const Box& place, int scroll, int hidden, float ratio) {
  if (hidden <= 0) return;
  const float length = place.height * place.height / (place.height + static_cast<float>(hidden) / ratio);
  const float top = (place.height - length) * static_cast<float>(scroll) / static_cast<float>(hidden);
  const float wide = 4 * panel.look.scale;
  ImGui::GetWindowDrawList()->AddRectFilled({place.x + place.width - wide - 2, place.y + top},
                                            {place.x + place.width - 2, place.y + top + length},
                                            ImGui::GetColorU32(ImGuiCol_ScrollbarGrabHovered), wide / 2);
}

// For F1: why an operation waited, what it is, or else what its row is. The first that has help answers.
void answer_of(const Panel& panel, const Plot& plot) {
  if (plot.under && plot.under->operation != kNoOperation) {
    const trace::Trace& trace =
        plot.under->compared ? panel.state.comparison.second->run->trace : panel.state.runs.shown->run->trace;
    if (const auto span = trace::find_span(trace, plot.under->operation)) {
      if (plot.under->waiting) answer_help(panel, trace::name(span->reason), help::Kind::wait_reason);
      if (span->kind == OperationKind::kernel)
        answer_help(panel, timeline::span_name(trace, *span), help::Kind::statement);
      answer_help(panel, name(span->kind), help::Kind::statement);
    }
  }
  if (plot.strip == nullptr) return;
  if (plot.strip->track == timeline::Strip::kNone && plot.strip->device)
    return answer_help(panel, "device", help::Kind::term);
  switch (plot.strip->kind) {
    case timeline::TrackKind::host: return answer_help(panel, "thread", help::Kind::statement);
    case timeline::TrackKind::stream: return answer_help(panel, "stream", help::Kind::statement);
    case timeline::TrackKind::engine: return answer_help(panel, "engine", help::Kind::term);
    case timeline::TrackKind::inside: return answer_help(panel, "in-kernel", help::Kind::term);
  }
}

}  // namespace

struct TimelinePanel::Kept {
  Canvas canvas;
  Minimap minimap;
  LegendStrip legend;
  Gestures gestures;
  PlayheadView playhead;
  ContextMenu menu;
  Seen seen;
  timeline::Frame frame;
  timeline::View view;  // as drawn last: the fit where the state has none
  int scroll = 0;
  double cursor = -1;  // column of the plot under the mouse; below 0: it is elsewhere
  WithInside inside;
  Nanoseconds moment = kAbsent;          // of which the ring shows the stages
  bool reveal = false;                   // the opened kernel is to come into sight
  OperationIndex sought = kNoOperation;  // the selected one that has come into sight

  const timeline::Tracks& tracks(const State& state);
  // What is asked for now, drawn or not.
  timeline::View now(const State& state) const { return state.timeline.view.value_or(view); }
};

const timeline::Tracks& TimelinePanel::Kept::tracks(const State& state) {
  // With a compared run there are no ghosts: what lies under a bar is the other run's.
  const timeline::Tracks& without = state.comparison.second ? state.runs.shown->tracks : tracks_in_view(state);
  if (!timeline::recorded_stages(state.runs.shown->run->trace, state.timeline.opening.operation)) {
    inside = {};
    return without;
  }
  const std::string ghost = state.comparison.second ? std::string() : ghost_of(state);
  if (inside.shown == state.runs.shown && inside.ghost == ghost && inside.opening == state.timeline.opening)
    return inside.tracks;
  if (inside.opening.operation != state.timeline.opening.operation) moment = kAbsent;
  inside = {state.runs.shown, ghost, state.timeline.opening, without};
  timeline::add_inside(inside.tracks, state.runs.shown->run->trace, state.timeline.opening);
  return inside.tracks;
}

TimelinePanel::TimelinePanel() : kept_(std::make_unique<Kept>()) {}
TimelinePanel::~TimelinePanel() = default;
TimelinePanel::TimelinePanel(TimelinePanel&&) noexcept = default;
TimelinePanel& TimelinePanel::operator=(TimelinePanel&&) noexcept = default;

Result<void> TimelinePanel::create() {
  TRY(kept_->minimap.create());
  TRY(kept_->playhead.create());
  return kept_->canvas.create();
}

double TimelinePanel::pixel() const { return static_cast<double>(kept_->view.scale) / timeline::kFine; }

bool TimelinePanel::drew(std::uint64_t run_number) const {
  return kept_->seen.shown && kept_->seen.shown->number == run_number;
}

trace::Interval TimelinePanel::in_sight() const {
  return {timeline::time_at(kept_->view, 0), timeline::time_at(kept_->view, plot_width())};
}

int TimelinePanel::plot_width() const { return std::max(1, kept_->frame.plot_width); }

timeline::View TimelinePanel::view_for(int width) const {
  timeline::LayoutOptions options;
  options.width = width - 2 * kFigureMargin;
  timeline::View view = kept_->view;
  if (!kept_->seen.shown) return view;
  const int plot = std::max(
      1, timeline::frame(kept_->inside.shown ? kept_->inside.tracks : kept_->seen.shown->tracks, options).plot_width);
  view.scale = static_cast<std::int64_t>(static_cast<double>(view.scale) * kept_->frame.plot_width / plot);
  view.scale = std::clamp(view.scale, timeline::kSmallestScale, timeline::kLargestScale);
  return view;
}

void TimelinePanel::zoom(const Panel& panel, double factor) {
  if (!panel.state.runs.shown) return;
  panel.emit(command::SetView{timeline::zoomed(kept_->now(panel.state), factor,
                                               kept_->cursor >= 0 ? kept_->cursor : kept_->frame.plot_width / 2.0)});
}

void TimelinePanel::pan(const Panel& panel, double share) {
  if (!panel.state.runs.shown) return;
  panel.emit(command::SetView{timeline::panned(kept_->now(panel.state), std::round(share * kept_->frame.plot_width))});
}

void TimelinePanel::frame_selection(const Panel& panel) {
  const std::optional<trace::Span> span = span_of(panel.state, panel.state.timeline.selected);
  const std::optional<trace::Span> compared =
      panel.state.comparison.second
          ? trace::find_span(panel.state.comparison.second->run->trace, panel.state.comparison.selected)
          : std::nullopt;
  const auto target = view_of(span, compared, offset_of(panel.state), kept_->frame.plot_width);
  const auto& now = panel.state.timeline.view;
  // Framed already: back to the whole run.
  if (!target || (now && now->origin == target->origin && now->scale == target->scale))
    panel.emit(command::SetView{std::nullopt});
  else
    panel.emit(command::SetView{target});
}

void TimelinePanel::frame(const Panel& panel, const std::optional<trace::Span>& span,
                          const std::optional<trace::Span>& compared) {
  if (const auto target = view_of(span, compared, offset_of(panel.state), std::max(1, kept_->frame.plot_width)))
    panel.emit(command::SetView{target});
}

void TimelinePanel::toggle_inside(const Panel& panel) {
  const State& state = panel.state;
  const OperationIndex wanted =
      state.timeline.selected != kNoOperation ? state.timeline.selected : state.timeline.opening.operation;
  panel.emit(command::ToggleInside{wanted});
  if (!state.runs.shown || wanted == state.timeline.opening.operation ||
      !timeline::recorded_stages(state.runs.shown->run->trace, wanted))
    return;
  const trace::Trace& trace = state.runs.shown->run->trace;
  const timeline::View close =
      timeline::view_of_inside(trace, timeline::opened(trace, wanted), kept_->view, kept_->frame.plot_width);
  if (close.origin != kept_->view.origin || close.scale != kept_->view.scale) panel.emit(command::SetView{close});
  kept_->reveal = true;
}

void TimelinePanel::draw(const Panel& panel, const Box& whole) {
  const State& state = panel.state;
  Kept& kept = *kept_;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, as_vector(panel.look.theme.background));
  begin_panel("Timeline", whole, ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  const bool presenting = state.workspace.presenting;
  // Where the timeline is short for its letters, the overview is half as tall.
  constexpr float kShort = 19;  // ems
  const float part = presenting ? 0 : whole.height < kShort * ImGui::GetFontSize() ? 0.5f : 1;
  const float above = std::round(part * Minimap::height(panel.look)), below = LegendStrip::height(panel.look);
  Box place{whole.x, whole.y + above, whole.width, whole.height - above - below};
  if (!state.runs.shown || place.width < 8 || place.height < 8) {
    kept.seen.shown = nullptr;
    empty_text(panel, whole);
    ImGui::End();
    return;
  }

  const float ratio = ImGui::GetIO().DisplayFramebufferScale.x > 0 ? ImGui::GetIO().DisplayFramebufferScale.x : 1;
  const trace::Trace& trace = state.runs.shown->run->trace;
  const timeline::Tracks& all = kept.tracks(state);
  const bool is_open = all.inside.operation != kNoOperation;
  Seen now{.shown = state.runs.shown,
           .view = {},
           .theme = state.workspace.theme,
           .opening = state.timeline.opening,
           .options = {}};
  now.options = options_of(panel, place, ratio);
  timeline::LayoutOptions& options = now.options;
  if (is_open) options.ring.block = timeline::block_at(trace, state.timeline.opening, kept.moment);
  const int more_height = static_cast<int>(more_below_height(panel.look) * ratio);
  options.row_height = row_height(all, options, presenting, more_height);
  kept.frame = timeline::frame(all, options);
  const int plot = std::max(1, kept.frame.plot_width);
  const trace::Interval whole_extent = timeline::extent(all, options.compared);
  kept.view = state.timeline.view ? *state.timeline.view : timeline::fit(whole_extent.start, whole_extent.end, plot);
  timeline::TrackArea area = timeline::track_area(options);
  const int hidden = std::max(0, kept.frame.content_height - (area.bottom - area.top));
  // Rows that have no room are counted in a line of its own, until the last of them is in sight.
  options.scroll = kept.scroll = std::clamp(kept.scroll, 0, hidden);
  const bool more = timeline::lanes_below(all, options) > 0;
  if (more) {
    place.height -= more_below_height(panel.look);
    options.height = std::max(1, static_cast<int>(place.height * ratio));
    area = timeline::track_area(options);
  }
  if (std::exchange(kept.reveal, false)) kept.scroll = timeline::scroll_to_inside(all, options, kept.scroll);
  if (std::exchange(kept.sought, state.timeline.selected) != state.timeline.selected) {
    kept.scroll = timeline::scroll_to_operation(trace, all, options, kept.sought, kept.scroll);
    if (const auto span = span_of(state, kept.sought))
      if (const auto there = timeline::view_to_operation(*span, kept.view, plot)) {
        kept.view = *there;
        panel.emit(command::SetView{kept.view});
      }
  }
  kept.scroll = std::clamp(kept.scroll, 0, hidden);
  options.scroll = kept.scroll;
  now.view = kept.view;

  if (above > 0) kept.minimap.draw(panel, {whole.x, whole.y, whole.width, above}, all, kept.view, kept.frame);
  ImGui::SetCursorScreenPos({place.x, place.y});
  ImGui::InvisibleButton(
      "plot", {place.width, place.height},
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle);
  const bool menu_wanted = right_clicked();
  Pointer pointer = pointer_of(place, ratio);
  const std::vector<timeline::Strip> rows = timeline::strips(all, options);
  Plot under{trace, all, options, kept.view, kept.frame, rows, hidden, std::nullopt, nullptr};
  const bool pointing = pointer.over && !kept.gestures.panning();
  const int column = pointer.x - kept.frame.plot_x;
  kept.cursor = pointer.over && column >= 0 ? column : -1;
  if (pointing) under.under = timeline::hit(trace, all, kept.view, options, pointer.x, pointer.y);
  if (pointer.over) under.strip = timeline::strip_at(rows, options, pointer.y);
  const bool on_inside = under.strip != nullptr && under.strip->kind == timeline::TrackKind::inside;
  if (under.under && under.under->compared)
    options.compared.hovered = under.under->operation;
  else
    options.hovered = under.under && !on_inside ? under.under->operation : kNoOperation;
  if (under.strip != nullptr && under.strip->track != timeline::Strip::kNone && column < 0 && !on_inside)
    options.hovered_header = timeline::key(all.tracks[under.strip->track]);
  if (is_open) {
    if (under.under) options.hovered_piece = under.under->piece;
    if (pointing && column >= 0) kept.moment = timeline::time_at(kept.view, column);
    options.ring = ring_at(all, trace, state.timeline.opening, under.under, kept.moment);
  }
  const Placed placed{all, kept.view, options, kept.frame, place};
  if (!kept.playhead.scrub(panel, placed, pointer)) kept.gestures.follow(pointer, under, kept.scroll, panel.commands);
  kept.playhead.follow(panel, placed);

  if (now != kept.seen) {
    kept.canvas.set(timeline::layout(trace, all, kept.view, panel.look.theme, options));
    kept.seen = now;
  }
  kept.canvas.draw(panel.look.fonts, {place.x, place.y});
  if (menu_wanted) {
    // The button that was down counts as panning until now.
    const auto on = timeline::hit(trace, all, kept.view, options, pointer.x, pointer.y);
    const bool own = on && !on->compared && !on->ghost;
    const bool on_track = under.strip != nullptr && under.strip->track != timeline::Strip::kNone && !on_inside;
    kept.menu.open(own ? on->operation : kNoOperation,
                   on_track ? std::optional(timeline::key(all.tracks[under.strip->track])) : std::nullopt);
  }
  kept.menu.draw(panel, *this);
  draw_cloud(panel, placed, rows);
  kept.playhead.draw(panel, placed);
  const float axis = static_cast<float>(area.top) / ratio;
  scroll_bar(panel, {place.x, place.y + axis, place.width, place.height - axis}, kept.scroll, hidden, ratio);
  const bool dragged = ImGui::IsItemActive();
  const float end = whole.y + whole.height - below;
  if (more)
    kept.scroll += more_below(panel, {whole.x, place.y + place.height, whole.width, end - place.y - place.height},
                              timeline::lanes_below(all, options),
                              std::max((area.bottom - area.top) / 2, timeline::metrics(options).row));
  kept.legend.draw(panel, {whole.x, end, whole.width, below}, all);
  if (state.help.asked && pointer.over) answer_of(panel, under);
  if (under.under && !dragged && under.strip != nullptr) {
    // Beside the row, so that it hides neither the bar nor its neighbours.
    const int row = timeline::metrics(options).row, lane = (pointer.y - under.strip->y0) / row;
    const float top = place.y + static_cast<float>(under.strip->y0 + lane * row) / ratio;
    const RowAt at{top, top + static_cast<float>(row) / ratio, place.y + place.height};
    if (under.under->piece != timeline::kNoPiece)
      piece_tooltip(panel, at, trace, all.inside.pieces[under.under->piece], under.under->how_many);
    else
      operation_tooltip(panel, at, *under.under);
  }
  if (pointer.over && !dragged && pointer.y >= options.height - timeline::metrics(options).badge)
    provenance_tooltip(state);
  ImGui::End();
}

}  // namespace streamscope::window
