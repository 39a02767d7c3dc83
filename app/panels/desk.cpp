#include "app/panels/desk.h"

#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <cmath>

#include "app/panels/compat.h"
#include "app/panels/files.h"
#include "app/panels/glimpse.h"
#include "app/panels/playing.h"
#include "app/panels/readings.h"

namespace streamscope {
namespace {

// A run that takes longer shows what it has so far.
constexpr Nanoseconds kGlimpseAfter = 300'000'000;
constexpr Nanoseconds kGlimpseEvery = 200'000'000;
constexpr std::size_t kSmallRun = 4'000;  // spans
constexpr Nanoseconds kWorthWaiting = 12'000'000;
// Where the GPU that is measured also draws the window, its frames hold kernels back (seen: by 0.9 ms each): while a
// run goes on, only input is answered with frames at once, and what the run tells of itself with one in so long.
constexpr Nanoseconds kUndisturbed = 250'000'000;
constexpr float kSeam = 5;  // between panels, in points

}  // namespace

Desk::Desk(OpenedFile file, const std::filesystem::path& trace, const std::string& engine_command, void (*wake)())
    : state_(first_state(std::move(file))),
      wake_(wake),
      background_(wake),
      session_({.engine_command = engine_command, .wake = wake}) {
  if (!trace.empty()) {
    state_.ran_once = true;  // nothing is run by itself
    state_.wants.open = trace;
  }
  background_.post([] { return Command(command::FilesListed{shipped_files()}); });
}

Desk::~Desk() { closing_.request_stop(); }

Result<void> Desk::create() { return timeline_.create(); }
void Desk::destroy() { timeline_ = TimelinePanel(); }

void Desk::prepare_fonts(float display_scale) {
  look_.theme = theme(state_.theme);
  look_.scale = state_.text_scale * look_.theme.text_scale * display_scale;
  const bool other_letters = letters_.follow(state_);
  if (look_.scale != fonts_scale_ || other_letters) {
    const bool first = fonts_scale_ == 0;
    fonts_scale_ = look_.scale;
    look_.fonts = build_fonts(look_.scale, letters_.all());
    if (!first) renew_font_texture();
    styled_ = state_.theme;
    set_style(look_);
  } else if (styled_ != state_.theme) {
    styled_ = state_.theme;
    set_style(look_);
  }
}

bool Desk::advance() {
  bool changed = false;
  for (const SessionEvent& event : session_.poll()) {
    apply(state_, event);
    changed = true;
  }
  const Commands found = background_.take();
  changed |= !found.empty();
  apply_all(found);
  move_playhead();
  if (const Nanoseconds due = run_due(); known(due) && host_now() >= due) {
    if (state_.live)
      apply(state_, command::LiveDue{});
    else
      apply(state_, command::PairsDue{});
    changed = true;
  }
  if (const int share = *reading_; share >= 0 && share != reading_said_) {
    reading_said_ = share;
    streamscope::apply(state_, command::Say{fmt::format("Reading {}: {} %", reading_name_, share / 10)});
    changed = true;
  }
  carry_out();
  glimpse();
  make_instants();
  report_.changes(probe_, state_, session_.engine_process());
  return changed;
}

void Desk::apply_all(const Commands& commands) {
  for (const Command& each : commands) apply(state_, each);
}

Nanoseconds Desk::run_due() const {
  if (state_.engine != EngineStatus::up || state_.in_progress != 0) return kAbsent;
  if (state_.live) return state_.live_due;
  return state_.playing ? kAbsent : state_.pairs_due;  // slow motion is not broken off for them
}

Nanoseconds Desk::next_due() const {
  const Nanoseconds run = run_due();
  if (!state_.playing) return run;
  const Nanoseconds playhead = known(playhead_due_) ? playhead_due_ : host_now();
  return known(run) ? std::min(run, playhead) : playhead;
}

void Desk::move_playhead() {
  if (!state_.playing) {
    playhead_due_ = kAbsent;
    return;
  }
  const Nanoseconds now = host_now();
  apply(state_, command::PlayheadDue{now});
  playhead_due_ = next_frame(state_, now, timeline_.pixel());
}

// Once for each run that slow motion looks at; small ones at once, as runs are prepared.
void Desk::make_instants() {
  if (!needs_instants(state_)) instants_asked_for_.reset();
  if (!needs_instants(state_) || instants_asked_for_ == state_.shown) return;
  auto make = [of = state_.shown] {
    return Command(command::InstantsFound{of, std::make_shared<const InstantIndex>(of->run->trace)});
  };
  if (span_count(state_.shown->run->trace) <= kSmallRun) {
    streamscope::apply(state_, make());
    return;
  }
  instants_asked_for_ = state_.shown;
  background_.post(std::move(make));
}

void Desk::carry_out() {
  State::Wants wants = std::exchange(state_.wants, {});
  state_.wants.close = wants.close;
  if (wants.stop) session_.stop();
  if (wants.restart) session_.restart();
  if (wants.check) check_program();
  if (wants.run && state_.engine == EngineStatus::up) start_run(wants);
  if (wants.picture) export_picture(std::move(*wants.picture), wants.picture_of_view);
  compare(wants);
  if (wants.open) open_file_of(*wants.open);
  for (Finished& each : wants.prepare) {
    const bool small = span_count(each.run->trace) <= kSmallRun;
    auto ready = [done = std::move(each)] { return Command(command::RunPrepared{prepare(done)}); };
    // Short ones take less than a millisecond, and the way over the other thread would cost a frame.
    if (small && !background_.busy())
      streamscope::apply(state_, ready());
    else
      background_.post(std::move(ready));
  }
  keep_readings();
}

// What the views read off the run in view follows the state; one of each sort is made at a time, the newest next.
void Desk::keep_readings() {
  const bool at_once = state_.shown && span_count(state_.shown->run->trace) <= kSmallRun;
  if (auto due = state_.table_under_way ? std::nullopt : table_due(state_)) {
    auto make = [due = std::move(*due), before = state_.table] {
      return Command(command::TableRead{std::make_shared<const TableReading>(read(due, before.get()))});
    };
    if (at_once) {
      streamscope::apply(state_, make());
    } else {
      state_.table_under_way = true;
      background_.post(std::move(make));
    }
  } else if (state_.table && state_.table->of != state_.shown && !state_.table_under_way) {
    state_.table.reset();  // nobody looks at it, and it keeps a run in memory
  }
  if (auto due = state_.range_under_way ? std::nullopt : range_due(state_)) {
    auto make = [due = std::move(*due)] {
      return Command(command::RangeRead{std::make_shared<const RangeReading>(read(due))});
    };
    if (at_once) {
      streamscope::apply(state_, make());
    } else {
      state_.range_under_way = true;
      background_.post(std::move(make));
    }
  } else if (state_.range_reading && state_.range_reading->of != state_.shown && !state_.range_under_way) {
    state_.range_reading.reset();
  }
}

// Two runs are held against each other; and what of that is to be copied.
void Desk::compare(State::Wants& wants) {
  if (wants.pair) {
    const bool small =
        span_count(wants.pair->first->run->trace) + span_count(wants.pair->second->run->trace) <= kSmallRun;
    auto ready = [request = std::move(*wants.pair)] { return Command(command::PairPrepared{make_pair(request)}); };
    if (small)
      streamscope::apply(state_, ready());
    else
      background_.post(std::move(ready));
  }
  if (wants.copy)
    background_.post([pair = std::move(wants.copy)] {
      return Command(
          command::Copied{differences_csv(*pair), fmt::format("Copied {} differences as CSV.", pair->order.size())});
    });
  if (wants.clipboard) ImGui::SetClipboardText(wants.clipboard->c_str());
}

void Desk::start_run(const State::Wants& wants) {
  const Nanoseconds now = host_now();
  message::StartRun wanted = request(state_, wants.purpose, wants.long_kernels);
  const Subject subject = subject_of(wanted);
  const std::uint64_t id = session_.start(std::move(wanted));
  state_.in_progress = id;
  state_.passes_done = state_.passes_total = 0;
  state_.glimpse.clear();
  state_.last_start = now;
  state_.started[id] = {
      .label = label(state_), .asked = wants.asked, .begun = now, .purpose = wants.purpose, .subject = subject};
  glimpsed_ = now + kGlimpseAfter - kGlimpseEvery;
}

void Desk::open_file_of(const std::filesystem::path& path) {
  reading_name_ = path.filename().string();
  background_.post([path, share = reading_, stop = closing_.get_token(), wake = wake_]() -> std::optional<Command> {
    if (looks_like_trace(path)) {
      const auto progress = [&](double part) {
        *share = static_cast<int>(part * 100) * 10;
        wake();
      };
      auto opened = open_run(path, {stop, progress});
      *share = -1;
      if (!opened) return command::Say{opened.error().message, true};
      return command::TraceOpened{std::move(*opened)};
    }
    auto file = open_file(path);
    if (!file) return command::Say{file.error().message, true};
    return command::FileOpened{std::move(*file)};
  });
}

void Desk::check_program() {
  *newest_check_ = state_.version;
  background_.post(
      [words = state_.program, version = state_.version, newest = newest_check_]() -> std::optional<Command> {
        if (*newest != version) return std::nullopt;  // the text has changed since
        Parsed parsed = parse(words);
        if (!has_error(parsed.diagnostics)) {
          Checked checked = check(parsed.syntax);
          parsed.diagnostics.insert(parsed.diagnostics.end(), checked.diagnostics.begin(), checked.diagnostics.end());
        }
        return command::ProgramChecked{version, std::move(parsed.diagnostics)};
      });
}

void Desk::export_picture(PictureRequest request, bool as_seen) {
  if (as_seen) request.options.view = timeline_.view_for(request.options.width);
  background_.post([shown = state_.shown, request = std::move(request)]() mutable -> std::optional<Command> {
    const auto failed = [](const std::string& why) {
      return command::Say{"The picture was not written: " + why, true};
    };
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::current_path(error);
    if (error) return failed("there is no working folder (" + error.message() + ").");
    for (const Result<void>& valid :
         {check_size(request.options.width, request.options.height), check_scale(request.options.scale),
          check_pixels(request.format, request.options.width, request.options.height, request.options.scale),
          check_figure(*shown->run, request.options)})
      if (!valid) return failed(valid.error().message);
    auto path = free_picture_path(folder, request.format);
    if (!path) return failed(path.error().message);
    request.path = std::move(*path);
    const auto written = write_picture(*shown->run, request);
    if (!written) return failed(written.error().message);
    return command::Say{"Wrote " + written->string()};
  });
}

// What a long run has so far, in the frame of its program.
void Desk::glimpse() {
  if (state_.in_progress == 0 || state_.glimpse.empty() || state_.live) return;
  const Nanoseconds now = host_now();
  if (now - glimpsed_ < kGlimpseEvery) return;
  glimpsed_ = now;
  DeviceList devices = state_.devices;
  if (const DeviceInfo* model = device_of(state_); model != nullptr && !on_gpu(state_) && !state_.what_ifs.empty())
    devices.devices[static_cast<std::size_t>(model - state_.devices.devices.data())].profile += ", changed";
  background_.post([spans = state_.glimpse, id = state_.in_progress, words = state_.program, name = label(state_),
                    device = state_.device, devices = std::move(devices)]() -> std::optional<Command> {
    auto run = glimpse_of(words, device, devices, spans);
    if (!run) return std::nullopt;
    return command::RunPrepared{prepare({.id = id, .number = 0, .started = {.label = name}, .run = std::move(run)})};
  });
}

void Desk::draw() {
  const Panel panel{state_, look_, probe_, commands_};
  const bool typing = ImGui::GetIO().WantTextInput;
  for (const KeyPress& press : std::exchange(keys_, {})) {
    act_on(press, typing, panel, timeline_);
    apply_all(std::exchange(commands_, {}));  // each key acts on what the one before left
  }
  panels();
  acted_ = !commands_.empty();
  apply_all(std::exchange(commands_, {}));
  carry_out();
  make_instants();
  report_.changes(probe_, state_, session_.engine_process());
}

float Desk::splitter(const char* name, const Box& box, bool vertical) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, seam());
  begin_panel(name, box);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  ImGui::InvisibleButton("seam", {box.width, box.height});
  if (ImGui::IsItemHovered() || ImGui::IsItemActive())
    ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  float moved = 0;
  if (ImGui::IsItemActive()) moved = vertical ? ImGui::GetIO().MouseDelta.x : ImGui::GetIO().MouseDelta.y;
  ImGui::End();
  return moved;
}

void Desk::dock(const Box& place) {
  const Panel panel{state_, look_, probe_, commands_};
  if (tabs_height_ <= 0) tabs_height_ = ImGui::GetFrameHeight();
  tabs_height_ = dock_tabs(panel, {place.x, place.y, place.width, tabs_height_});
  const Box inside{place.x, place.y + tabs_height_, place.width, std::max(1.0f, place.height - tabs_height_)};
  switch (state_.dock) {
    case command::Dock::program: program_.draw(panel, inside); break;
    case command::Dock::operations: operations_.draw(panel, inside, timeline_.plot_width()); break;
    case command::Dock::compare: compare_.draw(panel, inside, timeline_); break;
    case command::Dock::slow_motion: slow_motion_panel(panel, inside); break;
  }
}

void Desk::panels() {
  const Panel panel{state_, look_, probe_, commands_};
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float scale = look_.scale, gap = std::max(3.0f, std::round(kSeam * scale));
  const auto whole = [](float value) { return std::round(value); };

  if (toolbar_height_ <= 0) toolbar_height_ = ImGui::GetFrameHeight() + ImGui::GetStyle().WindowPadding.y * 2;
  toolbar_height_ = toolbar(panel, {0, 0, size.x, toolbar_height_});
  float top = toolbar_height_ + 1;
  if (state_.engine == EngineStatus::lost) {
    if (banner_height_ <= 0) banner_height_ = toolbar_height_;
    banner_height_ = lost_banner(panel, {0, top, size.x, banner_height_});
    top += banner_height_;
  } else if (state_.refused) {
    if (question_height_ <= 0) question_height_ = toolbar_height_;
    question_height_ = long_kernel_banner(panel, {0, top, size.x, question_height_});
    top += question_height_;
  }
  const float status = whole(ImGui::GetTextLineHeight() + 8 * scale);
  const float bottom = size.y - status - 1;
  status_bar(panel, {0, size.y - status, size.x, status});

  const float height = std::max(40.0f, bottom - top);
  Box centre{0, top, size.x, height};
  const float widest = size.x * 0.3f;
  if (state_.controls_open) {
    const float width = whole(std::min(left_width_ * scale, widest));
    experiment_panel(panel, {0, top, width, height});
    left_width_ =
        std::clamp(left_width_ + splitter("left seam", {width, top, gap, height}, true) / scale, 160.0f, 900.0f);
    centre.x += width + gap;
    centre.width -= width + gap;
  }
  if (state_.summary_open) {
    const float width = whole(std::min(right_width_ * scale, widest));
    summary_panel(panel, {size.x - width, top, width, height}, timeline_.plot_width());
    right_width_ = std::clamp(
        right_width_ - splitter("right seam", {size.x - width - gap, top, gap, height}, true) / scale, 160.0f, 900.0f);
    centre.width -= width + gap;
  }
  if (state_.dock_open) {
    const float least = std::min(130 * scale, height * 0.5f);
    const float tall = whole(std::clamp(height * program_share_, least, height * 0.8f));
    centre.height -= tall + gap;
    dock({centre.x, bottom - tall, centre.width, tall});
    const float moved = splitter("program seam", {centre.x, bottom - tall - gap, centre.width, gap}, false);
    program_share_ = std::clamp(program_share_ - moved / height, 0.1f, 0.8f);
  }
  timeline_.draw(panel, centre);
  keys_help(panel);
  palette(panel, timeline_);
  export_.draw(panel, timeline_);
}

void Desk::drawn() {
  last_frame_ = host_now();
  if (!probe_.on()) return;
  if (first_frame_) {
    first_frame_ = false;
    glFinish();
    probe_.say("first frame {} ms", process_age() / 1'000'000);
  }
  if (!state_.shown || state_.shown->number == timed_run_ || !timeline_.drew(state_.shown->number)) return;
  timed_run_ = state_.shown->number;
  if (!known(state_.shown->asked)) return;
  glFinish();
  probe_.say("change to picture {:.1f} ms", static_cast<double>(host_now() - state_.shown->asked) * 1e-6);
}

double Desk::worth_waiting() const {
  if (state_.in_progress == 0 || !known(state_.last_start)) return 0;
  // Before the first picture: GPUs stand first in the list.
  const std::vector<DeviceInfo>& devices = state_.devices.devices;
  const Provenance::Kind kind = state_.shown      ? state_.shown->run->trace.provenance.kind
                                : devices.empty() ? Provenance::Kind::model
                                                  : devices.front().kind;
  const bool measured = kind == Provenance::Kind::measured;
  const Nanoseconds due = measured ? std::max(state_.last_start, last_frame_) + kUndisturbed  // kAbsent is the least
                                   : state_.last_start + kWorthWaiting;
  const Nanoseconds left = due - host_now();
  return left > 0 ? static_cast<double>(left) * 1e-9 : 0;
}

std::string Desk::title() const {
  const std::string what = state_.edited        ? "typed program"
                           : state_.own_program ? state_.own.name
                                                : state_.experiment_name;
  if (!state_.shown) return fmt::format("Streamscope – {}", what);
  const Provenance& from = state_.shown->run->trace.provenance;
  // A trace of another tool has nothing to do with what is set: it is named by its file.
  const std::string& label = state_.shown->label;
  const bool theirs = state_.shown->run->program.empty() && state_.shown->run->trace.packed;
  return fmt::format("Streamscope – {} – {} ({})", theirs ? label.substr(0, label.rfind(" · ")) : what,
                     badge(from.kind), from.device);
}

ImVec4 Desk::seam() const { return as_vector(mix(look_.theme.panel, look_.theme.text, 0.12f)); }

}  // namespace streamscope
