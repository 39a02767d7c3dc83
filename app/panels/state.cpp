#include "app/panels/state.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/timeline/rows.h"
#include "engine/base/quantity.h"

namespace streamscope {
namespace {

void say(State& state, std::string text, bool error = false) {
  state.said = std::move(text);
  state.said_error = error;
}

void set_text(State& state, std::string text, bool edited) {
  state.program = std::move(text);
  state.edited = edited;
  ++state.version;
  state.diagnostics.clear();
  state.wants.check = true;
}

void ask_run(State& state, bool quick) {
  state.wants.run = true;
  state.wants.quick = quick;
}

// After a change of a control: at once in live mode, and otherwise where a run is short.
void ask_run_after_change(State& state) {
  if (state.engine != EngineStatus::up || !state.ran_once) return;
  if (!state.live && known(state.quick_took) && state.quick_took >= kQuickEnough) return;
  ask_run(state, true);
  if (!known(state.wants.asked)) state.wants.asked = host_now();
}

// The program text that the settings build, or why they build none.
void build_text(State& state) {
  if (const auto valid = check(state.experiment); !valid) {
    state.experiment_error = valid.error().message;
    return;
  }
  state.experiment_error.clear();
  set_text(state, build(state.experiment), false);
}

void take(State& state, OpenedFile file) {
  state.experiment_name = file.name;
  state.own_program = file.is_program();
  state.typed_aside.clear();
  if (state.own_program) {
    state.own = std::move(file);
    state.experiment_error.clear();
    set_text(state, state.own.content.program, false);
  } else {
    state.experiment = std::move(file.content.experiment);
    build_text(state);
  }
}

void put_typed_aside(State& state) {
  if (state.edited) state.typed_aside = state.program;
}

// A text that did not come from the controls must be found good before it runs.
bool must_be_checked(const State& state) {
  return (state.edited || state.own_program) && state.checked != state.version;
}

std::string first_error(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& each : diagnostics)
    if (each.severity == Diagnostic::Severity::error) return fmt::format("line {}: {}", each.line, each.message);
  return {};
}

void run_now(State& state, bool quick) {
  if (must_be_checked(state)) {
    state.run_when_checked = true;
    state.wants.check = true;
    return;
  }
  if (const std::string why = why_not_run(state); !why.empty()) {
    say(state, why, true);
    state.live = false;
    return;
  }
  ask_run(state, quick);
}

void keep(State& state, std::shared_ptr<const ShownRun> run) {
  state.spans_kept += run->run->trace.spans.size();
  state.runs.push_back(std::move(run));
  std::size_t dropped = 0;
  while (state.spans_kept > kSpansKept && dropped + 1 < state.runs.size())
    state.spans_kept -= state.runs[dropped++]->run->trace.spans.size();
  if (dropped == 0) return;
  state.runs.erase(state.runs.begin(), state.runs.begin() + static_cast<std::ptrdiff_t>(dropped));
  say(state, fmt::format("To save memory only the newest {} runs are kept.", state.runs.size()));
}

void show(State& state, std::shared_ptr<const ShownRun> run) {
  // What was selected or measured belongs to its program.
  if (!state.shown || state.shown->run->program != run->run->program) {
    if (state.selected >= run->run->trace.spans.size()) state.selected = kNoOperation;
    state.measure_begin = state.measure_end = kAbsent;
  }
  state.shown = std::move(run);
}

struct Apply {
  State& state;

  void operator()(const command::SetExperiment& c) {
    if (c.experiment == state.experiment) return;
    state.experiment = c.experiment;
    build_text(state);
    if (state.experiment_error.empty()) ask_run_after_change(state);
  }
  void operator()(const command::EditProgram& c) {
    if (c.text != state.program) set_text(state, c.text, true);
  }
  void operator()(const command::ResetProgram&) {
    put_typed_aside(state);
    if (state.own_program)
      set_text(state, state.own.content.program, false);
    else
      build_text(state);
    ask_run_after_change(state);
  }
  void operator()(const command::RestoreTyped&) {
    if (state.typed_aside.empty()) return;
    set_text(state, std::exchange(state.typed_aside, {}), true);
  }
  void operator()(const command::BackToPipeline&) {
    put_typed_aside(state);
    state.own_program = false;
    state.experiment_name = "pipeline";
    build_text(state);
    ask_run_after_change(state);
  }
  void operator()(const command::OpenFile& c) { state.wants.open = c.path; }
  void operator()(const command::SetDevice& c) {
    if (c.id == state.device) return;
    state.device = c.id;
    state.quick_took = kAbsent;
    ask_run_after_change(state);
  }
  void operator()(const command::SetRepeat& c) { state.repeat = std::clamp(c.times, 1, 100); }

  void operator()(const command::RunNow&) { run_now(state, false); }
  void operator()(const command::ToggleLive&) {
    state.live = !state.live;
    state.live_due = kAbsent;
    if (state.live) run_now(state, true);
  }
  void operator()(const command::LiveDue&) {
    state.live_due = kAbsent;
    if (!state.live || (!must_be_checked(state) && has_error(state.diagnostics))) return;
    run_now(state, true);
  }
  void operator()(const command::Stop&) {
    state.live = false;
    state.live_due = kAbsent;
    state.run_when_checked = false;
    state.wants.run = false;
    if (state.in_progress != 0) state.wants.stop = true;
  }
  void operator()(const command::RestartEngine&) {
    state.engine = EngineStatus::starting;
    state.in_progress = 0;
    state.started.clear();
    state.wants.restart = true;
    say(state, "Starting a new engine…");
  }
  void operator()(const command::ShowRun& c) {
    if (c.index < state.runs.size()) show(state, state.runs[c.index]);
  }

  void operator()(const command::SetView& c) { state.view = c.view; }
  void operator()(const command::Select& c) { state.selected = c.operation; }
  void operator()(const command::Measure& c) {
    state.measure_begin = c.begin;
    state.measure_end = c.end;
  }
  void operator()(const command::SetColourBy& c) { state.colour_by = c.by; }
  void operator()(const command::SetTheme& c) { state.theme = c.name; }
  void operator()(const command::SetTextScale& c) {
    state.text_scale = std::clamp(c.scale, kSmallestText, kLargestText);
  }
  void operator()(const command::ShowKeys& c) { state.keys_open = c.open; }
  void operator()(const command::TogglePanel& c) {
    bool& open = c.side == command::Side::controls  ? state.controls_open
                 : c.side == command::Side::summary ? state.summary_open
                                                    : state.program_open;
    open = !open;
  }
  void operator()(const command::ExportPng&) {
    if (!state.shown)
      say(state, "There is no run to export yet.", true);
    else
      state.wants.export_png = true;
  }
  void operator()(const command::Close&) { state.wants.close = true; }

  void operator()(const command::FilesListed& c) { state.shipped = c.files; }
  void operator()(const command::FileOpened& c) {
    put_typed_aside(state);
    const std::string aside = std::exchange(state.typed_aside, {});
    take(state, c.file);
    state.typed_aside = aside;
    state.view = std::nullopt;
    state.selected = kNoOperation;
    if (state.engine == EngineStatus::up) run_now(state, false);
  }
  void operator()(const command::ProgramChecked& c) {
    if (c.version != state.version) return;  // of a text that has changed since
    state.checked = c.version;
    state.diagnostics = c.diagnostics;
    const bool go = std::exchange(state.run_when_checked, false);
    if (state.live) {  // while a person types, live mode waits for a text without errors
      if (state.in_progress == 0 && !has_error(c.diagnostics)) run_now(state, true);
    } else if (go) {
      run_now(state, false);
    }
  }
  void operator()(const command::RunPrepared& c) {
    if (c.run->number == 0) {  // a glimpse: only while nothing better is known
      if (state.in_progress == c.run->id) show(state, c.run);
      return;
    }
    keep(state, c.run);
    show(state, c.run);
  }
  void operator()(const command::Say& c) { say(state, c.text, c.error); }
};

struct ApplyEvent {
  State& state;

  void operator()(const session_event::EngineUp& e) {
    state.engine = EngineStatus::up;
    state.engine_program = e.program;
    state.devices = e.devices;
    const bool by_itself = state.lost.restarting;  // then what failed still stands in the status bar
    state.lost = {};
    const auto there = [&](const DeviceInfo& device) { return device.id == state.device; };
    if (state.device != "auto" && std::none_of(e.devices.devices.begin(), e.devices.devices.end(), there))
      state.device = "auto";
    if (!by_itself) say(state, state.ran_once ? "The new engine is ready." : "");
    if (!std::exchange(state.ran_once, true))
      run_now(state, false);
    else if (state.live)
      run_now(state, true);
  }
  void operator()(const session_event::EngineLost& e) {
    // After a device failure the engine ends by itself and the session has begun a new one.
    state.engine = e.restarting ? EngineStatus::starting : EngineStatus::lost;
    state.lost = e;
    state.in_progress = 0;
    state.started.clear();
    state.glimpse.clear();
    state.wants.run = false;
    state.run_when_checked = false;
    state.live_due = kAbsent;
    // A glimpse of the run that is gone is no result.
    if (state.shown && state.shown->number == 0) state.shown = state.runs.empty() ? nullptr : state.runs.back();
    if (e.restarting) return;
    say(state,
        e.run != 0 ? "The engine is gone, and the run in progress with it. Finished runs are kept."
                   : "The engine is gone. Finished runs are kept.",
        true);
  }
  void operator()(const session_event::RunSpans& e) {
    if (e.run != state.in_progress) return;
    for (const Span& span : e.spans) {
      if (span.operation >= kMaximumOperations) continue;
      // The next pass begins where the first operation comes again.
      if (!state.glimpse.empty() && state.glimpse.front().operation == span.operation) state.glimpse.clear();
      state.glimpse.push_back(span);
    }
  }
  void operator()(const session_event::RunPasses& e) {
    if (e.run != state.in_progress) return;
    state.passes_done = e.done;
    state.passes_total = e.total;
  }
  void operator()(const session_event::RunDone& e) {
    Finished done{.id = e.run, .number = ++state.finished, .started = {}, .run = e.result};
    if (const auto found = state.started.find(e.run); found != state.started.end()) done.started = found->second;
    state.started.erase(state.started.begin(), state.started.upper_bound(e.run));
    if (done.started.quick && known(done.started.begun)) state.quick_took = host_now() - done.started.begun;
    const bool last = e.run == state.in_progress;
    if (last) ended();
    state.wants.prepare.push_back(std::move(done));
    if (last && state.live) state.live_due = state.last_start + kLivePeriod;
  }
  void operator()(const session_event::RunFailed& e) {
    state.started.erase(state.started.begin(), state.started.upper_bound(e.run));
    if (e.run == state.in_progress) ended();
    // Asked for while the engine died: that is told already, and live mode goes on with the next engine.
    if (state.engine == EngineStatus::lost) return;
    if (e.error.kind == ErrorKind::cancelled) {
      say(state, "Stopped.");
      return;
    }
    state.live = false;
    state.live_due = kAbsent;
    say(state, e.error.message, true);
  }

  void ended() {
    state.in_progress = 0;
    state.passes_done = state.passes_total = 0;
    state.glimpse.clear();
  }
};

}  // namespace

std::shared_ptr<const ShownRun> prepare(std::shared_ptr<const Run> run, std::uint64_t number, std::uint64_t id,
                                        std::string label, Nanoseconds asked) {
  auto shown = std::make_shared<ShownRun>();
  shown->number = number;
  shown->id = id;
  shown->asked = asked;
  shown->tracks = tracks(run->trace);
  shown->analysis = analyse(run->trace);
  shown->label = fmt::format("{} · {}", label, display_duration(shown->analysis.makespan));
  shown->run = std::move(run);
  return shown;
}

State first_state(OpenedFile file) {
  State state;
  take(state, std::move(file));
  return state;
}

void apply(State& state, const Command& command) { std::visit(Apply{state}, command); }
void apply(State& state, const SessionEvent& event) { std::visit(ApplyEvent{state}, event); }

bool has_error(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& each) { return each.severity == Diagnostic::Severity::error; });
}

std::string label(const State& state) {
  if (state.edited) return "typed program";
  if (state.own_program) return state.own.name;
  return fmt::format("{} stream{} · {}", state.experiment.streams, state.experiment.streams == 1 ? "" : "s",
                     display_bytes(state.experiment.chunk));
}

std::string why_not_run(const State& state) {
  if (state.engine == EngineStatus::starting) return "The engine is starting.";
  if (state.engine == EngineStatus::lost) return "There is no engine. Start a new one.";
  if (!state.edited && !state.own_program && !state.experiment_error.empty()) return state.experiment_error;
  if (has_error(state.diagnostics)) return first_error(state.diagnostics);
  return {};
}

message::StartRun request(const State& state, bool quick) {
  message::StartRun request;
  request.device = state.device;
  request.program = state.program;
  if (!state.edited && !state.own_program) request.experiment = to_toml(state.experiment);
  request.options.runs = quick ? 1 : state.repeat;
  request.options.observer_effect = !quick;
  request.options.verify = !quick && (state.edited || state.own_program || state.experiment.verify);
  return request;
}

const Span* span_of(const State& state, OperationIndex operation) {
  if (!state.shown || operation == kNoOperation) return nullptr;
  return find_span(state.shown->run->trace, operation);
}

}  // namespace streamscope
