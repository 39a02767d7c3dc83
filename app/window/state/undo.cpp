#include "app/window/state/undo.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "engine/analysis/changes.h"
#include "engine/base/translate.h"
#include "engine/experiment/experiment_file.h"

namespace streamscope::window {
namespace {

bool go(State& state, std::vector<Setup>& from, std::vector<Setup>& to) {
  state.undo.going_on = false;
  if (from.empty()) return false;
  to.push_back(setup_of(state));
  set_up(state, from.back());
  from.pop_back();
  return true;
}

bool run_goes_on(const State& state) {
  if (state.running.live || state.running.run_when_checked) return true;
  const auto now = state.running.started.find(state.running.in_progress);
  return now != state.running.started.end() && !is_aside(now->second.purpose);
}

}  // namespace

Setup setup_of(const State& state) {
  const Editing& editing = state.editing;
  const RunSettings& settings = state.settings;
  return {editing.experiment, editing.experiment_name, editing.path,    editing.own_program, editing.own,
          editing.program,    editing.edited,          settings.device, settings.measuring,  settings.what_ifs};
}

void set_up(State& state, const Setup& setup) {
  Editing wanted = state.editing;
  wanted.experiment = setup.experiment;
  wanted.experiment_name = setup.experiment_name;
  wanted.experiment_error = setup.own_program || setup.edited ? std::string() : why_not_built(setup.experiment);
  wanted.path = setup.path;
  wanted.own_program = setup.own_program;
  wanted.own = setup.own;
  if (wanted.edited && !setup.edited && wanted.program != setup.program) wanted.replaced = wanted.program;
  wanted.program = setup.program;
  wanted.edited = setup.edited;
  bring_back(state.editing, std::move(wanted));
  if (state.settings.device != setup.device) state.settings.quick_took = kAbsent;
  state.settings.device = setup.device;
  state.settings.measuring = setup.measuring;
  state.settings.what_ifs = setup.what_ifs;
}

TextChange text_change(std::string_view before, std::string_view now) {
  const auto begin = static_cast<std::size_t>(std::ranges::mismatch(before, now).in1 - before.begin());
  const auto rest = [&](std::string_view of) { return of.substr(begin) | std::views::reverse; };
  const auto same = static_cast<std::size_t>(std::ranges::mismatch(rest(before), rest(now)).in1 - rest(before).begin());
  return {begin, before.size() - same, now.size() - same - begin};
}

bool begins_step(Undo& undo, const Setup& before, const Setup& now, Nanoseconds when) {
  const TextChange change = text_change(before.program, now.program);
  const bool adds = change.length > 0, takes = change.end > change.begin;
  const Undo::Typed last = std::exchange(undo.typed, {when, change.begin, change.begin + change.length, adds});
  if (!now.edited || (!adds && !takes)) return false;
  constexpr std::size_t kMostAtOnce = 64;  // letters that are typed between two frames
  const std::string_view come = std::string_view(now.program).substr(change.begin, change.length);
  const bool pasted = come.size() > kMostAtOnce || (come.size() > 1 && come.find('\n') != std::string_view::npos);
  if ((adds && takes) || pasted) {
    undo.typed.when = kAbsent;  // what follows is another step
    return true;
  }
  if (!known(last.when) || when - last.when >= kPauseOfTyping || last.adds != adds) return true;
  if (takes) return change.end != last.begin && change.begin != last.begin;
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n'; };
  char left = change.begin > 0 ? now.program[change.begin - 1] : 'a';
  const bool word = std::ranges::any_of(come, [&](char c) { return blank(std::exchange(left, c)) && !blank(c); });
  return change.begin != last.end || word;
}

bool remember(Undo& undo, Setup before, std::size_t kind) {
  undo.forward.clear();
  if (std::exchange(undo.going_on, true) && undo.kind == kind) return false;
  undo.kind = kind;
  undo.back.push_back(std::move(before));
  std::size_t text = 0, kept = 0;  // the newest of them
  for (; kept < undo.back.size() && kept < kMostUndone && text <= kMostTextUndone; ++kept)
    text += undo.back[undo.back.size() - 1 - kept].program.size();
  undo.back.erase(undo.back.begin(), undo.back.end() - static_cast<std::ptrdiff_t>(kept));
  return true;
}

bool step(State& state, const command::UndoChange&) { return go(state, state.undo.back, state.undo.forward); }
bool step(State& state, const command::RedoChange&) { return go(state, state.undo.forward, state.undo.back); }

void use_settings_of_run(State& state) {
  const ShownRun* const shown = state.runs.shown.get();
  if (shown == nullptr) return;
  if (shown->setup) {
    set_up(state, *shown->setup);
  } else if (!shown->run->program.empty()) {
    // Whoever saved that run wrote this program: it is not the file's that is open, and is not let run that one's code.
    state.editing.path.clear();
    state.editing.own_code.clear();
    apply(state.editing, {shown->run->experiment, shown->run->program});
  }
}

std::string differs_from_run(const State& state) {
  const ShownRun* const shown = state.runs.shown.get();
  if (shown == nullptr || shown->number == 0 || shown->run->program.empty() || run_goes_on(state)) return {};
  const Editing& editing = state.editing;
  const bool built = !editing.edited && !editing.own_program;
  const std::string experiment = built ? experiment::toml_for_run(editing.experiment) : std::string();
  std::vector<std::string> parts;
  if (shown->run->program != editing.program)
    parts = analysis::changes(analysis::MadeOf{shown->run->experiment, shown->run->program},
                              analysis::MadeOf{experiment, editing.program});
  if (shown->setup) {
    const Setup& its = *shown->setup;
    if (its.device != state.settings.device) parts.push_back(tr("device {} → {}", its.device, state.settings.device));
    if (on_gpu(state.settings) && its.measuring != state.settings.measuring)
      parts.emplace_back(tr("another way of measuring"));
    if (its.what_ifs != state.settings.what_ifs) parts.emplace_back(tr("other numbers of the model"));
  }
  return parts.empty() ? std::string() : analysis::changes_text(parts);
}

}  // namespace streamscope::window
