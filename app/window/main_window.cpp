#include "app/window/main_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/panels/banners.h"
#include "app/window/panels/close_question.h"
#include "app/window/panels/dock.h"
#include "app/window/panels/experiment_panel.h"
#include "app/window/panels/file_dialog.h"
#include "app/window/panels/first_hint.h"
#include "app/window/panels/gallery.h"
#include "app/window/panels/help_panel.h"
#include "app/window/panels/keys_help.h"
#include "app/window/panels/lesson_panel.h"
#include "app/window/panels/palette.h"
#include "app/window/panels/present_panel.h"
#include "app/window/panels/run_head.h"
#include "app/window/panels/slow_motion_panel.h"
#include "app/window/panels/status_bar.h"
#include "app/window/panels/summary_panel.h"
#include "app/window/panels/sweep_panel.h"
#include "app/window/panels/toolbar.h"
#include "app/window/panels/totals_panel.h"
#include "app/window/panels/waits_panel.h"
#include "app/window/platform/imgui_compat.h"
#include "app/window/state/playhead.h"
#include "app/window/widgets/dialog.h"
#include "app/window/widgets/widgets.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

constexpr Nanoseconds kWorthWaiting = 12'000'000;
// Where the GPU that is measured also draws the window, its frames hold kernels back (seen: by 0.9 ms each): while a
// run goes on, only input is answered with frames at once, and what the run reports with one frame in this time.
constexpr Nanoseconds kUndisturbed = 250'000'000;
constexpr float kGap = 5;    // between panels, in points
constexpr float kSide = 15;  // ems that a panel at the side needs so that it can be read

Reach keyboard_at(const State& state) {
  if (ImGui::GetIO().WantTextInput || drop_down_open()) return Reach::anywhere;
  if (state.workspace.walk != 0) return Reach::dialogs;  // arrows, Space and Enter are the controls' own
  return dialog_open(state.workspace) || state.files.asks != FileQuestion::none ? Reach::dialogs : Reach::panels;
}

// Of two times the earlier one that is known.
Nanoseconds earlier(Nanoseconds a, Nanoseconds b) { return !known(a) ? b : !known(b) ? a : std::min(a, b); }

}  // namespace

MainWindow::MainWindow(OpenedFile file, const std::filesystem::path& trace, const Remembered& before,
                       const std::string& engine_command, void (*wake)())
    : effects_(engine_command, wake) {
  effects_.add(begin(state_, std::move(file), trace, before));
  if (!trace.empty()) carry_out();  // it is read while the window is made
}

Result<void> MainWindow::create() { return timeline_.create(); }
void MainWindow::destroy() { timeline_ = TimelinePanel(); }

void MainWindow::open_lesson(const std::filesystem::path& folder, lesson::Language language,
                             const std::string& device) {
  effects_.add(update(state_, command::SpeakLesson{language, false}));
  effects_.add(update(state_, command::OpenLesson{folder, device}));
  carry_out();  // it is read while the window is made
}

void MainWindow::prepare_fonts(float display_scale) {
  look_.theme = timeline::theme(state_.workspace.theme);
  const float of_theme = state_.workspace.presenting ? 1 : look_.theme.text_scale;
  look_.scale = text_scale_now(state_.workspace) * of_theme * display_scale;
  const bool other_letters = letters_.follow(state_);
  if (look_.scale != fonts_scale_ || other_letters) {
    const bool first = fonts_scale_ == 0;
    fonts_scale_ = look_.scale;
    look_.fonts = build_fonts(look_.scale, letters_.all());
    if (!first) renew_font_texture();
    styled_ = state_.workspace.theme;
    set_style(look_);
  } else if (styled_ != state_.workspace.theme) {
    styled_ = state_.workspace.theme;
    set_style(look_);
  }
}

bool MainWindow::holds_keys() const { return field_awaited() || help_awaits_cursor(state_.help); }

bool MainWindow::advance() {
  bool changed = effects_.take(state_);
  move_playhead();
  // In live mode what has come back is drawn before the next run begins, whose frames would have to wait.
  const bool drawn_first = changed && state_.running.live;
  if (const Nanoseconds due = run_due(); known(due) && host_now() >= due && !drawn_first) {
    const bool pairs = known(state_.running.pairs_due) && host_now() >= state_.running.pairs_due;
    effects_.add(update(state_, state_.running.live ? Command(command::LiveDue{})
                                : pairs             ? Command(command::PairsDue{})
                                                    : Command(command::RefereeDue{})));
    changed = true;
  }
  if (known(state_.status.until) && host_now() >= state_.status.until) {
    effects_.add(update(state_, command::Say{}));
    changed = true;
  }
  carry_out();
  return changed;
}

void MainWindow::carry_out() {
  effects_.carry_out(state_, [this](int width) { return timeline_.view_for(width); });
}

void MainWindow::update_all(const Commands& commands) {
  for (const Command& each : commands) effects_.add(update(state_, each));
}

Nanoseconds MainWindow::run_due() const {
  if (state_.running.engine != EngineStatus::up || state_.running.in_progress != 0) return kAbsent;
  if (state_.running.live) return state_.running.preparing == 0 ? state_.running.live_due : kAbsent;
  if (state_.slow_motion.playing) return kAbsent;  // slow motion is not broken off for them
  return earlier(state_.running.pairs_due, state_.running.referee_due);
}

Nanoseconds MainWindow::next_due() const {
  const Nanoseconds due = earlier(run_due(), state_.status.until);
  if (!state_.slow_motion.playing) return due;
  return earlier(due, known(playhead_due_) ? playhead_due_ : host_now());
}

void MainWindow::move_playhead() {
  if (!state_.slow_motion.playing) {
    playhead_due_ = kAbsent;
    return;
  }
  const Nanoseconds now = host_now();
  effects_.add(update(state_, command::PlayheadDue{now}));
  playhead_due_ = next_frame(state_, now, timeline_.pixel());
}

void MainWindow::draw() {
  frame_begin_ = host_now();
  const Panel panel{state_, look_, commands_};
  for (const KeyPress& press : std::exchange(keys_, {})) {
    act_on(press, cursor_in_cuda_ ? Reach::anywhere : keyboard_at(state_), panel, timeline_);
    update_all(std::exchange(commands_, {}));  // each key acts on what the one before left
  }
  walk();
  panels();
  // Its keys move in an open list and where controls are walked, and there alone: everywhere else they are ours.
  ImGuiConfigFlags& flags = ImGui::GetIO().ConfigFlags;
  flags = drop_down_open() || dialog_drawn() || walks() ? flags | ImGuiConfigFlags_NavEnableKeyboard
                                                        : flags & ~ImGuiConfigFlags_NavEnableKeyboard;
  if (state_.undo.going_on && !ImGui::IsAnyItemActive()) commands_.emplace_back(command::EndChange{});
  acted_ = !commands_.empty();
  update_all(std::exchange(commands_, {}));
  if (acted_ && !ImGui::IsAnyItemActive()) remember();
  carry_out();
}

// The panel that the keyboard walks has Dear ImGui's focus.
void MainWindow::walk() {
  const int now = state_.workspace.walk;
  const bool clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsMouseClicked(ImGuiMouseButton_Right);
  if (now != 0 && clicked) commands_.emplace_back(command::EndWalk{});
  let_walk(now != 0);
  if (std::exchange(walked_, now) == now) return;
  const char* const docks[] = {"Program", "Operations", "Compare", "Slow motion", "Waits", "Sweep", "Totals"};
  // A question that is open stands in the toolbar's place.
  const bool asks = state_.editing.refused && state_.running.engine != EngineStatus::lost;
  const char* const first = state_.running.engine == EngineStatus::lost ? "Engine lost"
                            : asks                                      ? "Long kernel"
                                                                        : "Toolbar";
  const char* const names[] = {first, "Experiment", "Dock tabs", docks[static_cast<int>(state_.workspace.dock)],
                               "Summary"};
  ImGui::SetWindowFocus(now == 0 ? nullptr : names[now - 1]);
  steps_in_ = now != 0;
}

float MainWindow::splitter(const char* name, const Box& box, bool vertical) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, gap_colour());
  begin_panel(name, box);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ImGui::InvisibleButton("splitter", {box.width, box.height});
  if (ImGui::IsItemHovered() || ImGui::IsItemActive())
    ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  float moved = 0;
  if (ImGui::IsItemActive()) moved = vertical ? ImGui::GetIO().MouseDelta.x : ImGui::GetIO().MouseDelta.y;
  ImGui::End();
  return moved;
}

void MainWindow::dock(const Box& place) {
  const Panel panel{state_, look_, commands_};
  if (tabs_height_ <= 0) tabs_height_ = ImGui::GetFrameHeight();
  tabs_height_ = dock_tabs(panel, {place.x, place.y, place.width, tabs_height_});
  const Box inside{place.x, place.y + tabs_height_, place.width, std::max(1.0f, place.height - tabs_height_)};
  switch (state_.workspace.dock) {
    case command::Dock::program: program(inside); break;
    case command::Dock::operations: operations_.draw(panel, inside, timeline_.plot_width()); break;
    case command::Dock::compare: compare_.draw(panel, inside, timeline_); break;
    case command::Dock::slow_motion: slow_motion_panel(panel, inside); break;
    case command::Dock::sweep: sweep_panel(panel, inside); break;
    case command::Dock::waits: waits_panel(panel, inside, timeline_.plot_width()); break;
    case command::Dock::totals: totals_panel(panel, inside); break;
  }
}

// The stream program, and its CUDA C++: beside it, or where the two could not be read so, in its place.
void MainWindow::program(const Box& place) {
  constexpr float kRoomForBoth = 40;  // ems
  const Panel panel{state_, look_, commands_};
  if (!state_.workspace.cuda_open || of_another_tool(state_)) return program_.draw(panel, place);
  if (place.width < kRoomForBoth * ImGui::GetFontSize()) {
    cuda_.draw(panel, place, true);
    cursor_in_cuda_ = cuda_.has_cursor();
    return;
  }
  PanelSizes sizes = state_.workspace.sizes;
  const float gap = std::max(3.0f, std::round(kGap * look_.scale)), width = std::round(place.width * sizes.cuda);
  program_.draw(panel, {place.x, place.y, place.width - width - gap, place.height});
  cuda_.draw(panel, {place.x + place.width - width, place.y, width, place.height}, false);
  cursor_in_cuda_ = cuda_.has_cursor();
  const Box edge{place.x + place.width - width - gap, place.y, gap, place.height};
  sizes.cuda -= splitter("CUDA C++ splitter", edge, true) / place.width;
  if (sizes != state_.workspace.sizes) commands_.emplace_back(command::SizePanels{sizes});
}

// The lower panel's tabs, and below them a line of controls, a table's heading and three of its rows.
float MainWindow::least_dock() const {
  return std::max(tabs_height_, ImGui::GetFrameHeight()) + 8.6f * ImGui::GetFontSize();
}

// What the panels need so that they can be read.
ImVec2 MainWindow::least_size() const {
  const Workspace& shown = state_.workspace;
  constexpr float kCentre = 21, kTimeline = 16;  // ems
  const float em = ImGui::GetFontSize();
  return {em * (kCentre + (shown.controls_open ? kSide : 0) + (shown.summary_open ? kSide : 0)),
          em * kTimeline + bars_height_ + (shown.dock_open ? least_dock() : 0)};
}

// The control that the keyboard has come to is in sight.
void MainWindow::follow_keyboard() {
  if (!walks()) return;
  if (const auto line = focused_line()) page_.bring_into_sight(*line);
}

void MainWindow::panels() {
  const Panel panel{state_, look_, commands_};
  cursor_in_cuda_ = false;
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const float scale = look_.scale, gap = std::max(3.0f, std::round(kGap * scale));
  const auto whole = [](float value) { return std::round(value); };
  const Box page = page_.place(window, least_size(), std::round(ImGui::GetStyle().ScrollbarSize * 1.2f));
  const float right = page.x + page.width, end = page.y + page.height, in_sight = page_.in_sight();

  const bool presenting = state_.workspace.presenting;
  if (toolbar_height_ <= 0) toolbar_height_ = ImGui::GetFrameHeight() + ImGui::GetStyle().WindowPadding.y * 2;
  const Box bar{0, page.y, in_sight, toolbar_height_};
  toolbar_height_ = presenting ? present_bar(panel, bar) : toolbar(panel, bar);
  float top = page.y + toolbar_height_ + 1;
  if (presenting) {
    if (caption_height_ <= 0) caption_height_ = toolbar_height_;
    caption_height_ = present_caption(panel, {0, top, in_sight, caption_height_});
    top += caption_height_;
  }
  if (state_.running.engine == EngineStatus::lost) {
    if (banner_height_ <= 0) banner_height_ = toolbar_height_;
    banner_height_ = lost_banner(panel, {0, top, in_sight, banner_height_});
    top += banner_height_;
  } else if (state_.editing.refused) {
    if (question_height_ <= 0) question_height_ = toolbar_height_;
    question_height_ = long_kernel_banner(panel, {0, top, in_sight, question_height_});
    top += question_height_;
  }
  const float status = whole(ImGui::GetTextLineHeight() + 8 * scale);
  const float bottom = presenting && !state_.status.error ? end : end - status - 1;
  if (bottom < end) status_bar(panel, {0, end - status, in_sight, status});
  bars_height_ = top - page.y + end - bottom + gap;

  const float height = std::max(40.0f, bottom - top);
  Box centre{page.x, top, page.width, height};
  // Both together leave the centre half of the width.
  const bool both = state_.workspace.summary_open && (state_.lesson.open || state_.workspace.controls_open);
  const float widest = std::max(page.width * (both ? 0.25f : 0.3f), kSide * ImGui::GetFontSize());
  PanelSizes sizes = state_.workspace.sizes;  // a person moves the splitters
  if (state_.lesson.open) {
    const float width = whole(std::min(std::max(sizes.controls, kLessonWidth) * scale, page.width * 0.35f));
    lesson_panel(panel, {page.x, top, width, height});
    centre.x += width + gap;
    centre.width -= width + gap;
  } else if (state_.workspace.controls_open) {
    const float width = whole(std::min(sizes.controls * scale, widest));
    experiment_panel(panel, {page.x, top, width, height});
    const Box edge{page.x + width, top, gap, height};
    sizes.controls += splitter("left splitter", edge, true) / scale;
    centre.x += width + gap;
    centre.width -= width + gap;
  }
  if (state_.workspace.summary_open) {
    const float width = whole(std::min(sizes.summary * scale, widest));
    summary_panel(panel, {right - width, top, width, height}, timeline_.plot_width(), summary_);
    const Box edge{right - width - gap, top, gap, height};
    sizes.summary -= splitter("right splitter", edge, true) / scale;
    centre.width -= width + gap;
  }
  if (state_.workspace.dock_open) {
    const float least = std::min(least_dock(), height * 0.6f);
    const float tall = whole(std::clamp(height * sizes.lower, least, height * kHighest));
    centre.height -= tall + gap;
    const Box lower{centre.x, bottom - tall, centre.width, tall};
    dock(lower);
    // From where it stands, which is not its share where that is too low.
    const Box edge{centre.x, bottom - tall - gap, centre.width, gap};
    if (const float moved = splitter("program splitter", edge, false); moved != 0)
      sizes.lower = (tall - moved) / height;
    // A tab that was opened comes into sight.
    if (shown_dock_ && *shown_dock_ != state_.workspace.dock) page_.bring_into_sight(lower);
    shown_dock_ = state_.workspace.dock;
  }
  if (sizes != state_.workspace.sizes) commands_.emplace_back(command::SizePanels{sizes});
  const float head = presenting ? 0 : run_head_height(panel);  // the bar says it then
  if (head > 0) run_head(panel, {centre.x, centre.y, centre.width, head});
  centre.y += head;
  centre.height -= head;
  if (hides_run(state_.lesson))
    lesson_curtain(panel, centre);
  else
    timeline_.draw(panel, centre);
  first_hint(panel, centre);
  follow_keyboard();
  page_.bars(look_);
  keys_help(panel);
  close_question(panel);
  file_dialog(panel);
  gallery(panel);
  palette(panel, timeline_);
  export_.draw(panel, timeline_);
  help_panel(panel);
}

double MainWindow::worth_waiting() const {
  const auto left = [](Nanoseconds due) { return std::max(0.0, static_cast<double>(due - host_now()) * 1e-9); };
  if (state_.running.in_progress == 0)
    return state_.running.preparing != 0 ? left(state_.running.last_end + kWorthWaiting) : 0;
  if (!known(state_.running.last_start)) return 0;
  // Before the first picture: GPUs stand first in the list.
  const std::vector<device::DeviceInfo>& devices = state_.settings.devices.devices;
  const trace::Provenance::Kind kind = state_.runs.shown ? state_.runs.shown->run->trace.provenance.kind
                                       : devices.empty() ? trace::Provenance::Kind::model
                                                         : devices.front().kind;
  const bool measured = kind == trace::Provenance::Kind::measured;
  const Nanoseconds due = measured
                              ? std::max(state_.running.last_start, last_frame_) + kUndisturbed  // kAbsent is the least
                              : state_.running.last_start + kWorthWaiting;
  return left(due);
}

bool MainWindow::outdated() const {
  const bool measured =
      !state_.runs.shown || state_.runs.shown->run->trace.provenance.kind == trace::Provenance::Kind::measured;
  const bool begun = state_.running.in_progress != 0 && state_.running.last_start >= frame_begin_;
  return begun && !measured && ImGui::IsAnyItemActive() && worth_waiting() > 0;
}

std::string MainWindow::title() const {
  const std::string what = state_.editing.edited        ? tr("typed program")
                           : state_.editing.own_program ? state_.editing.own.name
                                                        : state_.editing.experiment_name;
  if (!state_.runs.shown) return tr("Streamscope – {}", what);
  const trace::Provenance& from = state_.runs.shown->run->trace.provenance;
  // A trace of another tool has nothing to do with what is set: it is named by its file.
  const bool theirs = trace::of_another_tool(from);
  return tr("Streamscope – {} – {} ({})", theirs ? state_.runs.shown->name : what, tr(trace::badge(from)), from.device);
}

ImVec4 MainWindow::gap_colour() const { return as_vector(mixed(look_.theme.panel, look_.theme.text, 0.12f)); }

}  // namespace streamscope::window
