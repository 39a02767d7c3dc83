#include "app/window/state/update.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/window/state/compared_runs.h"
#include "app/window/state/lesson_steps.h"
#include "app/window/state/open_and_save.h"
#include "app/window/state/playhead.h"
#include "app/window/state/run_requests.h"
#include "app/window/state/run_verdicts.h"
#include "app/window/state/showing.h"
#include "app/window/state/sweep_runs.h"
#include "app/window/state/undo.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

// The run in view as PNG, in the window's own looks.
draw::PictureRequest as_seen(const State& state) {
  draw::PictureRequest request;
  request.options.theme = state.workspace.theme;
  request.options.colour_by = state.timeline.colour_by;
  request.options.ghosts = !ghost_of(state).empty();
  request.options.opening = state.timeline.opening;
  request.options.second = second_of(state);
  request.options.title = picture_title(state);
  draw_verdict_in(request.options, state);
  return request;
}

// A step of a lesson without a run of its own leaves the run of the program that is beside it.
bool stays_in_view(const State& state) {
  return step_at(state.lesson)->run.empty() && state.runs.shown &&
         state.runs.shown->run->program == state.editing.program;
}

struct Update {
  State& state;
  Effects& effects;

  void operator()(const EditingCommand& c) {
    if (!std::holds_alternative<command::FilesListed>(c)) state.workspace.hint_open = false;  // somebody has begun
    if (update(state.editing, c)) ask_run_after_change(state, effects);
    if (std::holds_alternative<command::SetExperiment>(c) && !state.editing.experiment_error.empty())
      say(state.status, state.editing.experiment_error, true);
  }
  void operator()(const SettingsCommand& c) {
    const std::string device = state.settings.device;
    if (update(state.settings, c)) ask_run_after_change(state, effects);
    if (state.settings.device != device) forget_runs(state.lesson);
  }
  void operator()(const TimelineCommand& c) { update(state.timeline, c); }
  void operator()(const ReadingsCommand& c) { update(state.readings, c); }
  void operator()(const WorkspaceCommand& c) {
    update(state.workspace, c);
    if (const auto* chosen = std::get_if<command::SetLanguage>(&c)) {
      state.lesson.language = chosen->language;
      state.lesson.chosen_language.reset();
    }
    // The gallery's pictures are made when it is opened first, which a person may never do.
    if (const auto* show = std::get_if<command::ShowGallery>(&c); show != nullptr && show->open)
      for (const experiment::Shipped& each : state.editing.shipped)
        if (state.workspace.gallery_pictures.try_emplace(each.path).second)
          effects.gallery_pictures.push_back(each.path);
  }
  void operator()(const HelpCommand& c) { update(state.help, c); }
  void operator()(const VerdictCommand& c) {
    update(state, effects, c);
    const auto* found = std::get_if<command::VerdictFound>(&c);
    if (found == nullptr || !found->verdict->shown) return;
    // It may have been judged meanwhile, by the referee.
    const auto kept = find_run(state.runs, found->verdict->number);
    if (kept && kept->run == found->verdict->run) (*this)(command::RunPrepared{found->verdict->shown});
  }
  void operator()(const CudaCommand& c) { update(state.cuda, c); }
  void operator()(const command::CopyCuda&) {
    if (!state.cuda.written) return say(state.status, tr("Show the CUDA C++ beside the program first."));
    const cuda_source::CudaSource& source = state.cuda.written->source;
    effects.clipboard = source.text;
    say(state.status,
        tr_n("Copied {} line of CUDA C++.", "Copied {} lines of CUDA C++.", source.lines.size(), source.lines.size()));
  }
  void operator()(const FilesCommand& c) {
    // Given up, it goes back to the questions before it.
    const Files& files = state.files;
    const bool from_settings = files.asks == FileQuestion::save_export && files.exported->path.empty();
    update(state.files, c);
    const auto* const asks = std::get_if<command::AskFile>(&c);
    if (asks == nullptr) return;
    begin_question(state, effects, asks->which);
    if (from_settings && asks->which == FileQuestion::none) (*this)(command::ShowExport{true});
  }
  void operator()(const OpenAndSaveCommand& c) { update(state, effects, c); }
  void operator()(const command::SetPredict& c) {
    if (c.on == state.settings.predict) return;
    state.settings.predict = c.on;
    if (c.on && !(state.runs.shown && state.runs.shown->with_ghosts)) ask_run_after_change(state, effects);
  }

  void operator()(const command::UndoChange& c) { undo(c, tr("There is nothing to undo.")); }
  void operator()(const command::RedoChange& c) { undo(c, tr("There is nothing to redo.")); }
  template <class Step>
  void undo(const Step& where, const char* nothing) {
    Setup before = setup_of(state);
    if (!step(state, where)) return say(state.status, nothing);
    ++state.running.series;
    // As typing runs nothing, neither does taking back what was typed.
    before.program = state.editing.program;
    if (!state.editing.edited || before != setup_of(state)) ask_run_after_change(state, effects);
  }
  void operator()(const command::EndChange&) { state.undo.going_on = false; }
  void operator()(const command::UseRunSettings&) { use_settings_of_run(state); }

  void operator()(const command::RunNow&) {
    state.undo.going_on = false;
    run_now(state, effects, RunFor::figures);
  }
  void operator()(const command::RunLongKernels&) {
    if (!state.editing.refused) return;
    const LongKernel refused = *std::exchange(state.editing.refused, std::nullopt);
    if (!refused.own_files.empty()) {
      effects.own_code = own_code_wanted(state, refused.own_files);
      return;
    }
    run_now(state, effects, RunFor::figures);
    if (effects.run) effects.run->long_kernels = true;
  }
  void operator()(const command::OwnCodeRead& c) {
    if (take_own_code(state, effects, c)) run_now(state, effects, RunFor::figures);
  }
  void operator()(const command::PairsDue&) {
    state.running.pairs_due = kAbsent;
    if (state.running.live || state.running.in_progress != 0 || state.sweeping.going || !state.runs.shown ||
        !why_not_run(state).empty())
      return;
    if (must_be_checked(state.editing) || subject_of(request(state, RunFor::pairs)) != state.runs.shown->subject)
      return;
    ask_run(state, effects, RunFor::pairs);
  }
  void operator()(const command::RefereeDue&) {
    state.running.referee_due = kAbsent;
    const ShownRun* const shown = state.runs.shown.get();
    if (state.running.live || state.running.in_progress != 0 || state.sweeping.going || shown == nullptr ||
        shown->number == 0)
      return;
    if (shown->run->referee || must_be_checked(state.editing) || !why_not_run(state).empty()) return;
    if (shown->ends_process) return;
    const remote::message::StartRun wanted = request(state, RunFor::referee);
    if (subject_of(wanted) != shown->subject) return;  // what was set has changed since
    if (!referee::can_judge(wanted.options, shown->run->trace.provenance.kind)) return;
    ask_run(state, effects, RunFor::referee);
  }
  void operator()(const command::Stop& c) {
    stop_sweep(state, effects);
    effects = update(state.running, c);
  }
  void operator()(const SweepCommand& c) { update(state.sweeping, c); }
  void operator()(const command::StartSweep&) { start_sweep(state, effects); }
  void operator()(const command::StopSweep&) { stop_sweep(state, effects); }
  void operator()(const command::SweepCombined& c) { take_combinations(state, effects, c); }
  void operator()(const command::SweepMeasured& c) { take_result(state.sweeping, c); }
  void operator()(const command::ShowSweepPoint& c) {
    const auto run = c.point < state.sweeping.runs.size() ? state.sweeping.runs[c.point] : nullptr;
    for (const std::shared_ptr<const ShownRun>& kept : state.runs.all)
      if (run && kept->run == run) return show(state, kept);
    show_point(state, effects, c.point);
  }
  void operator()(const command::WriteSweep& c) {
    export_at_once({SweepFile{std::make_shared<const sweep::Sweep>(state.sweeping.sweep), c.picture}});
  }
  void operator()(const command::RunStarted& c) { update(state.running, c); }
  void operator()(const command::ToggleLive&) {
    state.running.live = !state.running.live;
    state.running.live_due = kAbsent;
    ++state.running.series;
    state.live.single = false;
    if (state.running.live)
      run_now(state, effects, RunFor::picture);
    else if (state.running.in_progress == 0)  // else that run asks when it is done
      state.running.referee_due = host_now() + kRestForReferee;
  }
  void operator()(const LiveCommand& c) { update(state.live, c); }
  void operator()(const command::SingleShot&) {
    if (!state.running.live) (*this)(command::ToggleLive{});
    state.live.single = state.running.live;
  }
  void operator()(const command::LiveDue&) {
    state.running.live_due = kAbsent;
    if (!state.running.live || (!must_be_checked(state.editing) && has_error(state.editing.diagnostics))) return;
    run_now(state, effects, RunFor::picture);
  }
  void operator()(const command::RestartEngine&) {
    // The session reports the run that the old engine was at; one that waits goes to the new engine.
    state.running.engine = EngineStatus::starting;
    drop_preview(state);
    effects.restart = true;
    say(state.status, tr("Starting a new engine…"));
  }
  void operator()(const command::ShowRun& c) {
    if (c.index < state.runs.all.size()) show(state, state.runs.all[c.index]);
  }

  void operator()(const command::Select& c) {
    state.timeline.selected = c.operation;
    state.comparison.selected = partner_in_second(state, c.operation);
    ask_arguments(state, effects);
  }
  void operator()(const command::SelectCompared& c) {
    state.timeline.selected = partner_in_first(state, c.operation);
    state.comparison.selected = c.operation;
  }
  void operator()(const command::ToggleInside& c) { toggle_inside(state, c.operation); }
  void operator()(const command::CompareWith& c) {
    auto wanted = find_run(state.runs, c.run);
    if (wanted == state.runs.shown) wanted = nullptr;
    if (wanted && !state.comparison.second) state.comparison.view_alone = state.timeline.view;
    if (!wanted && state.comparison.view_alone)
      state.timeline.view = *std::exchange(state.comparison.view_alone, std::nullopt);
    state.comparison.second = wanted;
    state.comparison.selected = kNoOperation;
  }
  void operator()(const command::Arrange& c) { state.comparison.arrangement = c.arrangement; }
  void operator()(const command::Align& c) { state.comparison.alignment = c.alignment; }
  void operator()(const command::SortDifferences& c) { state.comparison.worst_by = c.by; }
  void operator()(const command::CopyDifferences&) {
    if (pair_in_view(state) == nullptr)
      say(state.status, tr("Compare a second run with this one first: Ctrl and a click on it in the list."));
    else
      effects.copy = state.comparison.pair;
  }
  void operator()(const command::BeginRename& c) {
    state.runs.renaming = find_run(state.runs, c.run) == nullptr ? kNoRun : c.run;
    if (state.runs.renaming != kNoRun) update(state.workspace, command::ShowDock{command::Dock::compare});
  }
  void operator()(const command::RenameRun& c) { update(state.runs, c); }
  void operator()(const command::SetPlayhead& c) { set_playhead(state, c.time); }
  void operator()(const command::Play& c) { play(state, c.on); }
  void operator()(const command::SetSpeed& c) { update(state.slow_motion, c); }
  void operator()(const command::PlayheadDue& c) { move_playhead(state, c.now); }
  void operator()(const command::Close& c) {
    const bool ask = !c.even_unsaved && unsaved(state.editing);
    (ask ? state.workspace.asks_close : state.workspace.closing) = true;
  }
  void operator()(const command::ShowExport& c) {
    state.workspace.export_open = c.open && state.runs.shown;
    if (c.open && !state.runs.shown) say(state.status, tr("There is no run to export yet."), true);
  }
  void operator()(const command::Export& c) {
    state.workspace.export_open = false;
    if (!state.runs.shown) return say(state.status, tr("There is no run to export yet."), true);  // it was a preview
    begin_export(state.files, {PictureOfRun{state.runs.shown, c.request}});
    (*this)(FilesCommand(command::AskFile{FileQuestion::save_export}));
  }
  void operator()(const command::ExportPng&) {
    if (!state.runs.shown) return say(state.status, tr("There is no run to export yet."), true);
    export_at_once({PictureOfRun{state.runs.shown, as_seen(state)}, {}, state.timeline.view.has_value()});
  }
  void export_at_once(ExportedFile exported) {
    exported.path = path_of(state, exported);
    begin_export(state.files, std::move(exported));
    effects.exported = state.files.exported;
  }

  void operator()(const command::ProgramChecked& c) {
    if (c.version != state.editing.version) return;  // of a text that has changed since
    state.editing.checked = c.version;
    state.editing.diagnostics = c.diagnostics;
    state.editing.devices = c.devices;
    state.editing.ends_process = c.ends_process;
    state.editing.own_times = c.own_times;
    const bool go = std::exchange(state.running.run_when_checked, false);
    if (state.running.live) {  // while a person types, live mode waits for a text without errors
      const bool idle = state.running.engine == EngineStatus::up && state.running.in_progress == 0;
      if (idle && !has_error(c.diagnostics)) run_now(state, effects, RunFor::picture);
    } else if (go) {
      run_now(state, effects, RunFor::figures);
    }
  }
  void operator()(const command::OwnTimesMeasured& c) {
    if (c.program == state.editing.program) state.editing.own_times = c.times;
  }
  void operator()(const command::RunNotPrepared& c) {
    if (c.number == state.running.preparing) state.running.preparing = 0;
    state.running.live = false;  // its next run would not fit either
    say(state.status, tr("That did not work: {}", c.why), true);
  }
  void operator()(const command::RunPrepared& c) {
    if (c.run->number == 0) {  // a preview: only while nothing better is known
      if (state.running.in_progress == c.run->id) show(state, c.run);
      return;
    }
    if (replace(state.runs, c.run)) {  // with a second opinion, or the verdict's waits
      if (state.comparison.second && state.comparison.second->number == c.run->number) state.comparison.second = c.run;
      if (state.runs.shown && state.runs.shown->number == c.run->number) show(state, c.run);
      return;
    }
    if (c.run->number == state.running.preparing) {
      state.running.preparing = 0;
      // A new engine, while one starts, is given its run as soon as it is there.
      if (state.running.live && state.running.engine == EngineStatus::up)
        state.running.live_due = state.running.last_start + kLivePeriod;
    }
    if (keep(state.runs, c.run, state.comparison.second)) {
      std::erase_if(state.carried.files, [&](const auto& of) { return find_run(state.runs, of.first) == nullptr; });
      say(state.status,
          tr("To save memory only the newest {} runs are kept, those you named among them.", state.runs.all.size()));
    }
    show(state, c.run);
    note_trial(state, *c.run);
    lesson_program_ran(state, effects, *c.run);
    if (state.running.live && c.run->series != 0) watch_live(*c.run);
    // Whoever asked for ghosts and sees none sees why at once.
    const trace::Run& run = *c.run->run;
    const trace::Note* why = trace::first_of(run.notes, trace::NoteKind::no_prediction);
    if (state.settings.predict && !run.prediction && why != nullptr) say(state.status, why->text, true);
  }
  // The run is on the screen: where the trigger wants that, it stays there.
  void watch_live(const ShownRun& run) {
    add_to_cloud(state.live, *run.run);
    const std::string why = held_by(state.live.trigger, run);
    const bool untriggered = state.live.single && state.live.trigger.on == TriggerOn::nothing;
    if (why.empty() && !untriggered) return;
    effects.drop_run = true;
    state.running.live = state.live.single = false;
    state.running.live_due = kAbsent;
    say(state.status, why.empty() ? tr("One run was made.") : tr("Held at run {}: {}. L goes on.", run.number, why));
  }
  void operator()(const command::InstantsFound& c) {
    if (c.of != state.runs.shown) return;  // of a run that is in view no more
    state.slow_motion.instants = c.index;
    state.slow_motion.instants_of = c.of;
  }
  void operator()(const command::PairPrepared& c) {
    if (c.pair->first != state.runs.shown || c.pair->second != state.comparison.second)
      return;  // of runs no longer in view
    state.comparison.pair = c.pair;
    if (state.comparison.selected == kNoOperation)
      state.comparison.selected = partner_in_second(state, state.timeline.selected);
  }
  void operator()(const LessonCommand& c) {
    if (!update(state, effects, c)) return;
    if (hides_run(state.lesson)) {
      state.runs.shown.reset();
      state.comparison.second.reset();
    } else if (auto run = run_of_step(state.lesson); run != nullptr && !stays_in_view(state)) {
      // It stands in the list of runs from now on, not before.
      if (const auto kept = find_run(state.runs, run->number))
        run = kept;
      else
        keep(state.runs, run, state.comparison.second);
      show(state, std::move(run));
      point_at_step(state);
    }
  }
  void operator()(const command::Copied& c) {
    effects.clipboard = c.text;
    say(state.status, c.said);
  }
  void operator()(const command::Say& c) { say(state.status, c.text, c.error); }
};

// Typing and what takes the typed text's place are steps of their own.
std::size_t sort_of(const Command::Kind& kind) {
  const auto* const editing = std::get_if<EditingCommand>(&kind);
  return kind.index() * std::variant_size_v<EditingCommand> + (editing != nullptr ? editing->index() : 0);
}

bool is_opening(const Command::Kind& kind) {
  const auto* const files = std::get_if<OpenAndSaveCommand>(&kind);
  return files != nullptr &&
         (std::holds_alternative<command::FileOpened>(*files) || std::holds_alternative<command::TraceOpened>(*files));
}

bool can_be_undone(const Command::Kind& kind) {
  return std::holds_alternative<EditingCommand>(kind) || std::holds_alternative<LessonCommand>(kind) ||
         std::holds_alternative<SettingsCommand>(kind) || std::holds_alternative<VerdictCommand>(kind) ||
         is_opening(kind) || std::holds_alternative<command::UseRunSettings>(kind) ||
         std::holds_alternative<command::ShowSweepPoint>(kind);
}

}  // namespace

Effects begin(State& state, OpenedFile file, const std::filesystem::path& trace, const Remembered& before) {
  Effects effects;
  effects.check = true;
  bring_back(state, before);
  note_recent(state.files, trace.empty() ? file.path : trace);
  take(state.editing, std::move(file));
  if (!trace.empty()) {
    state.running.ran_once = true;  // nothing is run by itself
    effects.open = trace;
  }
  return effects;
}

Effects update(State& state, const Command& command) {
  Effects effects;
  const std::uint64_t version = state.editing.version;
  std::optional<Setup> before;
  if (can_be_undone(command.kind()) && state.editing.program.size() <= kLongestUndone) before = setup_of(state);
  std::visit(Update{state, effects}, command.kind());
  if (before && *before != setup_of(state)) {
    if (begins_step(state.undo, *before, setup_of(state), host_now())) state.undo.going_on = false;
    if (remember(state.undo, std::move(*before), sort_of(command.kind()))) ++state.running.series;
  }
  effects.check |= state.editing.version != version;
  effects.pair = pair_due(state);
  if ((effects.cuda = cuda_due(state))) state.cuda.asked = effects.cuda->version;
  continue_lesson(state, effects);
  ask_verdict(state, effects);
  return effects;
}

}  // namespace streamscope::window
