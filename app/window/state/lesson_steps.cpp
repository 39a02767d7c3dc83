#include "app/window/state/lesson_steps.h"

#include <algorithm>
#include <utility>

#include "app/timeline/tracks.h"
#include "app/window/state/playhead.h"
#include "app/window/state/run_requests.h"
#include "app/window/state/showing.h"
#include "app/window/state/undo.h"
#include "engine/base/translate.h"

namespace streamscope::window {
namespace {

constexpr int kFitWidth = 480;                    // pixels: of a narrow timeline, so that all of it is in sight
constexpr Nanoseconds kShownFor = 6'000'000'000;  // of the host: how long slow motion takes over what a step shows

void put_program(State& state, const experiment::Input& input, const std::string& name) {
  if (state.editing.program == input.program) return void(state.editing.own_code = state.lesson.own_code);
  OpenedFile file{.name = name, .content = {}};
  file.content.name = name;
  file.content.program = input.program;
  take(state.editing, std::move(file));
  state.editing.own_code = state.lesson.own_code;
}

// A step in slow motion is left: what it dimmed is not left so.
void end_slow_motion(State& state) {
  if (const lesson::Step* step = step_at(state.lesson); step != nullptr && step->slow_motion)
    set_playhead(state, kAbsent);
}

// Whose program is in the editor as the step begins; null: it stays as it is. A step without a run of its own leaves
// what the one before it has put there, where one comes from there; else that of another lesson or of a later step
// would stand beside it.
const lesson::RunToMake* program_of(const LessonState& at, bool from_before) {
  const auto& steps = at.open->steps;
  if (const lesson::Step* shown = step_with_run(at))
    return from_before && shown != step_at(at) ? nullptr : run_named(*at.open, shown->run);
  const auto later = std::find_if(steps.begin() + static_cast<std::ptrdiff_t>(at.step), steps.end(),
                                  [](const lesson::Step& each) { return !each.run.empty(); });
  return later == steps.end() ? nullptr : run_named(*at.open, later->run);
}

// The first line of the step's program that it speaks of; the top where it names none.
std::uint32_t line_of(const lesson::Step& step, const lesson::RunToMake& run) {
  std::uint32_t first = 0;
  for (const lesson::OperationName& each : step.lines.empty() ? step.show : step.lines)
    if (const auto named = lesson::lines(run.input.checked, run.tags, each); named && !named->empty())
      first = first == 0 ? named->front() : std::min(first, named->front());
  return std::max(first, 1u);
}

// The step at hand begins: its program is in the editor.
void enter(State& state, bool from_before) {
  LessonState& at = state.lesson;
  const lesson::Step* step = step_at(at);
  at.changed = {};
  at.hint = false;
  at.reached[at.open->name] = at.step;
  forget_places(state.timeline);
  forget_intervals(state.timeline);
  state.verdicts.lit.reset();
  if (const lesson::RunToMake* run = program_of(at, from_before)) {
    const bool other = state.editing.program != run->input.program;
    put_program(state, run->input, run->name);
    if (other) state.workspace.show_line = line_of(*step, *run);
  }
  if (step->kind == lesson::StepKind::change) update(state.workspace, command::ShowDock{command::Dock::program});
}

// What is being run as a lesson is opened is not shown when it comes: it would stand in place of the lesson's.
void give_up_run(State& state, Effects& effects) {
  const auto now = state.running.started.find(state.running.in_progress);
  if (now == state.running.started.end() || is_aside(now->second.purpose)) return;
  now->second.purpose = RunFor::pairs;  // which are not shown
  effects.stop = true;
}

struct LessonUpdate {
  State& state;
  Effects& effects;
  LessonState& at = state.lesson;

  bool operator()(const command::LessonsListed& c) {
    at.all = c.all;
    if (!at.chosen_language && !at.open) at.language = c.own;
    return false;
  }
  bool operator()(const command::OpenLesson& c) {
    effects.lesson = c.folder;
    if (!c.device.empty()) {
      set_device(c.device);
      at.device = c.device;
    }
    state.running.ran_once = true;  // not what was set before
    state.workspace.hint_open = false;
    return false;
  }
  bool operator()(const command::LessonOpened& c) {
    end_slow_motion(state);
    LessonState opened;
    if (at.open) {
      at.left[at.open->name] = at;
      opened.before = std::move(at.before);
      opened.shown_before = at.shown_before;
    } else {
      opened.before = setup_of(state);
      if (state.runs.shown) opened.shown_before = state.runs.shown->number;
    }
    opened.left = std::move(at.left);
    if (const auto given = opened.left.find(c.lesson->name); given != opened.left.end())
      static_cast<LessonGiven&>(opened) = std::move(given->second);
    opened.all = std::move(at.all);
    opened.language = at.language;
    opened.chosen_language = at.chosen_language;
    opened.reached = std::move(at.reached);
    opened.device = std::move(at.device);
    opened.open = c.lesson;
    const auto before = opened.reached.find(c.lesson->name);
    if (before != opened.reached.end() && before->second + 1 < c.lesson->steps.size()) opened.step = before->second;
    at = std::move(opened);
    state.running.live = false;
    give_up_run(state, effects);
    state.runs.shown.reset();  // they have nothing to do with it
    state.comparison.second.reset();
    enter(state, false);
    return true;
  }
  bool operator()(const command::LeaveLesson&) {
    end_slow_motion(state);
    if (!at.open) return false;
    at.left[at.open->name] = at;
    at.open.reset();
    at.own_code.clear();
    at.runs.clear();
    at.changed = {};
    if (const std::string named = std::exchange(at.device, {}); !named.empty() && named == state.settings.device)
      set_device("auto");
    if (auto before = std::exchange(at.before, std::nullopt)) {
      // The experiment; where and how it is measured stays as a person set it meanwhile.
      before->device = state.settings.device;
      before->measuring = state.settings.measuring;
      before->what_ifs = state.settings.what_ifs;
      set_up(state, *before);
    }
    if (auto run = find_run(state.runs, at.shown_before)) show(state, std::move(run));
    return false;
  }
  bool operator()(const command::StepLesson& c) {
    if (!at.open) return false;
    const auto last = static_cast<std::ptrdiff_t>(at.open->steps.size()) - 1;
    const auto to =
        static_cast<std::size_t>(std::clamp(static_cast<std::ptrdiff_t>(at.step) + c.by, std::ptrdiff_t{0}, last));
    // Not past a question: it is answered, or skipped on purpose.
    if (to == at.step || (to > at.step && hides_run(at))) return false;
    end_slow_motion(state);
    const bool from_before = to > at.step;
    at.step = to;
    enter(state, from_before);
    return true;
  }
  bool operator()(const command::SpeakLesson& c) {
    at.language = c.language;
    if (c.chosen) at.chosen_language = c.language;
    return false;
  }
  bool operator()(const command::DraftAnswer& c) {
    const lesson::Step* step = step_at(at);
    if (step == nullptr) return true;
    if (std::holds_alternative<lesson::answer::Skipped>(c.answer))
      at.drafts.erase(step->name);  // what was typed is no answer any more
    else
      at.drafts[step->name] = c.answer;
    return false;
  }
  bool operator()(const command::GiveAnswer& c) {
    const lesson::Step* step = step_at(at);
    if (step == nullptr || !is_graded(*step)) return false;
    at.answers[step->name] = c.answer;
    return true;
  }
  bool operator()(const command::CountVote& c) {
    const lesson::Step* step = step_at(at);
    if (step == nullptr || step->kind != lesson::StepKind::vote) return false;
    int& count = at.votes[step->name][c.choice];
    count = std::max(0, count + c.by);
    return false;
  }
  bool operator()(const command::AskHint&) {
    at.hint = true;
    return false;
  }
  bool operator()(const command::ShowSolution&) {
    const lesson::Step* step = step_at(at);
    if (step == nullptr || !step->solution) return false;
    put_program(state, *step->solution, step->name);
    run_now(state, effects, RunFor::figures);
    return false;
  }
  bool operator()(const command::BackToProgram&) {
    const lesson::Step* step = step_at(at);
    const lesson::RunToMake* run = step == nullptr ? nullptr : run_named(*at.open, step->run);
    if (run == nullptr) return false;
    put_program(state, run->input, run->name);
    at.changed = {};
    return true;
  }
  bool operator()(const command::LessonRunReady& c) {
    if (c.of != at.open) return false;
    const lesson::Step* step = step_at(at);
    if (!c.name.empty()) {
      at.preparing.erase(c.name);
      at.runs[c.name] = c.run;
      const lesson::Step* beside = step_with_run(at);
      return beside != nullptr && beside->run == c.name;
    }
    if (step == nullptr || step->kind != lesson::StepKind::change) return false;
    at.changed = c.run;
    // It stays reached, whatever is tried afterwards.
    const lesson::Answer now = lesson::answer::Changed{c.run.facts->run.program, c.run.facts};
    const auto graded = lesson::grade(*step, now, facts(at));
    if (graded && (graded->mark == lesson::Grade::Mark::right || !at.answers.contains(step->name)))
      at.answers[step->name] = now;
    return false;
  }
  bool operator()(const command::LessonRunFailed& c) {
    at.preparing.erase(c.name);
    at.failed[c.name] = c.why;
    say(state.status, c.why, true);
    return false;
  }
  bool operator()(const command::SaveAnswers&) {
    if (!at.open) return false;
    LessonAnswers out{at.open, {at.open->name, lesson_place(at, state.settings).device, facts(at), {}}};
    for (const lesson::Step& each : at.open->steps)
      if (const lesson::Answer* given = answer_to(at, each)) out.answers.given.emplace_back(each.name, *given);
    effects.answers = std::move(out);
    return false;
  }
  // None is run by that.
  void set_device(const std::string& id) {
    if (update(state.settings, command::SetDevice{id})) forget_runs(at);
  }
};

}  // namespace

bool update(State& state, Effects& effects, const LessonCommand& command) {
  return std::visit(LessonUpdate{state, effects}, command);
}

std::vector<program::Diagnostic> told_diagnostics(const State& state) {
  std::vector<program::Diagnostic> out = state.editing.diagnostics;
  if (hides_run(state.lesson) || asked_later(state.lesson, state.editing.program))
    std::erase_if(
        out, [](const program::Diagnostic& each) { return each.severity != program::Diagnostic::Severity::error; });
  return out;
}

void point_at_step(State& state) {
  const lesson::Step* step = step_at(state.lesson);
  const auto run = state.lesson.runs.find(step == nullptr ? std::string() : step->run);
  if (step == nullptr || run == state.lesson.runs.end() || step->show.empty()) return;
  const lesson::RunFacts& facts = *run->second.facts;
  std::vector<OperationIndex> lit;
  Nanoseconds begin = kAbsent, end = kAbsent;
  for (const lesson::OperationName& each : step->show) {
    const auto named = lesson::operations(facts.program, facts.tags, each);
    if (!named) continue;
    for (const OperationIndex i : *named) {
      lit.push_back(i);
      const trace::Span& span = facts.run.trace.spans[i];
      for (const Nanoseconds time : {span.host_begin, span.host_end, span.start, span.end}) {
        if (!known(time)) continue;
        begin = known(begin) ? std::min(begin, time) : time;
        end = known(end) ? std::max(end, time) : time;
      }
    }
  }
  if (lit.empty() || !known(begin)) return;
  const Nanoseconds margin = std::max<Nanoseconds>((end - begin) / 5, 500);
  state.timeline.view = timeline::fit(std::max<Nanoseconds>(begin - margin, 0), end + margin, kFitWidth);
  state.timeline.selected = lit.front();
  if (lit.size() > 1) {
    std::ranges::sort(lit);
    state.verdicts.lit = Lit{.operations = std::move(lit), .of = nullptr, .highlight = nullptr};
  }
  if (!step->slow_motion) return;
  state.slow_motion.times_slower =
      speed(step_of(static_cast<double>(kShownFor) / static_cast<double>(std::max<Nanoseconds>(end - begin, 1))));
  set_playhead(state, std::max<Nanoseconds>(begin - margin, 0));
  play(state, true);
}

void continue_lesson(State& state, Effects& effects) {
  if (state.running.engine != EngineStatus::up || state.running.in_progress != 0 || state.running.live) return;
  if (effects.run || state.sweeping.going || next_lesson_run(state.lesson) == nullptr) return;
  effects.run = RunWanted{.purpose = RunFor::lesson, .long_kernels = false, .asked = kAbsent};
}

void lesson_run_done(State& state, Effects& effects, const StartedRun& started,
                     const std::shared_ptr<const trace::Run>& run) {
  LessonState& at = state.lesson;
  const lesson::RunToMake* made = at.open ? run_named(*at.open, started.label) : nullptr;
  if (made == nullptr || run->program != made->input.program) return;  // of a lesson that was left
  at.preparing.insert(made->name);
  effects.lesson_runs.push_back(
      {at.open, made->name, made->causes, {.id = 0, .number = ++state.runs.finished, .started = started, .run = run}});
}

void lesson_run_failed(State& state, const Error& error) {
  const lesson::RunToMake* made = next_lesson_run(state.lesson);
  if (made == nullptr || error.kind == ErrorKind::cancelled) return;
  state.lesson.failed[made->name] = error.message;
  say(state.status, error.message, true);
  if (!error.wants_own_code) return;
  state.lesson.own_code.clear();
  if (auto files = own_files(made->input.program); !files.empty())
    state.editing.refused = LongKernel{error.message, 0, std::move(files)};
}

Effects::OwnCode own_code_wanted(const State& state, std::vector<std::string> files) {
  const auto& lesson = state.lesson.open;
  if (!lesson) return {state.editing.path, state.editing.version, std::move(files)};
  // Asked once for all of its programs.
  for (const lesson::RunToMake& run : lesson->runs)
    for (std::string& file : own_files(run.input.program))
      if (std::ranges::find(files, file) == files.end()) files.push_back(std::move(file));
  return {lesson->folder / "lesson.toml", 0, std::move(files)};
}

bool take_own_code(State& state, Effects& effects, const command::OwnCodeRead& read) {
  if (read.of != own_code_wanted(state, read.of.files)) return false;
  state.editing.own_code = read.sources;
  if (!state.lesson.open) return true;
  state.lesson.own_code = read.sources;
  const bool any = std::exchange(state.lesson.failed, {}).empty();
  continue_lesson(state, effects);
  return any;  // else its runs are made first
}

void lesson_program_ran(State& state, Effects& effects, const ShownRun& run) {
  const lesson::Step* step = step_at(state.lesson);
  if (step == nullptr || step->kind != lesson::StepKind::change || run.run->program != state.editing.program) return;
  const lesson::RunToMake* made = run_named(*state.lesson.open, step->run);
  effects.lesson_runs.push_back({state.lesson.open,
                                 {},
                                 made != nullptr && made->causes,
                                 {.id = run.id, .number = run.number, .started = {.label = run.name}, .run = run.run}});
}

}  // namespace streamscope::window
