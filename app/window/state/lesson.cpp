#include "app/window/state/lesson.h"

#include <algorithm>

namespace streamscope::window {

const lesson::Step* step_at(const LessonState& state) {
  return state.open && state.step < state.open->steps.size() ? &state.open->steps[state.step] : nullptr;
}

lesson::Runs facts(const LessonState& state) {
  lesson::Runs out;
  for (const auto& [name, run] : state.runs) out[name] = run.facts;
  return out;
}

bool hides_run(const LessonState& state) {
  const lesson::Step* step = step_at(state);
  return step != nullptr && asks(*step) && !state.answers.contains(step->name);
}

bool asked_later(const LessonState& state, const std::string& program) {
  const lesson::Step* step = step_at(state);
  if (step == nullptr) return false;
  const auto& steps = state.open->steps;
  return std::any_of(steps.begin() + static_cast<std::ptrdiff_t>(state.step), steps.end(),
                     [&](const lesson::Step& each) {
                       if (!asks(each) || each.run == step->run || state.answers.contains(each.name)) return false;
                       const lesson::RunToMake* run = run_named(*state.open, each.run);
                       return run != nullptr && run->input.program == program;
                     });
}

bool hides_verdict(const LessonState& state) {
  if (step_at(state) == nullptr || state.open->shows_verdict) return false;
  const auto& steps = state.open->steps;
  return std::any_of(steps.begin() + static_cast<std::ptrdiff_t>(state.step), steps.end(),
                     [&](const lesson::Step& each) { return asks(each) && !state.answers.contains(each.name); });
}

const lesson::Answer* answer_to(const LessonState& state, const lesson::Step& step) {
  const auto at = state.answers.find(step.name);
  return at == state.answers.end() ? nullptr : &at->second;
}

lesson::Answer revealed(const LessonState& state, const lesson::Step& step) {
  if (const auto draft = state.drafts.find(step.name); draft != state.drafts.end()) return draft->second;
  const auto counted = state.votes.find(step.name);
  if (counted == state.votes.end()) return lesson::answer::Skipped{};
  const auto most = std::ranges::max_element(counted->second, {}, [](const auto& each) { return each.second; });
  if (most == counted->second.end() || most->second == 0) return lesson::answer::Skipped{};
  return lesson::answer::Chosen{most->first};
}

void forget_runs(LessonState& state) {
  state.runs.clear();
  state.preparing.clear();
  state.failed.clear();
  state.changed = {};
}

const lesson::Step* step_with_run(const LessonState& state) {
  if (step_at(state) == nullptr) return nullptr;
  const auto& steps = state.open->steps;
  const auto behind = steps.rend() - static_cast<std::ptrdiff_t>(state.step) - 1;
  const auto at = std::find_if(behind, steps.rend(), [](const lesson::Step& each) { return !each.run.empty(); });
  return at == steps.rend() ? nullptr : &*at;
}

std::shared_ptr<const ShownRun> run_of_step(const LessonState& state) {
  const lesson::Step* step = step_with_run(state);
  if (step == nullptr || hides_run(state)) return nullptr;
  if (step->kind == lesson::StepKind::change && state.changed.shown) return state.changed.shown;
  const auto at = state.runs.find(step->run);
  return at == state.runs.end() ? nullptr : at->second.shown;
}

const lesson::RunToMake* next_lesson_run(const LessonState& state) {
  if (!state.open) return nullptr;
  const auto wanted = [&](const lesson::RunToMake& run) {
    return !state.runs.contains(run.name) && !state.preparing.contains(run.name) && !state.failed.contains(run.name);
  };
  const auto at = std::ranges::find_if(state.open->runs, wanted);
  return at == state.open->runs.end() ? nullptr : &*at;
}

lesson::Place lesson_place(const LessonState& state, const RunSettings& settings) {
  const device::DeviceInfo* at_hand = device_of(settings);
  if (!state.open || at_hand == nullptr) return {settings.device, {}};
  lesson::Place place = lesson::place_of(state.open->needs, *at_hand);
  if (place.why.empty() || place.device.empty()) place.device = settings.device;
  return place;
}

}  // namespace streamscope::window
